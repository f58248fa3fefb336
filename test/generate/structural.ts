/** What apiextensions.k8s.io/v1 requires of a schema, as far as ours use it. */

export interface Node {
  readonly [keyword: string]: unknown;
}

const ALLOWED = new Set(
  (
    'type description nullable properties required items minItems maxItems enum ' +
    'pattern format minLength maxLength minimum x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-validations'
  ).split(' '),
);

/** Every node of a schema with its path. */
export function* nodes(schema: Node, path = ''): Generator<{ path: string; node: Node }> {
  yield { path, node: schema };
  for (const [name, member] of Object.entries((schema['properties'] as Node) ?? {}))
    yield* nodes(member as Node, `${path}.${name}`);
  if (schema['items']) yield* nodes(schema['items'] as Node, `${path}[]`);
}

/** What keeps a schema from being structural; empty where nothing does. */
export function faults(schema: Node): string[] {
  return [...nodes(schema)].flatMap(({ path, node }) => faultsOf(node).map((fault) => `${path}: ${fault}`));
}

function faultsOf(node: Node): string[] {
  const found: string[] = [];
  const properties = (node['properties'] as Node | undefined) ?? {};
  for (const key of Object.keys(node)) if (!ALLOWED.has(key)) found.push(`may not say ${key}`);
  if (typeof node['type'] !== 'string') found.push('has no type');
  if ((node['type'] === 'array') !== 'items' in node) found.push('a list, and only a list, has items');
  if ('properties' in node && node['type'] !== 'object') found.push('only an object has properties');
  for (const name of (node['required'] as string[] | undefined) ?? []) {
    const member = properties[name] as Node | undefined;
    if (!member) found.push(`requires ${name}, which it does not have`);
    else if (member['nullable']) found.push(`requires ${name}, which may be null`);
  }
  if (node['nullable'] && 'enum' in node) found.push('is nullable and has an enum: the API server refuses null there');
  return [...found, ...listFaults(node)];
}

function listFaults(node: Node): string[] {
  const keys = node['x-kubernetes-list-map-keys'] as string[] | undefined;
  const isMap = node['x-kubernetes-list-type'] === 'map';
  if (isMap !== (keys !== undefined)) return ['a map, and only a map, has keys'];
  const item = node['items'] as Node | undefined;
  const required = (item?.['required'] as string[] | undefined) ?? [];
  return (keys ?? []).filter((key) => !required.includes(key)).map((key) => `its items do not require the key ${key}`);
}

import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { kinds } from '../../../src/api/index.ts';
import { customResourceDefinition } from '../../../src/manifests/crds.ts';
import { toYaml } from '../../../src/manifests/manifest.ts';

interface Node {
  readonly [keyword: string]: unknown;
}

/** Every node of a schema with its path. */
function* nodes(schema: Node, path = ''): Generator<{ path: string; node: Node }> {
  yield { path, node: schema };
  for (const [name, member] of Object.entries((schema['properties'] as Node) ?? {}))
    yield* nodes(member as Node, `${path}.${name}`);
  if (schema['items']) yield* nodes(schema['items'] as Node, `${path}[]`);
}

const ours = kinds.filter(({ dialect }) => dialect.ours);
const cases = ours.map((kind) => ({ name: kind.dialect.kind, kind, crd: customResourceDefinition(kind) }));
const schemaOf = (crd: ReturnType<typeof customResourceDefinition>): Node => ({
  ...crd.spec.versions[0]?.schema.openAPIV3Schema,
});

describe.each(cases)('the CRD of $name', ({ kind, crd }) => {
  const schema = schemaOf(crd);

  test('is bounded: every text, every list', () => {
    const body = [...nodes({ ...schema, properties: kind.schema.properties })].slice(1);
    const unbounded = body.filter(({ node }) => {
      if (node['type'] === 'string') return !('maxLength' in node || 'enum' in node || 'format' in node);
      return node['type'] === 'array' && !('maxItems' in node && 'x-kubernetes-list-type' in node);
    });
    expect(unbounded.map(({ path }) => path)).toEqual([]);
  });

  test('describes every member', () => {
    const silent = [...nodes(schema)].filter(({ path, node }) => !node['description'] && path !== '.metadata');
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test('lets every member that may be absent be null, or pruned when it is', () => {
    const strict = [...nodes(kind.schema as unknown as Node)].flatMap(({ path, node }) => {
      const required = (node['required'] as string[] | undefined) ?? [];
      const optional = Object.entries((node['properties'] as Node) ?? {}).filter(([name]) => !required.includes(name));
      return optional.filter(([, member]) => !(member as Node)['nullable']).map(([name]) => `${path}.${name}`);
    });
    expect(strict).toEqual([]);
  });

  test('lets no member be null that has an enum: the API server would refuse null there', () => {
    const both = [...nodes(schema)].filter(({ node }) => node['nullable'] && 'enum' in node);
    expect(both.map(({ path }) => path)).toEqual([]);
  });

  test('reads the same to kubectl, which takes a bare On for a boolean', () => {
    expect(parse(toYaml(crd), { version: '1.1' })).toEqual(JSON.parse(JSON.stringify(crd)));
  });

  test('has columns only of fields that exist', () => {
    const paths = new Set([...nodes(schema)].map(({ path }) => path));
    const columns = crd.spec.versions[0]?.additionalPrinterColumns ?? [];
    const plain = columns.map(({ jsonPath }) => jsonPath.replace(/\[\?\(@\.type==".*"\)\]/, '[]'));
    expect(plain.filter((path) => !paths.has(path))).toEqual(['.metadata.creationTimestamp']);
  });

  test('has CEL only about fields that exist', () => {
    const paths = new Set([...nodes(schema)].map(({ path }) => path));
    const validations = kind.schema['x-kubernetes-validations'] ?? [];
    // Whatever CEL refuses the API server answers with 422, on which tools delete the object and create it anew: CEL
    // may refuse a write of the status, which keeps the rest, and nothing else.
    for (const { rule } of validations) expect(rule).not.toMatch(/(?:[sS]elf|value\(\))\.(?:spec|metadata)\b/);
    expect(validations.length > 0).toBe(kind.dialect.concept === 'feature');
    for (const { rule, fieldPath } of validations) {
      expect(paths).toContain(fieldPath);
      // At the root CEL sees apiVersion, kind, metadata.name and metadata.generateName; labels need the webhook.
      expect(rule).not.toMatch(/metadata\.(?!name\b|generateName\b)/);
    }
  });
});

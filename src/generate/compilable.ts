/** Schemas as ajv compiles them. */
type Node = Readonly<Record<string, unknown>>;

/**
 * A copy of a shape without what judges nothing (descriptions, markers of Kubernetes), and with null in the `enum` of
 * whatever is nullable: ajv holds such lists closed, even against `nullable`.
 */
export function compilable(schema: Node): Node {
  const judging = Object.entries(schema).filter(([key]) => key !== 'description' && !key.startsWith('x-kubernetes-'));
  return Object.fromEntries(judging.map(([key, value]) => [key, keyword(key, value, schema['nullable'] === true)]));
}

function keyword(key: string, value: unknown, nullable: boolean): unknown {
  if (key === 'items') return compilable(value as Node);
  if (key === 'enum' && nullable) return [...(value as unknown[]), null];
  if (key !== 'properties') return value;
  return Object.fromEntries(Object.entries(value as Node).map(([name, member]) => [name, compilable(member as Node)]));
}

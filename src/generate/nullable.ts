/** `nullable` as other readers of JSON Schema understand it. */

/** A copy of a schema in which every nullable `enum` lists null too: the lists are closed, even against `nullable`. */
export function withNullInEnums(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullInEnums);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNullInEnums(value)]));
  if (copy['nullable'] === true && Array.isArray(copy['enum'])) copy['enum'] = [...copy['enum'], null];
  return copy;
}

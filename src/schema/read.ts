/**
 * Reads a user's file by its schema, and reports all problems at once, each with its path, what was expected and what
 * was found. ajv validates; its errors become problems here.
 */
import { isObject, isUnquoted, type Json } from '../base/json.ts';
import { didYouMean } from '../base/suggest.ts';
import { formats } from './formats.ts';
import { found, oneOf, type Reporter } from './reporter.ts';
import type { FromSchema, Incomplete, Schema } from './schema.ts';
import { type CompiledSchema, type SchemaError, schemaErrors } from './validate.ts';

/** Reads a value; undefined where nothing of it is usable. Known members that are null count as absent. */
export function readBySchema<const S extends Schema>(
  schema: S,
  validate: CompiledSchema,
  value: unknown,
  at: Reporter,
): Incomplete<FromSchema<S>> | undefined {
  const given = withoutNull(schema, value as Json);
  const errors = ofMeantAlternatives(schemaErrors(validate, given));
  const otherKind = errors.find(isOtherKind);
  // In a file of another kind each key would be an error, which would hide the one that matters: the kind.
  const reported = otherKind ? [otherKind] : relevant(errors);
  for (const error of reported) report(error, schemaAt(schema, error.schemaPath), at.below(...error.path));
  return otherKind ? undefined : (reported.reduce(withoutRefused, given) as Incomplete<FromSchema<S>> | undefined);
}

/** Returns a copy without the known members that are null. Parts that the schema leaves open are unchanged. */
function withoutNull(schema: Schema, value: Json): Json {
  const { anyOf = [], items, properties, additionalProperties: values } = schema;
  if (Array.isArray(value) && items) return value.map((entry) => withoutNull(items, entry));
  if (!isObject(value) || schema.opaque || !(properties || values)) {
    return anyOf.reduce((rest: Json, alternative) => withoutNull(alternative, rest), value);
  }
  const members = Object.entries(value).flatMap(([key, member]) => {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) return member === null ? [] : [[key, withoutNull(known, member)]];
    return [[key, values ? withoutNull(values, member) : member]];
  });
  return Object.fromEntries(members);
}

/** Keywords on the number of entries or keys. */
const COUNTS: ReadonlySet<string> = new Set(['minItems', 'maxItems', 'minProperties', 'maxProperties']);

/** Returns one error for each path: the one that tells the user what to fix. */
function relevant(errors: readonly SchemaError[]): readonly SchemaError[] {
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
  // A misspelled key makes the number of keys wrong; too many entries make each further entry wrong.
  // In both cases only the cause is reported.
  const counts = errors.filter((one) => COUNTS.has(one.keyword) && !unknown.some((key) => isBelow(key, one)));
  const kept = errors.filter((one) =>
    COUNTS.has(one.keyword) ? counts.includes(one) : !counts.some((count) => isBelow(one, count)),
  );
  const first = new Map(kept.toReversed().map((error) => [JSON.stringify(error.path), error]));
  return kept.filter((error) => first.get(JSON.stringify(error.path)) === error);
}

/**
 * For `anyOf`, ajv reports the errors of all alternatives, then that none fits. Keeps the errors of the alternative
 * that has the right type, or the last error if none has.
 */
function ofMeantAlternatives(errors: readonly SchemaError[]): readonly SchemaError[] {
  const kept: SchemaError[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    const isInside = ({ path, schemaPath }: SchemaError) =>
      startsWith(path, error.path) && startsWith(schemaPath, error.schemaPath);
    const inside = kept.splice(kept.findLastIndex((one) => !isInside(one)) + 1);
    const alternatives = Map.groupBy(inside, ({ schemaPath }) => schemaPath[error.schemaPath.length]);
    const fits = (one: SchemaError) => isBelow(one, error) || COUNTS.has(one.keyword);
    const meant = [...alternatives.values()].find((found) => found.every(fits)) ?? [error];
    // One by one: a list may have more errors than a call can have arguments.
    for (const one of meant) kept.push(one);
  }
  return kept;
}

function isOtherKind({ keyword, path, value }: SchemaError): boolean {
  return keyword === 'const' && path.length === 1 && path[0] === 'kind' && typeof value === 'string';
}

function isBelow({ path }: SchemaError, { path: above }: SchemaError): boolean {
  return path.length > above.length && startsWith(path, above);
}

function startsWith<T>(list: readonly T[], begin: readonly T[]): boolean {
  return begin.every((step, index) => list[index] === step);
}

/** Returns the schema that holds the keyword at a path. */
function schemaAt(root: Schema, keys: readonly string[]): Schema {
  const steps = keys.slice(0, -1);
  return steps.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], root) as Schema;
}

function report(error: SchemaError, schema: Schema, at: Reporter): void {
  if (error.keyword === 'additionalProperties') at.refuseKey(messageOf(error, schema));
  else at.refuse(messageOf(error, schema));
}

function messageOf({ keyword, path, value }: SchemaError, schema: Schema): string {
  const key = path.at(-1) ?? '';
  const known = Object.keys(schema.properties ?? {});
  const count = Object.keys(value ?? {}).length;
  if (COUNTS.has(keyword) && schema.properties) {
    const expected = schema.maxProperties === 1 ? 'exactly one' : 'one or more';
    return `expected ${expected} of ${known.join(', ')}, found ${count || 'none'}`;
  }
  switch (keyword) {
    case 'required':
      return `missing; expected ${expectedOf(schema.properties?.[key] ?? {})}`;
    case 'additionalProperties':
      return `unknown key${didYouMean(String(key), known) || `; known here: ${known.join(', ')}`}`;
    case 'minItems':
      return `an empty list${schema.whenEmpty ?? ''}`;
    case 'minProperties':
      return `an empty map${schema.whenEmpty ?? ''}`;
    case 'maxItems':
      return `has ${count} entries; at most ${schema.maxItems} are read`;
    case 'maxProperties':
      return `has ${count} keys; at most ${schema.maxProperties} are read`;
  }
  if (value === null)
    return `missing; expected ${typeof key === 'number' ? 'an entry of the list' : expectedOf(schema)}`;
  if (value === undefined) return `missing; expected ${expectedOf(schema)}`;
  return `expected ${expectedOf(schema)}, found ${found(value)}${hintOf(schema, value)}`;
}

function expectedOf(schema: Schema): string {
  if (schema.expected !== undefined) return schema.expected;
  if (schema.const !== undefined) return `"${schema.const}"`;
  if (schema.enum) return oneOf(schema.enum);
  if (schema.anyOf) return schema.anyOf.map(expectedOf).join(', or ');
  return { string: 'a text', number: 'a number', boolean: 'true or false', array: 'a list', object: 'a map', null: '' }[
    schema.type ?? 'object'
  ];
}

/** Returns a hint on how to fix a value of the wrong type or format, to end its message with. */
function hintOf(schema: Schema, value: Json): string {
  const own = schema.hint?.(value);
  if (own) return own;
  if (schema.anyOf) return schema.anyOf.map((one) => (one.enum ? hintOf(one, value) : '')).join('');
  if (schema.enum && typeof value === 'string') return didYouMean(value, schema.enum.map(String));
  const isQuotable = isUnquoted(value) && schema.type === 'string';
  return isQuotable && (!schema.format || formats[schema.format](String(value))) ? '; put it in quotes' : '';
}

/** Replaces a part that was refused with undefined, and returns the value. It is a private copy, so it is changed. */
function withoutRefused(value: Json | undefined, { keyword, path }: SchemaError): Json | undefined {
  const key = path.at(-1);
  if (key === undefined || value === undefined) return undefined;
  const parent = path.slice(0, -1).reduce<unknown>((node, step) => (node as Record<string, unknown>)?.[step], value);
  if (typeof parent !== 'object' || parent === null) return value;
  if (keyword === 'additionalProperties') delete (parent as Record<string, unknown>)[key];
  else if (keyword !== 'required') (parent as Record<string, unknown>)[key] = undefined;
  return value;
}

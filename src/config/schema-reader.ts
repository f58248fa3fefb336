/**
 * Reads a value by a schema: the one reader of configurations and of test suites. It reports all problems at once, each with
 * its path, what was expected and what was found. Types, documentation and the published JSON Schema come from the same schema.
 */

import { isObject, type Json, type JsonObject, type Path, textAt } from '../base/json.ts';
import { didYouMean } from '../base/suggest.ts';
import { quoted } from '../base/text.ts';

/** A problem or a warning, and where it is. The message names neither file nor field. */
export interface ConfigProblem {
  readonly path: Path;
  readonly message: string;
  /** The last key of the path is wrong, not the value under it. */
  readonly ofKey?: true;
}

/** What checks need to know besides the value. */
export interface ReadContext {
  readonly ruleIds: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A subset of JSON Schema (draft 7), and what messages and checks need besides. */
export interface Schema {
  readonly const?: string;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly type?: 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Of an object with known keys; with neither these nor `additionalProperties` it is any JSON object. */
  readonly properties?: { readonly [key: string]: Schema };
  readonly required?: readonly string[];
  /** Of a map with any keys: the schema of its values. */
  readonly additionalProperties?: false | Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly default?: unknown;
  readonly description?: string;
  /** What messages say is expected, such as `a rule id`. */
  readonly expected?: string;
  /** How the message on an empty list or map goes on. */
  readonly whenEmpty?: string;
  /** Whether null counts as absent in a map of any keys, as it does under known keys. */
  readonly nullable?: true;
  /** Whether a text is one of those that are expected. */
  readonly accepts?: (text: string) => boolean;
  /** What a message adds on a value of the wrong kind. */
  readonly hint?: (value: unknown) => string;
  /** Reports what a schema can't express. The value has the right type, without the members that were refused. */
  readonly check?: (value: never, at: Reporter) => void;
}

/** The type of the values that a schema describes. Maps of any keys are read into a Map: `constructor` is a key like any other. */
export type FromSchema<S> = S extends { const: infer Value }
  ? Value
  : S extends { enum: readonly (infer Value)[] }
    ? Value
    : S extends { anyOf: readonly (infer Alternative)[] }
      ? FromSchema<Alternative>
      : S extends { type: 'string' }
        ? string
        : S extends { type: 'number' }
          ? number
          : S extends { type: 'boolean' }
            ? boolean
            : S extends { items: infer Item }
              ? readonly FromSchema<Item>[]
              : S extends { properties: infer Members; required: readonly (infer Required)[] }
                ? { readonly [Key in keyof Members & Required]: FromSchema<Members[Key]> } & {
                    readonly [Key in Exclude<keyof Members, Required>]?: FromSchema<Members[Key]> | undefined;
                  }
                : S extends { additionalProperties: infer Value }
                  ? ReadonlyMap<string, FromSchema<Value>>
                  : JsonObject;

/** A value without the parts that were refused: members are missing, and lists have holes. */
export type Incomplete<T> = T extends string | number | boolean | JsonObject | ReadonlyMap<string, unknown>
  ? T
  : T extends readonly (infer Item)[]
    ? readonly (Incomplete<Item> | undefined)[]
    : { readonly [Key in keyof T]?: Incomplete<T[Key]> | undefined };

/** Collects problems and warnings, each with the path of its value. */
export class Reporter {
  readonly path: Path;
  readonly context: ReadContext;
  readonly problems: ConfigProblem[];
  readonly warnings: ConfigProblem[];

  constructor(context: ReadContext, path: Path = [], parent?: Reporter) {
    this.context = context;
    this.path = path;
    this.problems = parent?.problems ?? [];
    this.warnings = parent?.warnings ?? [];
  }

  below(...keys: Path): Reporter {
    return new Reporter(this.context, [...this.path, ...keys], this);
  }

  refuse(message: string): undefined {
    this.problems.push({ path: this.path, message });
  }

  /** Refuses the last key of the path. */
  refuseKey(message: string): void {
    this.problems.push({ path: this.path, message, ofKey: true });
  }

  warn(message: string): void {
    this.warnings.push({ path: this.path, message });
  }
}

/** Reads a value; undefined where nothing of it is usable. Problems are reported at the location. */
export function readBySchema<const S extends Schema>(
  schema: S,
  value: unknown,
  at: Reporter,
): Incomplete<FromSchema<S>> | undefined {
  if (value === undefined || value === null) return at.refuse(`missing; expected ${expectedOf(schema)}`);
  const kind = schema.properties?.['kind'];
  const given = textAt(value as Json, ['kind']);
  // The keys of another kind are no mistakes: to report each of them would hide the one that was made.
  if (kind?.const !== undefined && given !== undefined && given !== kind.const) {
    refuseFound(kind, given, at.below('kind'), expectedOf(kind));
    return undefined;
  }
  return read(schema, value, at) as Incomplete<FromSchema<S>> | undefined;
}

/** The schema without what only this reader uses: JSON Schema for editors. In strict mode, validators want each required key to be known. */
export function publishedSchema(title: string, schema: Schema): JsonObject {
  const own = ['expected', 'whenEmpty', 'nullable'];
  const json = JSON.stringify(schema, (key, value) => {
    if (own.includes(key)) return undefined;
    if (!Array.isArray(value?.required) || value.properties !== undefined) return value;
    return { ...value, properties: Object.fromEntries(value.required.map((name: string) => [name, {}])) };
  });
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...(JSON.parse(json) as JsonObject) };
}

/** Words as a person lists them: `deny, warn or audit`. */
export function oneOf(words: readonly (string | number)[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
}

/** A value as a message shows it. */
export function found(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return `"${quoted(value)}"`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : quoted(value);
}

function expectedOf(schema: Schema): string {
  if (schema.expected !== undefined) return schema.expected;
  if (schema.const !== undefined) return `"${schema.const}"`;
  if (schema.enum) return oneOf(schema.enum);
  if (schema.anyOf) return schema.anyOf.map(expectedOf).join(', or ');
  return { string: 'a text', number: 'a number', boolean: 'true or false', array: 'a list', object: 'a map' }[
    schema.type ?? 'object'
  ];
}

function read(schema: Schema, value: unknown, at: Reporter, expected = expectedOf(schema)): unknown {
  if (schema.anyOf) {
    const alternative = schema.anyOf.find((one) => isOfType(one, value));
    return alternative ? read(alternative, value, at, expected) : refuseFound(schema, value, at, expected);
  }
  if (!isOfType(schema, value) || !isExpected(schema, value)) return refuseFound(schema, value, at, expected);
  const result = Array.isArray(value)
    ? readList(schema, value, at)
    : isObject(value)
      ? readMap(schema, value, at)
      : value;
  if (result !== undefined) schema.check?.(result as never, at);
  return result;
}

function refuseFound(schema: Schema, value: unknown, at: Reporter, expected: string): undefined {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const quotes = isScalar && schema.type === 'string' && (schema.accepts?.(String(value)) ?? true);
  const near = schema.enum && typeof value === 'string' ? didYouMean(value, schema.enum.map(String)) : '';
  const hint = schema.hint?.(value) || (quotes ? '; put it in quotes' : near);
  at.refuse(`expected ${expected}, found ${found(value)}${hint}`);
}

/** Whether this is the schema to read a value by, if it is one of several. */
function isOfType(schema: Schema, value: unknown): boolean {
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return !isObject(value) && !Array.isArray(value);
  if (schema.type === 'array') return Array.isArray(value);
  return schema.type === 'object' ? isObject(value) : typeof value === schema.type;
}

function isExpected(schema: Schema, value: unknown): boolean {
  if (schema.enum) return schema.enum.some((one) => one === value);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, accepts = () => true } = schema;
  if (typeof value === 'string') return value.length >= minLength && value.length <= maxLength && accepts(value);
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  return typeof value !== 'number' || (value >= minimum && value <= maximum);
}

function readList(schema: Schema, value: readonly unknown[], at: Reporter): readonly unknown[] | undefined {
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY, whenEmpty = '' } = schema;
  if (value.length > maxItems) return at.refuse(`has ${value.length} entries; at most ${maxItems} are read`);
  if (value.length < minItems) at.refuse(`an empty list${whenEmpty}`);
  return value.map((entry, index) => {
    const here = at.below(index);
    return entry === null ? here.refuse('missing; expected an entry of the list') : read(items, entry, here);
  });
}

function readMap(schema: Schema, value: JsonObject, at: Reporter): unknown {
  const { properties, additionalProperties, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  if (properties) return readMembers(schema, properties, value, at);
  if (!additionalProperties) return value;
  const keys = Object.keys(value);
  if (keys.length > maxProperties) return at.refuse(`has ${keys.length} keys; at most ${maxProperties} are read`);
  if (keys.length < minProperties) at.refuse(`an empty map${schema.whenEmpty ?? ''}`);
  const entries = keys.map((key) => {
    const isAbsent = value[key] === null && additionalProperties.nullable;
    return [key, isAbsent ? undefined : readBySchema(additionalProperties, value[key], at.below(key))] as const;
  });
  return new Map(entries);
}

function readMembers(schema: Schema, properties: NonNullable<Schema['properties']>, value: JsonObject, at: Reporter) {
  const known = Object.keys(properties);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  for (const key of unknown)
    at.below(key).refuseKey(`unknown key${didYouMean(key, known) || `; known here: ${known.join(', ')}`}`);
  const present = known.filter((key) => Object.hasOwn(value, key) && value[key] !== null);
  const { minProperties = 0, maxProperties = known.length } = schema;
  if (unknown.length === 0 && (present.length < minProperties || present.length > maxProperties)) {
    const count = maxProperties === 1 ? 'exactly one' : 'one or more';
    return at.refuse(`expected ${count} of ${known.join(', ')}, found ${present.length || 'none'}`);
  }
  const members = Object.entries(properties).flatMap(([key, member]) => {
    if (!present.includes(key) && !schema.required?.includes(key)) return [];
    const read = readBySchema(member, present.includes(key) ? value[key] : null, at.below(key));
    return read === undefined ? [] : [[key, read]];
  });
  return Object.fromEntries(members);
}

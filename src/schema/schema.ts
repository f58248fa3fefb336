/**
 * The schemas of the files that users write: configurations, suites, provider files. Validation, types, tables of the
 * documentation and the published JSON Schema come from the same data.
 */
import type { JsonObject } from '../base/json.ts';
import { type Format, formatPatterns } from './formats.ts';

/** A subset of JSON Schema (draft 7), with additions for messages. */
export interface Schema {
  readonly const?: string;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly type?: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';
  readonly minLength?: number;
  readonly maxLength?: number;
  /** How a text is checked. A published schema has a pattern instead. */
  readonly format?: Format;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The known keys of an object. Without this and `additionalProperties`, it is any JSON object. */
  readonly properties?: { readonly [key: string]: Schema };
  readonly required?: readonly string[];
  /** The schema of the values of a map with any keys; `false`: no other keys. */
  readonly additionalProperties?: false | Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly default?: unknown;
  readonly description?: string;
  /** What a message says was expected, such as `a rule id`. */
  readonly expected?: string;
  /** The end of the message on an empty list or map. */
  readonly whenEmpty?: string;
  /** Validated as any object, since another module reads it. The other keywords are for editors only. */
  readonly opaque?: true;
  /** Returns the end of the message on a wrong value; may be empty. */
  readonly hint?: (value: unknown) => string;
}

/** The type of the values that a schema describes. */
export type FromSchema<S> = S extends { opaque: true }
  ? JsonObject
  : S extends { const: infer Value }
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
              : S extends { type: 'null' }
                ? null
                : S extends { items: infer Item }
                  ? readonly FromSchema<Item>[]
                  : S extends { properties: infer Members; required: readonly (infer Required)[] }
                    ? { readonly [Key in keyof Members & Required]: FromSchema<Members[Key]> } & {
                        readonly [Key in Exclude<keyof Members, Required>]?: FromSchema<Members[Key]> | undefined;
                      }
                    : S extends { additionalProperties: infer Value }
                      ? { readonly [key: string]: FromSchema<Value> }
                      : JsonObject;

/** A value in which the parts that were refused are undefined. */
export type Incomplete<T> = T extends string | number | boolean | null | JsonObject
  ? T
  : T extends readonly (infer Item)[]
    ? readonly (Incomplete<Item> | undefined)[]
    : { readonly [Key in keyof T]?: Incomplete<T[Key]> | undefined };

/** Returns the schema of an object with these keys and no others. */
export function closed<
  const Members extends NonNullable<Schema['properties']>,
  const Key extends keyof Members = never,
>(properties: Members, required: readonly Key[] = []) {
  return { type: 'object', additionalProperties: false, required, properties } as const;
}

/** Returns a copy in which `change` was applied to each schema, the inner ones first. */
export function mapSchema(schema: object, change: (node: SchemaNode, original: object) => SchemaNode): SchemaNode {
  const below = (inner: unknown) => (isNode(inner) ? mapSchema(inner, change) : inner);
  const copy = Object.entries(schema).map(([keyword, value]) => {
    if (Array.isArray(value)) return [keyword, keyword === 'anyOf' ? value.map(below) : value];
    if (keyword !== 'properties') return [keyword, below(value)];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, below(member)]))];
  });
  return change(Object.fromEntries(copy), schema);
}

/** Any JSON Schema, as data. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Returns a schema as standard JSON Schema, for editors: without the additions for messages. */
export function publishedSchema(title: string, schema: object): JsonObject {
  const published = mapSchema(schema, ({ expected: _, whenEmpty: __, hint: ___, opaque: ____, format, ...rest }) => {
    const pattern = formatPatterns[format as Format];
    const node = pattern === undefined ? rest : { ...rest, pattern };
    if (!Array.isArray(node['required']) || node['properties'] !== undefined) return node;
    // In strict mode, validators want each required key to be known.
    return { ...node, properties: Object.fromEntries(node['required'].map((name: string) => [name, {}])) };
  });
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...(published as JsonObject) };
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Runs schemas that ajv compiled ahead (`npm run generate`), and locates each error. Nothing else reads ajv's errors.
 */
import type { Json, Path } from '../base/json.ts';

/** A schema as ajv compiled it. */
export interface CompiledSchema {
  (value: unknown): boolean;
  /** The errors of the last call. Only `schemaErrors` reads them, right after the call. */
  errors?: readonly AjvError[] | null;
}

interface AjvError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** One error, with its location. */
export interface SchemaError {
  /** The keyword of JSON Schema that the part does not meet. */
  readonly keyword: string;
  /** From the root of the value. For a missing or an unknown member, the path of that member. */
  readonly path: Path;
  /** The wrong part; undefined for a missing member. */
  readonly value: Json | undefined;
  /** The keyword's place in the schema: its keys, from the root. */
  readonly schemaPath: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** Validates a value and returns all errors. */
export function schemaErrors(validate: CompiledSchema, value: unknown): readonly SchemaError[] {
  return validate(value) ? [] : (validate.errors ?? []).map((error) => locate(error, value));
}

function locate({ keyword, instancePath, schemaPath, params }: AjvError, root: unknown): SchemaError {
  const path: (string | number)[] = [];
  let value = root as Json | undefined;
  const enter = (key: string) => {
    path.push(Array.isArray(value) ? Number(key) : key);
    value = ownMember(value, key);
  };
  keysOf(instancePath).forEach(enter);
  const member = params['missingProperty'] ?? params['additionalProperty'];
  if (member !== undefined) enter(String(member));
  return { keyword, path, value, schemaPath: keysOf(schemaPath), params };
}

/** Returns the keys of a JSON Pointer; `#` before it does not count. */
function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function ownMember(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, Json>>)[key];
}

/** Runs the JSON Schemas that rules carry, compiled ahead, and makes problems of the errors that ajv reports. */

import type { Dialect } from '../api/dialects.ts';
import { at, isUnquoted } from '../rules/json.ts';
import type { Json, JsonObject, Path, Problem, Rule, Subresource } from '../rules/rule.ts';
import { validators } from './validators.generated.ts';

/** What we read of an ajv error. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}
type Validator = ((value: unknown) => boolean) & { errors?: readonly SchemaError[] | null };

/** One of a rule's shapes with its compiled schema. */
export interface CompiledShape {
  readonly at: Path;
  readonly required: boolean;
  readonly validate: Validator;
  /** For a list: the paths within an entry that tell two entries apart. */
  readonly keys: readonly Path[] | undefined;
}

/** The shapes of a rule that apply to a dialect and a subresource, in the rule's order. */
export function shapesOf(rule: Rule, dialect: Dialect, subresource: Subresource): readonly CompiledShape[] {
  return (rule.shapes ?? []).flatMap((shape, index) => {
    if (shape.subresource !== subresource || shape.dialects?.includes(dialect.name) === false) return [];
    const keys = shape.each?.keys.map((key) => [key]);
    return [{ at: shape.at, required: shape.required ?? false, validate: validatorOf(rule, index), keys }];
  });
}

/** What the shapes find wrong with the object, in their order. */
export function shapeProblems(shapes: readonly CompiledShape[], object: JsonObject): readonly Problem[] {
  return shapes.flatMap((shape) => {
    const value = at(object, shape.at);
    if (value === undefined) return shape.required ? [{ path: shape.at, messageId: 'required' }] : [];
    if (shape.keys === undefined) return problemsOf(shape.validate, shape.at, value);
    if (Array.isArray(value)) return problemsInList(shape.validate, shape.at, shape.keys, value);
    return [{ path: shape.at, messageId: 'type', data: { expected: 'a list', found: kindOf(value), value } }];
  });
}

function problemsInList(validate: Validator, list: Path, keys: readonly Path[], entries: readonly Json[]): Problem[] {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const problems = problemsOf(validate, [...list, index], entry);
    if (problems.length > 0 || keys.length === 0) return problems;
    // Of an entry that is valid by itself: that an earlier one has its keys.
    const values = keys.map((key) => at(entry, key));
    const key = JSON.stringify(values);
    const isDuplicate = seen.has(key);
    seen.add(key);
    if (!isDuplicate) return [];
    return [{ path: [...list, index, ...(keys[0] ?? [])], messageId: 'duplicate', data: { value: values.join(', ') } }];
  });
}

function problemsOf(validate: Validator, path: Path, value: Json): Problem[] {
  return validate(value) ? [] : (validate.errors ?? []).map((error) => problemOf(error, path, value));
}

function problemOf({ keyword, instancePath, params }: SchemaError, base: Path, root: Json): Problem {
  // Names of our own schemas only: none holds a slash, and lists are validated entry by entry.
  const steps = instancePath.split('/').slice(1);
  if (keyword === 'required')
    return { path: [...base, ...steps, String(params['missingProperty'])], messageId: 'required' };
  const value = at(root, steps);
  const data = {
    value,
    found: kindOf(value ?? null),
    limit: params['limit'],
    expected: typeof params['type'] === 'string' ? withArticle(params['type']) : undefined,
    allowed: Array.isArray(params['allowedValues']) ? params['allowedValues'].filter(isText).join(', ') : undefined,
  };
  return { path: [...base, ...steps], messageId: messageOf(keyword, value, params['type']), data };
}

/** A text that lost its quotes has a message of its own, as its fix differs. A rule without one uses the keyword's. */
function messageOf(keyword: string, value: Json | undefined, expected: unknown): string {
  if (keyword === 'enum' && typeof value === 'boolean') return 'enum:boolean';
  if (keyword === 'type' && expected === 'string' && isUnquoted(value)) return 'type:unquoted';
  return keyword;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : withArticle(typeof value);
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function validatorOf(rule: Rule, index: number): Validator {
  const validator = (validators as Readonly<Record<string, Validator>>)[`${rule.id}#${index}`];
  if (!validator) throw new Error(`no compiled schema for ${rule.id}#${index}; run npm run generate`);
  return validator;
}

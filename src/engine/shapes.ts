/** The JSON Schemas that rules carry, run compiled ahead, and ajv's errors as problems of the rule. */

import type { Dialect } from '../api/dialects.ts';
import { at, isUnquoted } from '../rules/json.ts';
import {
  INTERRUPTIBLE,
  type Interruptible,
  type Json,
  type JsonObject,
  NOTHING,
  type Path,
  type Problem,
  type Rule,
  type Subresource,
  type Yielded,
} from '../rules/rule.ts';
import { validators } from './validators.generated.ts';

/** What we read of an ajv error. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}
type Validator = ((value: unknown) => boolean) & { errors?: readonly SchemaError[] | null };

/** One of a rule's shapes, compiled; a plan settles once which of them hold for a dialect and a subresource. */
export interface SettledShape {
  readonly at: Path;
  readonly required: boolean;
  readonly validate: Validator;
  /** Of a list whose entries the schema is for: where in an entry its keys stand. */
  readonly keys: readonly Path[] | undefined;
}

/** Entries of a list between two places where judging it may be interrupted. */
const ENTRIES_A_STEP = 256;
/** Entries of a list that are compared each with each: of so few that is quicker than to write down their keys. */
const FEW = 16;

/** The shapes of a rule that hold for a dialect and a subresource, in the rule's order. */
export function shapesOf(rule: Rule, dialect: Dialect, subresource: Subresource): readonly SettledShape[] {
  return (rule.shapes ?? []).flatMap((shape, index) => {
    if (shape.subresource !== subresource || shape.dialects?.includes(dialect.name) === false) return [];
    const keys = shape.each?.keys.map((key) => [key]);
    return [{ at: shape.at, required: shape.required ?? false, validate: validatorOf(rule, index), keys }];
  });
}

/** What shapes find wrong with the object, in their order. */
export function shapeProblems(shapes: readonly SettledShape[], object: JsonObject): Iterable<Yielded | Interruptible> {
  for (let index = 0; index < shapes.length; index++) {
    if (!isSound(shapes[index] as SettledShape, object)) return problemsIn(shapes, object);
  }
  return NOTHING;
}

/** Whether a shape finds nothing wrong; of what is large it is not said at once. */
function isSound({ at: place, required, validate, keys }: SettledShape, object: JsonObject): boolean {
  const value = at(object, place);
  if (value === undefined) return !required;
  if (keys === undefined) return validate(value);
  if (!Array.isArray(value) || value.length > FEW) return false;
  for (let index = 0; index < value.length; index++) {
    if (!validate(value[index]) || repeats(value, index, keys)) return false;
  }
  return true;
}

/** Whether an entry has the keys of one before it. */
function repeats(list: readonly Json[], index: number, keys: readonly Path[]): boolean {
  for (let before = 0; before < index; before++) if (agree(list[before], list[index], keys)) return true;
  return false;
}

/** Keys are scalars, as Kubernetes wants them of the keys of a list. */
function agree(one: Json | undefined, other: Json | undefined, keys: readonly Path[]): boolean {
  for (const key of keys) if (at(one, key) !== at(other, key)) return false;
  return keys.length > 0;
}

function* problemsIn(shapes: readonly SettledShape[], object: JsonObject): Iterable<Problem | Interruptible> {
  for (const shape of shapes) {
    const value = at(object, shape.at);
    if (value !== undefined) yield* judged(shape, value);
    else if (shape.required) yield { path: shape.at, messageId: 'required' };
  }
}

function judged({ validate, at: place, keys }: SettledShape, value: Json): Iterable<Problem | Interruptible> {
  if (keys === undefined) return problemsOf(validate, place, value);
  if (Array.isArray(value)) return eachProblem(validate, place, keys, value);
  return [{ path: place, messageId: 'type', data: { expected: 'a list', found: kindOf(value), value } }];
}

function* eachProblem(
  validate: Validator,
  place: Path,
  keys: readonly Path[],
  list: readonly Json[],
): Iterable<Problem | Interruptible> {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (index % ENTRIES_A_STEP === ENTRIES_A_STEP - 1) yield INTERRUPTIBLE;
    const path = [...place, index];
    const problems = problemsOf(validate, path, item);
    yield* problems.length > 0 ? problems : duplicate(keys, path, item, seen);
  }
}

/** Of an entry that is sound by itself: that another has its keys. */
function duplicate(keys: readonly Path[], path: Path, item: Json, seen: Set<string>): Problem[] {
  if (keys.length === 0) return [];
  const values = keys.map((key) => at(item, key));
  const key = JSON.stringify(values);
  if (seen.has(key))
    return [
      { path: [...path, ...keys.slice(0, 1).flat()], messageId: 'duplicate', data: { value: values.join(', ') } },
    ];
  seen.add(key);
  return [];
}

function problemsOf(validate: Validator, path: Path, value: Json): Problem[] {
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  if (errors.length === 1) return errors.map((error) => problemOf(error, path, value));
  const byPath = new Map<string, Problem>();
  // One cause, one finding: what is of the wrong type is also none of an enum, which says more; ajv reports the type first.
  for (const error of errors) {
    const problem = problemOf(error, path, value);
    const place = JSON.stringify(problem.path);
    if (!byPath.has(place) || error.keyword === 'enum') byPath.set(place, problem);
  }
  return [...byPath.values()];
}

function problemOf({ keyword, instancePath, params }: SchemaError, base: Path, root: Json): Problem {
  // Of names in our own schemas alone: none holds a slash, and lists are judged entry by entry.
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

/** A text that lost its quotes is told apart, as its remedy is another. A rule without such a message has the keyword's. */
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

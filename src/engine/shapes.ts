/** The JSON Schemas that rules carry, run compiled ahead, and ajv's errors as problems of the rule. */
import { at, isUnquoted } from '../rules/json.ts';
import {
  type Context,
  INTERRUPTIBLE,
  type Interruptible,
  type Json,
  type Path,
  type Problem,
  type Rule,
  type Shape,
} from '../rules/rule.ts';
import { validators } from './validators.generated.ts';

/** What we read of an ajv error. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}
type Validator = ((value: unknown) => boolean) & { errors?: readonly SchemaError[] | null };

/** Entries of a list between two places where judging it may be interrupted. */
const ENTRIES_A_STEP = 256;

/** What the shapes of a rule find wrong with the object, in the shapes' order. */
export function* shapeProblems(rule: Rule, context: Context): Iterable<Problem | Interruptible> {
  for (const [index, shape] of (rule.shapes ?? []).entries()) {
    if (shape.subresource !== context.subresource) continue;
    if (shape.dialects && !shape.dialects.includes(context.dialect.name)) continue;
    const value = at(context.object, shape.at);
    if (value !== undefined) yield* judged(validatorOf(rule, index), shape, value);
    else if (shape.required) yield { path: shape.at, messageId: 'required' };
  }
}

function judged(validate: Validator, shape: Shape, value: Json): Iterable<Problem | Interruptible> {
  if (!shape.each) return problemsOf(validate, shape.at, value);
  if (Array.isArray(value)) return eachProblem(validate, shape.at, shape.each.keys, value);
  return [{ path: shape.at, messageId: 'type', data: { expected: 'a list', found: kindOf(value), value } }];
}

function* eachProblem(
  validate: Validator,
  place: Path,
  keys: readonly string[],
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
function duplicate(keys: readonly string[], path: Path, item: Json, seen: Set<string>): Problem[] {
  if (keys.length === 0) return [];
  const values = keys.map((key) => at(item, [key]));
  const key = JSON.stringify(values);
  if (seen.has(key))
    return [{ path: [...path, ...keys.slice(0, 1)], messageId: 'duplicate', data: { value: values.join(', ') } }];
  seen.add(key);
  return [];
}

function problemsOf(validate: Validator, path: Path, value: Json): Problem[] {
  if (validate(value)) return [];
  const byPath = new Map<string, Problem>();
  // One cause, one finding: what is of the wrong type is also none of an enum, which says more; ajv reports the type first.
  for (const error of validate.errors ?? []) {
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

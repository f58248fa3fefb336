/** The JSON Schemas that rules carry, compiled ahead; makes problems of the errors that ajv reports. */

import type { Dialect } from '../api/dialects.ts';
import { at, isUnquoted, type Json, type Path } from '../base/json.ts';
import type { Problem, Rule, Subresource } from '../rules/rule.ts';
import { type ShapeError, type ValidateFunction, validators } from './validators.generated.ts';

/** One of a rule's shapes with its compiled schema. */
export interface CompiledShape {
  readonly at: Path;
  readonly required: boolean;
  readonly validate: ValidateFunction;
  /** For a list: the paths of the keys within an entry. */
  readonly keys: readonly Path[] | undefined;
}

/** The shapes of a rule that apply to a dialect and a subresource, in the rule's order. */
export function compiledShapes(rule: Rule, dialect: Dialect, subresource: Subresource): readonly CompiledShape[] {
  return (rule.shapes ?? []).flatMap((shape, index) => {
    if (shape.subresource !== subresource || shape.dialects?.includes(dialect.name) === false) return [];
    const keys = shape.each?.keys.map((key) => [key]);
    return [{ at: shape.at, required: shape.required ?? false, validate: validatorOf(rule, index), keys }];
  });
}

/** What a schema found wrong with the value at a path, when it validated it last. */
export function schemaProblems({ errors }: ValidateFunction, path: Path, value: Json): Problem[] {
  return (errors ?? []).map((error) => problemOf(error, path, value));
}

/** The problem of a value that should be a list. */
export function noList(path: Path, value: Json): Problem {
  return { path, messageId: 'type', data: { expected: 'a list', found: kindOf(value), value } };
}

/** The problem of an entry whose keys have the values of an earlier entry. */
export function duplicate(path: Path, values: readonly (Json | undefined)[]): Problem {
  return { path, messageId: 'duplicate', data: { value: values.join(', ') } };
}

function problemOf({ keyword, instancePath, params }: ShapeError, base: Path, root: Json): Problem {
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

function validatorOf(rule: Rule, index: number): ValidateFunction {
  const validator = validators[`${rule.id}#${index}`];
  if (!validator) throw new Error(`no compiled schema for ${rule.id}#${index}; run npm run generate`);
  return validator;
}

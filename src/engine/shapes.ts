/** Turns the errors of the schemas of rules into problems. */

import { isUnquoted, type Json, type Path } from '../base/json.ts';
import { typeInWords, withArticle } from '../base/text.ts';
import type { Problem } from '../rules/rule.ts';
import { type CompiledSchema, type SchemaError, schemaErrors } from '../schema/validate.ts';

/** Returns the problems of an invalid value at a path. The value is validated again, to get all errors. */
export function schemaProblems(validate: CompiledSchema, path: Path, value: Json): readonly Problem[] {
  return schemaErrors(validate, value).map((error) => problemOf(error, path));
}

/** Returns the problem of a value that should be a list. */
export function notAList(path: Path, value: Json): Problem {
  return { path, messageId: 'type', data: { expected: 'a list', found: typeInWords(value), value } };
}

/** Returns the problem of an entry whose keys have the values of an earlier entry. */
export function duplicateEntry(path: Path, values: readonly (Json | undefined)[]): Problem {
  return { path, messageId: 'duplicate', data: { value: values.join(', ') } };
}

function problemOf({ keyword, path: below, value, params }: SchemaError, base: Path): Problem {
  const path = [...base, ...below];
  // A member that is null counts as absent; a list entry that is null does not.
  const isAbsent = value === null && typeof path.at(-1) === 'string';
  if (keyword === 'required' || isAbsent) return { path, messageId: 'required' };
  const data = {
    value: value ?? undefined,
    found: typeInWords(value ?? null),
    limit: params['limit'],
    expected: typeof params['type'] === 'string' ? withArticle(params['type']) : undefined,
    allowed: Array.isArray(params['allowedValues']) ? params['allowedValues'].filter(isText).join(', ') : undefined,
  };
  return { path, messageId: messageOf(keyword, value, params['type']), data };
}

/**
 * Returns the id of the message: the keyword, with a suffix where the fix differs. Rules need no message with suffix.
 */
function messageOf(keyword: string, value: Json | undefined, expected: unknown): string {
  if (keyword === 'enum' && typeof value === 'boolean') return 'enum:boolean';
  if (keyword === 'type' && expected === 'string' && isUnquoted(value)) return 'type:unquoted';
  if (keyword === 'pattern' && value === '') return 'pattern:empty';
  return keyword;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

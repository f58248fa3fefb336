/**
 * Compares a stored object with what a server-side apply of the expected one would make of it. The API server merges and fills in
 * defaults; the apply is a dry run. What other field managers own stays as it is, and so is no difference.
 */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { isObject, same, textAt } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';
import type { Detail } from './report.ts';

export interface Difference extends Detail {
  readonly path: string;
}

/** The result of a dry run, or the expected object itself where the API server gave none. */
export interface Applied {
  readonly object: JsonObject;
  /** False: members that are not expected count as the API server's defaults, or as somebody else's. */
  readonly isComplete: boolean;
}

/** Applies in a dry run, which takes the right to patch. Without it, or if the API server refuses, the expected object is the result. */
export async function dryRunApply(client: ApiClient, path: string, expected: JsonObject): Promise<Applied> {
  try {
    const { body } = await client.call({
      method: 'PATCH',
      path: `${path}?dryRun=All&fieldManager=muster-doctor&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: expected,
    });
    return { object: body, isComplete: true };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { object: expected, isComplete: false };
  }
}

/** Returns what the apply would change below a path, the first difference of each branch. */
export function differences(
  path: string,
  applied: Json | undefined,
  stored: Json | undefined,
  isComplete: boolean,
): readonly Difference[] {
  if (isObject(applied) && isObject(stored)) {
    const keys = isComplete ? new Set([...Object.keys(applied), ...Object.keys(stored)]) : Object.keys(applied);
    return [...keys].flatMap((key) =>
      // A selector is replaced as a whole.
      differences(path ? `${path}.${key}` : key, applied[key], stored[key], isComplete || key.endsWith('Selector')),
    );
  }
  if (Array.isArray(applied) && Array.isArray(stored)) {
    if (isNamed(applied) && isNamed(stored)) {
      return applied.flatMap((item) => {
        const name = textAt(item, ['name']);
        const other = stored.find((each) => textAt(each, ['name']) === name);
        return differences(`${path}[${name}]`, item, other, isComplete);
      });
    }
    if (applied.length === stored.length) {
      return applied.flatMap((item, index) => differences(`${path}[${index}]`, item, stored[index], isComplete));
    }
  }
  if ((isEmpty(applied) && isEmpty(stored)) || same(applied, stored)) return [];
  return [difference(path, applied, stored)];
}

/** Describes one difference. */
export function difference(path: string, expected: Json | undefined, found: Json | undefined): Difference {
  const message = `${path}: expected ${shown(expected)}, found ${shown(found)}`;
  return { path, message, ...(expected === undefined ? {} : { expected }), ...(found === undefined ? {} : { found }) };
}

function isNamed(list: readonly Json[]): boolean {
  return list.every((item) => textAt(item, ['name']) !== undefined);
}

/** The API server stores a member that is false or empty as an absent one. */
function isEmpty(value: Json | undefined): boolean {
  return (
    value === undefined || value === null || value === false || (isObject(value) && Object.keys(value).length === 0)
  );
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

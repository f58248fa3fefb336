/**
 * Compares a stored object with what a server-side apply of the expected one would make of it. The API server merges and fills in
 * defaults; the apply is a dry run. What other field managers own stays as it is, and so is no difference.
 */
import { isObject, type Json, same, textAt } from '../../base/json.ts';
import type { Detail } from './report.ts';

export interface Difference extends Detail {
  readonly path: string;
}

/** Returns what the apply would change below a path, the first difference of each branch. */
export function differences(path: string, applied: Json | undefined, stored: Json | undefined): readonly Difference[] {
  if (isObject(applied) && isObject(stored)) {
    const keys = new Set([...Object.keys(applied), ...Object.keys(stored)]);
    return [...keys].flatMap((key) => differences(path ? `${path}.${key}` : key, applied[key], stored[key]));
  }
  if (Array.isArray(applied) && Array.isArray(stored)) {
    if ([...applied, ...stored].every((item) => textAt(item, ['name']) !== undefined)) {
      return applied.flatMap((item) => {
        const name = textAt(item, ['name']);
        const other = stored.find((each) => textAt(each, ['name']) === name);
        return differences(`${path}[${name}]`, item, other);
      });
    }
    if (applied.length === stored.length)
      return applied.flatMap((item, index) => differences(`${path}[${index}]`, item, stored[index]));
  }
  return same(applied, stored) ? [] : [difference(path, applied, stored)];
}

/** Describes one difference. */
export function difference(path: string, expected: Json | undefined, found: Json | undefined): Difference {
  const message = `${path}: expected ${shown(expected)}, found ${shown(found)}`;
  return { path, message, ...(expected === undefined ? {} : { expected }), ...(found === undefined ? {} : { found }) };
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

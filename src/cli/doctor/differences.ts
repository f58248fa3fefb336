/**
 * Compares a stored object with what a server-side apply of the expected one would make of it. The API server merges
 * and fills in defaults; the apply is a dry run. What other field managers own stays as it is, and so is no difference.
 */
import { isObject, type Json, same, textAt } from '../../base/json.ts';
import type { Detail } from './report.ts';

export interface Difference extends Detail {
  readonly path: string;
}

/** Returns what an apply would change below a path, the first difference of each branch. */
export function differences(path: string, applied: Json | undefined, stored: Json | undefined): readonly Difference[] {
  return compare(path, applied, stored, true);
}

/** Returns where a stored value lacks what an expected one says. Other fields of the stored one are no differences. */
export function lacks(path: string, expected: Json | undefined, stored: Json | undefined): readonly Difference[] {
  return compare(path, expected, stored, false);
}

function compare(path: string, wanted: Json | undefined, stored: Json | undefined, isWhole: boolean): Difference[] {
  if (isObject(wanted) && isObject(stored)) {
    const keys = new Set([...Object.keys(wanted), ...(isWhole ? Object.keys(stored) : [])]);
    return [...keys].flatMap((key) => compare(path ? `${path}.${key}` : key, wanted[key], stored[key], isWhole));
  }
  if (Array.isArray(wanted) && Array.isArray(stored)) {
    if ([...wanted, ...stored].every((item) => textAt(item, ['name']) !== undefined)) {
      return wanted.flatMap((item) => {
        const name = textAt(item, ['name']);
        const other = stored.find((each) => textAt(each, ['name']) === name);
        return compare(`${path}[${name}]`, item, other, isWhole);
      });
    }
    if (wanted.length === stored.length) {
      return wanted.flatMap((item, index) => compare(`${path}[${index}]`, item, stored[index], isWhole));
    }
  }
  return same(wanted ?? undefined, stored ?? undefined) ? [] : [difference(path, wanted, stored)];
}

/** Describes one difference. The value of an environment variable may be secret. */
export function difference(path: string, expected: Json | undefined, found: Json | undefined): Difference {
  if (/\.env\[/.test(path)) return { path, message: `${path}: differs` };
  const message = `${path}: expected ${shown(expected)}, found ${shown(found)}`;
  return { path, message, ...(expected === undefined ? {} : { expected }), ...(found === undefined ? {} : { found }) };
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

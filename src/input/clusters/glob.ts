/**
 * Globs that name the folders of clusters: a folder, or `*` and `?` within a name, one `**` for any number of folders.
 */
import { join } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';
import { isClusterGlob } from '../../schema/formats.ts';

export interface Glob {
  /** Where the user wrote it, for messages: `--clusters 'clusters/*'`. */
  readonly source: string;
  /** The folder before the first wildcard; without one, the folder around the one that is named. */
  readonly base: string;
  /** The names below the base, from the first wildcard on; without one, the last name. */
  readonly names: readonly string[];
}

/**
 * Parses a glob.
 * @param folder the folder that a relative glob begins in
 * @throws UsageError if it can't name clusters
 */
export function parseGlob(text: string, source: string, folder = '.'): Glob {
  if (!isClusterGlob(text)) throw new UsageError(`${source}: ${EXPECTED}`);
  const names = text.split('/').filter((name, index) => (name !== '' && name !== '.') || index === 0);
  const wild = names.findIndex(hasWildcard);
  const first = wild < 0 ? names.length - 1 : wild;
  const literal = names.slice(0, first).join('/');
  const base = text.startsWith('/') ? literal || '/' : join(folder, literal);
  return { source, base, names: names.slice(first) };
}

const EXPECTED = "needs a folder, or a glob of folders (*, ? or one **), as in 'clusters/*', in quotes";

/** Returns whether a glob names one folder. */
export function isLiteral({ names }: Glob): boolean {
  return !names.some(hasWildcard);
}

/**
 * Returns the part of a folder's path below the base that the wildcards match; undefined if the glob does not match.
 */
export function matchedPart({ names }: Glob, path: readonly string[]): string | undefined {
  if (!names.some(hasWildcard)) return names.join('/') === path.join('/') ? names.at(-1) : undefined;
  const any = names.indexOf('**');
  const extra = path.length - names.length + 1;
  if (any < 0 ? extra !== 1 : extra < 0) return undefined;
  // `**` stands for so many names as the others leave.
  const expected = any < 0 ? names : names.toSpliced(any, 1, ...Array<string>(extra).fill('*'));
  const parts = expected.map((name, index) => partOf(name, path[index] ?? ''));
  if (parts.includes(undefined)) return undefined;
  return parts.filter((part) => part !== '').join('/') || undefined;
}

function hasWildcard(name: string): boolean {
  return /[*?]/.test(name);
}

/**
 * Returns the cluster's name part: `k8s-*-prod` on `k8s-east-prod` is `east`; the whole name if the wildcards match
 * nothing; `''` without a wildcard.
 */
function partOf(pattern: string, name: string): string | undefined {
  if (!hasWildcard(pattern)) return pattern === name ? '' : undefined;
  const [before = ''] = /^[^*?]*/.exec(pattern) ?? [];
  const [after = ''] = /[^*?]*$/.exec(pattern) ?? [];
  // As in a shell, a wildcard does not match a dot at the beginning.
  if ((before === '' && name.startsWith('.')) || !matches(pattern, name)) return undefined;
  return name.slice(before.length, name.length - after.length) || name;
}

/**
 * Matches without backtracking further than the last `*`, so that no pattern takes long. (`path.matchesGlob` does not
 * fit: it treats brackets and braces as special, which are ordinary characters here.)
 */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  for (let index = 0; index < name.length; ) {
    if (pattern[at] === '*') {
      star = at++;
      from = index;
    } else if (pattern[at] === '?' || pattern[at] === name[index]) {
      at++;
      index++;
    } else if (star >= 0) {
      // The last `*` takes one character more.
      at = star + 1;
      index = ++from;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

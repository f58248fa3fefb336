/** Compares the result of a case with what was expected. */
import { createContext, Script } from 'node:vm';
import type { Path } from '../../base/json.ts';
import { shorten } from '../../base/text.ts';
import type { Position } from '../../documents/index.ts';
import { type Result, together, type WriteResult } from './evaluate-case.ts';
import type { Case } from './read-suite.ts';
import type { Expectation, ExpectedRules, WriteExpectation } from './suite-schema.ts';

/** An expectation that is not met, and its position. */
export interface TestDifference extends Position {
  readonly what: keyof Expectation;
  readonly expected: string;
  readonly got: string;
}

type FoundDifference = Omit<TestDifference, keyof Position> & { readonly path: Path };

/** Returns all differences, in the order of the keys. None: the test passed. */
export function differencesOf(
  { expect, positionOf }: Pick<Case, 'expect' | 'positionOf'>,
  writes: readonly WriteResult[],
): readonly TestDifference[] {
  const found = 'verdict' in expect ? differencesIn(expect, together(writes), []) : ofWrites(expect, writes);
  return found.map(({ path, ...one }) => {
    const { line, column } = positionOf(...path);
    return { ...one, line, column };
  });
}

/** Compares a list of expectations: each write must be expected, and each expectation must match a write. */
function ofWrites(expected: readonly WriteExpectation[], writes: readonly WriteResult[]): readonly FoundDifference[] {
  const isMeant = (one: WriteExpectation) => (write: WriteResult) =>
    (['object', 'operation', 'subresource', 'cluster'] as const).every(
      (key) => one[key] === undefined || one[key] === write[key],
    );
  const found = expected.flatMap((one, index) => {
    const own = writes.filter(isMeant(one));
    if (own.length > 0) return differencesIn(one, together(own), [index]);
    const expectedWrite = `${one.verdict} for ${nameOf(one)}`;
    return { what: 'verdict' as const, expected: expectedWrite, got: 'no such write', path: [index] };
  });
  const other = writes.find((write) => !expected.some((one) => isMeant(one)(write)));
  if (other === undefined) return found;
  const got = `${nameOf(other)}, ${other.verdict}`;
  return [...found, { what: 'verdict', expected: 'no other write', got, path: [] }];
}

/** Returns the name of a write, with all that is known of it: `UPDATE of ClusterClaim id.k8s.io in east`. */
function nameOf({ object, operation, subresource, cluster }: WriteExpectation | WriteResult): string {
  const before = operation === undefined ? '' : `${operation} of `;
  const status = subresource === 'status' ? ' (status)' : '';
  return `${before}${object}${status}${cluster === undefined ? '' : ` in ${cluster}`}`;
}

function differencesIn(expect: Expectation, got: Result, path: Path): readonly FoundDifference[] {
  const found: FoundDifference[] = [];
  const differ = (what: keyof Expectation, expected: string, is: string) =>
    found.push({ what, expected, got: is, path: [...path, what] });
  if (expect.verdict !== got.verdict) differ('verdict', expect.verdict, got.verdict);
  for (const what of ['rules', 'warnings', 'audits'] as const) {
    const expected = expect[what];
    if (expected && !isMet(expected, got[what])) differ(what, textOf(expected), listed(got[what]));
  }
  if (expect.code !== undefined && expect.code !== got.code)
    differ('code', String(expect.code), String(got.code ?? 'none'));
  const mismatch = expect.message === undefined ? undefined : mismatchOf(expect.message, got.message);
  if (mismatch !== undefined) differ('message', `/${expect.message}/`, mismatch);
  return found;
}

/** Milliseconds; a reasonable pattern takes less than one. */
const TIME_LIMIT = 1000;
const SEARCH = new Script('new RegExp(pattern, "mu").test(text)');
const SANDBOX = createContext({ pattern: '', text: '' });

/**
 * Returns the text for a pattern that does not match; undefined if it matches. A pattern from a stranger may never end,
 * so the search has a time limit.
 */
function mismatchOf(pattern: string, text: string): string | undefined {
  try {
    Object.assign(SANDBOX, { pattern, text });
    if (SEARCH.runInContext(SANDBOX, { timeout: TIME_LIMIT }) === true) return undefined;
    if (text.includes(pattern)) return 'this text itself, which the pattern does not match: write \\( for (, \\[ for [';
    return text === '' ? 'no message' : JSON.stringify(shorten(text, 120));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return `no answer within ${TIME_LIMIT} ms: the pattern backtracks without end, make it simpler`;
  }
}

/** A list is exact; `include` and `exclude` name only some. */
function isMet(expected: ExpectedRules, got: readonly string[]): boolean {
  if (isList(expected)) return got.length === expected.length && expected.every((id) => got.includes(id));
  const { include = [], exclude = [] } = expected;
  return include.every((id) => got.includes(id)) && !exclude.some((id) => got.includes(id));
}

function textOf(expected: ExpectedRules): string {
  if (isList(expected)) return listed(expected);
  const { include = [], exclude = [] } = expected;
  return [...include, ...exclude.map((id) => `not ${id}`)].join(', ');
}

function isList(expected: ExpectedRules): expected is readonly string[] {
  return Array.isArray(expected);
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.join(', ');
}

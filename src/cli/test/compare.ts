/** What was decided, held against what was expected. */
import { createContext, Script } from 'node:vm';
import type { Position } from '../../documents/index.ts';
import { shorten } from '../../engine/text.ts';
import type { Decided } from './decide.ts';
import type { Case, ExpectationKey, ExpectedRules } from './suite.ts';

/** One expectation that did not hold, in words, and where it stands. */
export interface Difference extends Position {
  readonly what: ExpectationKey;
  readonly expected: string;
  readonly got: string;
}

/** All that differs, in the order of the keys. None: the test passed. */
export function differencesOf(
  { expect, placeOf }: Pick<Case, 'expect' | 'placeOf'>,
  got: Decided,
): readonly Difference[] {
  const found: Omit<Difference, keyof Position>[] = [];
  const differ = (what: ExpectationKey, expected: string, is: string) => found.push({ what, expected, got: is });
  if (expect.verdict !== got.verdict) differ('verdict', expect.verdict, got.verdict);
  for (const what of ['rules', 'warnings', 'audits'] as const) {
    const expected = expect[what];
    if (expected && !holds(expected, got[what])) differ(what, inWords(expected), listed(got[what]));
  }
  if (expect.code !== undefined && expect.code !== got.code) {
    differ('code', String(expect.code), got.code === undefined ? 'none' : String(got.code));
  }
  if (expect.message !== undefined) {
    const answer = matches(expect.message, got.message);
    if (answer !== true) differ('message', `/${expect.message}/`, answer === 'overdue' ? OVERDUE : quoted(got.message));
  }
  return found.map((one) => ({ ...one, ...positionOf(placeOf(one.what)) }));
}

/** Milliseconds. Any pattern somebody meant takes less than one. */
const PATIENCE = 1000;
const OVERDUE = `no answer within ${PATIENCE} ms: the pattern backtracks without end, make it simpler`;

const SEARCH = new Script('new RegExp(pattern, "mu").test(text)');
const APART = createContext({ pattern: '', text: '' });

/** A pattern may come with a pull request from a stranger: one that would never end is stopped. */
function matches(pattern: string, text: string): boolean | 'overdue' {
  try {
    Object.assign(APART, { pattern, text });
    return SEARCH.runInContext(APART, { timeout: PATIENCE }) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'overdue';
    throw error;
  }
}

function holds(expected: ExpectedRules, got: readonly string[]): boolean {
  if (!('exactly' in expected)) {
    return expected.include.every((id) => got.includes(id)) && !expected.exclude.some((id) => got.includes(id));
  }
  return got.every((id) => expected.exactly.includes(id)) && expected.exactly.every((id) => got.includes(id));
}

function inWords(expected: ExpectedRules): string {
  if ('exactly' in expected) return listed(expected.exactly);
  const { include, exclude } = expected;
  const parts = [include.length > 0 ? listed(include) : '', exclude.length > 0 ? `not ${listed(exclude)}` : ''];
  return parts.filter(Boolean).join(', ');
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.join(', ');
}

function quoted(message: string): string {
  return message === '' ? 'no message' : JSON.stringify(shorten(message, 120));
}

function positionOf({ line, column }: Position): Position {
  return { line, column };
}

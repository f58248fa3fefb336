import { describe, expect, test } from '@jest/globals';
import { type CheckFlags, checkOptions } from '../../src/cli/check/options.ts';
import { type CheckReport, exitCodeOf, FAIL_ON, reportOf } from '../../src/cli/output/report.ts';
import { paintFor } from '../../src/cli/output/terminal.ts';

function identityOf(flags: Partial<CheckFlags>) {
  return checkOptions(['a.yaml'], { failOn: 'denied', ...flags }).identity;
}

describe('--as', () => {
  test('without it the user is unknown', () => expect(identityOf({})).toBeUndefined());

  test('a named user is authenticated', () => {
    expect(identityOf({ as: 'jane', asGroup: ['b', 'a', 'b'] })).toEqual({
      username: 'jane',
      groups: ['b', 'a', 'system:authenticated'],
    });
    expect(identityOf({ as: 'system:anonymous' })?.groups).toEqual([]);
  });

  test('a service account has its groups', () => {
    expect(identityOf({ as: 'system:serviceaccount:fleet:manager' })?.groups).toEqual([
      'system:authenticated',
      'system:serviceaccounts',
      'system:serviceaccounts:fleet',
    ]);
  });
});

describe('exit codes', () => {
  const summary = { judged: 1, allowed: 1, denied: 0, indeterminate: 0, warnings: 0, skipped: 0, errors: 0 };
  const codes = (more: Partial<CheckReport['summary']>) => {
    const report = { ...reportOf({ results: [], errors: [], skipped: 0 }), summary: { ...summary, ...more } };
    return FAIL_ON.map((failOn) => exitCodeOf(report, failOn));
  };

  test.each([
    { more: {}, expected: [0, 0, 0] },
    { more: { skipped: 3 }, expected: [0, 0, 0] },
    { more: { denied: 1 }, expected: [1, 1, 1] },
    { more: { indeterminate: 1 }, expected: [0, 1, 1] },
    { more: { warnings: 1 }, expected: [0, 0, 1] },
    { more: { denied: 1, warnings: 1, errors: 1 }, expected: [2, 2, 2] },
  ])('$more', ({ more, expected }) => expect(codes(more)).toEqual(expected));
});

test('color is used only on a terminal, not with NO_COLOR or TERM=dumb', () => {
  const painted = (isTTY: boolean | undefined, environment: Record<string, string>) =>
    paintFor({ isTTY }, environment)('deny', 'red') !== 'deny';
  expect(painted(true, {})).toBe(true);
  expect(painted(true, { NO_COLOR: '' })).toBe(true);
  expect(painted(true, { NO_COLOR: '1' })).toBe(false);
  expect(painted(true, { TERM: 'dumb' })).toBe(false);
  expect(painted(false, {})).toBe(false);
  expect(painted(undefined, { FORCE_COLOR: '1' })).toBe(false);
});

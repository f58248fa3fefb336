import { describe, expect, test } from '@jest/globals';
import { type CheckFlags, checkOptions } from '../../src/cli/check/options.ts';
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

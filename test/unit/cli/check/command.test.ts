import { describe, expect, test } from '@jest/globals';
import { type CheckFlags, checkOptions } from '../../../../src/cli/check/command.ts';
import { type ColorChoice, paintFor } from '../../../../src/report/terminal.ts';

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

test.each<[string, Partial<CheckFlags>]>([
  ['a checked file', { output: ['json=./a.yaml'] }],
  ['a previous state', { state: ['old.yaml'], output: ['text', 'sarif=old.yaml'] }],
  ['the configuration', { config: 'm.yaml', output: ['junit=m.yaml'] }],
  ['the baseline', { baseline: 'known.json', output: ['json=known.json'] }],
])('a report may not replace what is read: %s', (_, flags) => {
  expect(() => checkOptions(['a.yaml'], { failOn: 'denied', ...flags })).toThrow(/^the report would replace /);
});

test('nor that of a cluster', () => {
  const flags: CheckFlags = { failOn: 'denied', cluster: ['east=b.yaml'], output: ['json=./b.yaml'] };
  expect(() => checkOptions([], flags)).toThrow(/^the report would replace east=b\.yaml, /);
});

describe('color', () => {
  test.each<[boolean, ColorChoice, boolean | undefined, Record<string, string>]>([
    [true, 'auto', true, {}],
    [false, 'auto', false, {}],
    [false, 'auto', undefined, {}],
    [false, 'auto', true, { TERM: 'dumb' }],
    [true, 'auto', true, { NO_COLOR: '', FORCE_COLOR: '' }],
    [false, 'auto', true, { NO_COLOR: '1' }],
    [true, 'auto', undefined, { FORCE_COLOR: '1' }],
    [true, 'auto', false, { FORCE_COLOR: 'true', TERM: 'dumb' }],
    [false, 'auto', true, { FORCE_COLOR: '0' }],
    [false, 'auto', true, { FORCE_COLOR: 'false' }],
    [false, 'auto', true, { FORCE_COLOR: '1', NO_COLOR: '1' }],
    [true, 'always', false, { NO_COLOR: '1', FORCE_COLOR: '0', TERM: 'dumb' }],
    [false, 'never', true, { FORCE_COLOR: '1' }],
  ])('%s with --color %s on a terminal (%s) with %j', (expected, choice, isTTY, environment) => {
    expect(paintFor({ isTTY }, environment, choice)('deny', 'red') !== 'deny').toBe(expected);
  });
});

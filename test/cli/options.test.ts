import { describe, expect, test } from '@jest/globals';
import { type CheckFlags, checkOptions } from '../../src/cli/check/options.ts';
import { type CheckReport, exitCodeOf, FAIL_ON, reportOf } from '../../src/cli/output/report.ts';
import { noColor, paintFor } from '../../src/cli/output/terminal.ts';
import { errorLine, renderText } from '../../src/cli/output/text.ts';

function identityOf(flags: Partial<CheckFlags>) {
  return checkOptions(['a.yaml'], { failOn: 'denied', ...flags }).identity;
}

describe('--as', () => {
  test('unset: not said', () => expect(identityOf({})).toBeUndefined());

  test('a user has the group of all who have a name', () => {
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

describe('what exists before', () => {
  const options = (flags: Partial<CheckFlags>, paths = ['a.yaml']) =>
    checkOptions(paths, { failOn: 'denied', ...flags });

  test.each<{ name: string; flags: Partial<CheckFlags>; paths?: string[]; message: RegExp }>([
    { name: 'two tales', flags: { live: true, state: ['s'] }, message: /--live and --state/ },
    { name: 'a revision that is a flag', flags: { baseRef: '--output=x' }, message: /needs a git revision/ },
    { name: 'an empty revision', flags: { baseRef: '' }, message: /needs a git revision/ },
    { name: 'a revision of nothing', flags: { baseRef: 'HEAD', deleted: ['d'] }, paths: [], message: /needs PATH/ },
    {
      name: 'a past of standard input',
      flags: { baseRef: 'HEAD' },
      paths: ['-'],
      message: /standard input has no past/,
    },
  ])('$name is refused', ({ flags, paths, message }) => {
    expect(() => options(flags, paths)).toThrow(message);
  });

  test('a revision may stand beside either of the others: it then tells what is deleted', () => {
    expect(options({ baseRef: 'HEAD', state: ['s'] })).toMatchObject({ baseRef: 'HEAD', live: undefined });
    expect(options({ baseRef: 'HEAD', live: true, context: 'c' })).toMatchObject({ live: { context: 'c' } });
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

describe('text', () => {
  test('audit findings pass silently, user text can not forge a line', () => {
    const finding = { ruleId: 'a/b', level: 'MUST', field: 'spec', message: 'm', line: 3, column: 4 } as const;
    const result = {
      file: 'a\n.yaml',
      line: 1,
      column: 1,
      apiVersion: 'g/v1',
      kind: 'Feature',
      namespace: 'ns',
      name: 'n\u001b[31m',
      operation: 'UPDATE',
      subresource: 'status',
      outcome: 'denied',
      findings: [
        { ...finding, action: 'audit' },
        { ...finding, action: 'deny' },
        { ...finding, field: '', action: 'deny', outcome: 'indeterminate' },
      ],
    } as const;
    expect(
      [
        ...renderText(
          reportOf({ results: [result], errors: [], skipped: 1 }),
          { command: '', failOn: 'denied', exitCode: 0, now: 0, root: undefined },
          noColor,
        ),
      ]
        .join('')
        .split('\n'),
    ).toEqual([
      'a\\u000a.yaml:3:4: deny [a/b] spec: m (Feature ns/n\\u001b[31m, status)',
      'a\\u000a.yaml:3:4: indeterminate [a/b] m (Feature ns/n\\u001b[31m, status)',
      'More on a rule: muster explain a/b',
      '1 judged: 0 allowed, 1 denied, 0 indeterminate; 0 warnings, 1 skipped, 0 errors',
      '',
    ]);
    expect(errorLine({ file: 'a', line: 1, column: 2, message: 'x\ny' })).toBe('a:1:2: error: x\\u000ay');
  });

  test('colour only on a terminal, never with NO_COLOR or on a dumb one', () => {
    const painted = (isTTY: boolean | undefined, environment: Record<string, string>) =>
      paintFor({ isTTY }, environment)('deny', 'red') !== 'deny';
    expect(painted(true, {})).toBe(true);
    expect(painted(true, { NO_COLOR: '' })).toBe(true);
    expect(painted(true, { NO_COLOR: '1' })).toBe(false);
    expect(painted(true, { TERM: 'dumb' })).toBe(false);
    expect(painted(false, {})).toBe(false);
    expect(painted(undefined, { FORCE_COLOR: '1' })).toBe(false);
  });
});

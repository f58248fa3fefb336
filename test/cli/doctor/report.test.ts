/** The report: counts, exit codes, text. */
import { describe, expect, test } from '@jest/globals';
import {
  type Check,
  doctorText,
  exitCodeOf,
  type FailOn,
  reportOf,
  resultsOf,
} from '../../../src/cli/doctor/report.ts';

const { ok, warn, fail, unknown } = resultsOf('a/b', 'a thing');
const checks = {
  ok: ok('fine'),
  warn: warn('so so', 'do'),
  fail: fail('bad', 'do'),
  unknown: unknown('hidden', 'ask'),
};

describe('exit codes', () => {
  const code = (failOn: FailOn, ...of: Check[]) => exitCodeOf(reportOf('https://h', of), failOn);
  const { ok: good, warn: warned, fail: failed, unknown: hidden } = checks;
  test.each([
    [0, 'failure', [good, warned]],
    [1, 'warning', [good, warned]],
    [1, 'failure', [good, failed, hidden]],
    [2, 'failure', [good, warned, hidden]],
    [1, 'warning', [good, warned, hidden]],
    [2, 'failure', [resultsOf('cluster/reachable', 'it').fail('no', 'do')]],
  ] as const)('%i on %s', (expected, failOn, of) => expect(code(failOn, ...of)).toBe(expected));
});

describe('text', () => {
  const details = [{ message: 'one\u001b[31m' }];
  const report = reportOf('https://h', [
    checks.ok,
    resultsOf('c', 'x').fail('bad\nline', 'do this', details),
    checks.unknown,
  ]);

  test('plain: words, what differs, the remedy, a summary; nothing raw', () => {
    expect(doctorText(report)).toBe(
      [
        'ok   a/b: a thing: fine',
        'FAIL c: x: bad\\u000aline',
        '     - one\\u001b[31m',
        '     to fix: do this',
        '?    a/b: a thing: hidden',
        '     to fix: ask',
        '3 checks of https://h: 1 ok, 0 warnings, 1 failed, 1 unknown',
        '',
      ].join('\n'),
    );
  });
});

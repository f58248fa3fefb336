/** The report: counts, exit codes, text; and the documentation of its checks. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  type Check,
  doctorText,
  exitCodeOf,
  type FailOn,
  reportOf,
  resultsOf,
} from '../../../../src/cli/doctor/report.ts';

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
    [2, 'failure', [good, resultsOf('a', 'b').wait('runs', 'wait')]],
    [2, 'failure', [resultsOf('cluster/reachable', 'it').fail('no', 'do')]],
  ] as const)('%i on %s', (expected, failOn, of) => expect(code(failOn, ...of)).toBe(expected));
});

const SOURCES = new URL('../../../../src/cli/doctor/', import.meta.url);
const DOCUMENT = new URL('../../../../docs/doctor.md', import.meta.url);

test('as text: words, what differs, the fix, a summary; nothing raw', () => {
  const failed = resultsOf('c', 'x').fail('bad\nline', 'do this', { details: [{ message: 'one\u001b[31m' }] });
  expect(doctorText(reportOf('https://h', [checks.ok, failed, checks.unknown]))).toBe(
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

test('as text: what follows stands with its cause, and one fix is named once', () => {
  const root = resultsOf('a', 'A').fail('down', 'start it');
  const same = resultsOf('c', 'C').warn('odd', 'start it');
  const consequence = { ...resultsOf('b', 'B').fail('refused', 'start it'), cause: 'a' };
  const waiting = resultsOf('d', 'D').wait('runs', 'wait for it');
  expect(doctorText(reportOf('https://h', [root, consequence, checks.ok, same, waiting]))).toBe(
    [
      'FAIL a: A: down',
      '     follows from it: b',
      'warn c: C: odd',
      '     to fix: start it',
      'ok   a/b: a thing: fine',
      'wait d: D: runs',
      '     to fix: wait for it',
      '5 checks of https://h: 1 ok, 1 warning, 1 failed, 0 unknown, 1 waiting, 1 follows from these',
      '',
    ].join('\n'),
  );
});

test('the table of checks has each id: if you made a new check, add its row to docs/doctor.md', () => {
  const sources = readdirSync(SOURCES).map((name) => readFileSync(new URL(name, SOURCES), 'utf8'));
  const made = sources.flatMap((text) =>
    [...text.matchAll(/\bresultsOf\(\s*['`]([^'`]+)['`]/g)].map(([, id = '']) => id),
  );
  const ids = new Set(made.map((id) => id.replace(/\$\{[^}]+\}/g, '*')));
  const rows = readFileSync(DOCUMENT, 'utf8').match(/^\| `[a-z]+(?:-[a-z]+)?(?:\/[^`]+)?` \|/gm) ?? [];
  const documented = rows.map((row) => row.slice(3, -3)).filter((id) => !id.startsWith('-'));
  expect(documented.sort()).toEqual([...ids].sort());
});

/** The report: causes, counts, exit codes, text; and the documentation of its checks. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  type Check,
  doctorExitCode,
  doctorReportOf,
  doctorText,
  resultsOf,
  type UnlinkedCheck,
  VERSION_CHECK,
  withCauses,
} from '../../../../src/cli/doctor/report.ts';

const { ok, warn, fail, unknown } = resultsOf('a/b', 'a thing');
const checks = {
  ok: ok('fine'),
  warn: warn('so so', 'do'),
  fail: fail('bad', 'do'),
  unknown: unknown('hidden', 'ask'),
};

describe('exit codes', () => {
  const code = (isStrict: boolean, ...of: Check[]) => doctorExitCode(doctorReportOf('https://h', of), isStrict);
  const { ok: good, warn: warned, fail: failed, unknown: hidden } = checks;
  test.each([
    [0, false, [good, warned]],
    [1, true, [good, warned]],
    [1, false, [good, failed, hidden]],
    [2, false, [good, warned, hidden]],
    [1, true, [good, warned, hidden]],
    [2, false, [good, resultsOf('a', 'b').wait('runs', 'wait')]],
    [2, false, [resultsOf('cluster/reachable', 'it').fail('no', 'do')]],
  ] as const)('%i, strict: %s', (expected, isStrict, of) => expect(code(isStrict, ...of)).toBe(expected));
});

const made = (id: string, status: 'ok' | 'warn' | 'fail' | 'wait' | 'unknown', ...after: string[]): UnlinkedCheck =>
  status === 'ok' ? resultsOf(id, id).ok('ok') : resultsOf(id, id)[status]('bad', `fix ${id}`, { after });

/** Each check as `id status cause`, with the fix of whatever is not well. */
const linked = (...findings: UnlinkedCheck[]) =>
  withCauses(findings).map(({ id, status, cause, remedy }) => [id, status, cause, remedy].filter(Boolean).join(' '));

test.each<[string, UnlinkedCheck[], string[]]>([
  ['a check that fails', [made('a', 'fail'), made('b', 'fail', 'a')], ['a fail fix a', 'b fail a fix a']],
  [
    'a chain has one root',
    [made('a', 'fail'), made('b', 'fail', 'a'), made('c', 'warn', 'b')],
    [...['a fail fix a', 'b fail a fix a', 'c warn a fix a']],
  ],
  ['what is well causes nothing', [made('a', 'ok'), made('b', 'fail', 'a')], ['a ok', 'b fail fix b']],
  ['nor does a warning', [made('a', 'warn'), made('b', 'fail', 'a')], ['a warn fix a', 'b fail fix b']],
  ['nor what is not in the report', [made('b', 'fail', 'a')], ['b fail fix b']],
  [
    'the first that fails counts',
    [made('a', 'ok'), made('b', 'fail'), made('c', 'fail', 'a', 'b')],
    [...['a ok', 'b fail fix b', 'c fail b fix b']],
  ],
  [
    'what is well or unknown follows from nothing',
    [made('a', 'fail'), made('b', 'ok'), made('c', 'unknown', 'a')],
    [...['a fail fix a', 'b ok', 'c unknown fix c']],
  ],
  [
    'after a check that waits, all wait',
    [made('a', 'wait'), made('b', 'fail', 'a')],
    ['a wait fix a', 'b wait a fix a'],
  ],
  [
    'another version explains differences, and fails with them',
    [made(VERSION_CHECK, 'warn'), made('b', 'fail', VERSION_CHECK)],
    [...[`${VERSION_CHECK} fail fix ${VERSION_CHECK}`, `b fail ${VERSION_CHECK} fix ${VERSION_CHECK}`]],
  ],
  [
    'another version without differences is a warning',
    [made(VERSION_CHECK, 'warn'), made('b', 'ok')],
    [...[`${VERSION_CHECK} warn fix ${VERSION_CHECK}`, 'b ok']],
  ],
])('causes: %s', (_, findings, expected) => expect(linked(...findings)).toEqual(expected));

const SOURCES = new URL('../../../../src/cli/doctor/', import.meta.url);
const DOCUMENT = new URL('../../../../docs/doctor.md', import.meta.url);

test('as text: words, what differs, the fix, a summary; nothing raw', () => {
  const failed = resultsOf('c', 'x').fail('bad\nline', 'do this', { details: [{ message: 'one\u001b[31m' }] });
  expect(doctorText(doctorReportOf('https://h', [checks.ok, failed, checks.unknown]))).toBe(
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
  expect(doctorText(doctorReportOf('https://h', [root, consequence, checks.ok, same, waiting]))).toBe(
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

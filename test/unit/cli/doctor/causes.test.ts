/** One cause is said once: what follows from a check names it, and has its fix. */
import { expect, test } from '@jest/globals';
import { VERSION, withCauses } from '../../../../src/cli/doctor/causes.ts';
import { type Finding, resultsOf } from '../../../../src/cli/doctor/report.ts';

const made = (id: string, status: 'ok' | 'warn' | 'fail' | 'wait' | 'unknown', ...after: string[]): Finding =>
  status === 'ok' ? resultsOf(id, id).ok('ok') : resultsOf(id, id)[status]('bad', `fix ${id}`, { after });

/** Each check as `id status cause`, with the fix of whatever is not well. */
const linked = (...findings: Finding[]) =>
  withCauses(findings).map(({ id, status, cause, remedy }) => [id, status, cause, remedy].filter(Boolean).join(' '));

test.each<[string, Finding[], string[]]>([
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
    [made(VERSION, 'warn'), made('b', 'fail', VERSION)],
    [...[`${VERSION} fail fix ${VERSION}`, `b fail ${VERSION} fix ${VERSION}`]],
  ],
  [
    'another version without differences is a warning',
    [made(VERSION, 'warn'), made('b', 'ok')],
    [...[`${VERSION} warn fix ${VERSION}`, 'b ok']],
  ],
])('%s', (_, findings, expected) => expect(linked(...findings)).toEqual(expected));

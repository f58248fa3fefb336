/** `muster rules --exceptions`, and `--color` of a whole command. */
import { describe, expect, test } from '@jest/globals';
import { exceptionsBy, exceptionsTable } from '../../../../src/cli/rules/exceptions.ts';
import type { Exception } from '../../../../src/engine/index.ts';
import { HEAD } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';

const exception = (expires: string) =>
  `  - { rules: [claim/value], apiGroup: about.k8s.io, kind: ClusterProperty, name: a, expires: ${expires}, reason: r }\n`;
const folder = newFolder();
folder.put('none.yaml', HEAD);
folder.put('far.yaml', `${HEAD}exceptions:\n${exception('9000-01-31')}`);
const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
folder.put('soon.yaml', `${HEAD}exceptions:\n${exception(inAWeek)}`);
folder.put('ended.yaml', `${HEAD}exceptions:\n${exception('9000-01-31')}${exception('2020-01-31')}`);

const muster = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  musterHere(args, { cwd: folder.path, env });

const NOW = Date.parse('2026-11-23T12:00:00Z');
const one = (expires: string, more: Partial<Exception> = {}): Exception => ({
  rules: new Set(['claim/value', 'claim/reserved-name']),
  apiGroup: 'about.k8s.io',
  kind: 'ClusterProperty',
  name: 'a.k8s.io',
  reason: 'ticket 12',
  expires: Date.parse(expires),
  ...more,
});

describe('the state of an exception', () => {
  test.each([
    ['2026-11-23T11:59:59Z', 14, 'ended'],
    ['2026-11-23T12:00:00Z', 14, 'ended'],
    ['2026-11-23T12:00:01Z', 14, 'ends soon'],
    ['2026-12-07T12:00:00Z', 14, 'ends soon'],
    ['2026-12-07T12:00:01Z', 14, 'applies'],
    ['2026-11-23T12:00:01Z', 0, 'applies'],
    ['2026-12-20T00:00:00Z', 30, 'ends soon'],
  ])('that ends at %s, within %i days: %s', (expires, days, state) => {
    expect(exceptionsBy([one(expires)], days, NOW)[0]?.state).toBe(state);
  });

  test.each([
    [['feature/transition'], 'no effect'],
    [['feature/transition', 'claim/value'], 'applies'],
  ])('of %j for a kind of claim: %s', (rules, state) => {
    const all = exceptionsBy([one('2027-02-01T00:00:00Z', { rules: new Set(rules) })], 14, NOW);
    expect(all[0]?.state).toBe(state);
    expect(exceptionsTable(all, 14).includes(', 1 without effect\n')).toBe(state === 'no effect');
  });
});

test('the table has those that end first at the top, the last day or the moment, and the counts', () => {
  const hostile = one('2027-02-01T08:30:00Z', { namespace: 'kube-system', reason: 'a\n::error::\u001b[2J' });
  const all = exceptionsBy([hostile, one('2026-12-01T00:00:00Z'), one('2026-11-01T00:00:00Z')], 14, NOW);
  expect(exceptionsTable(all, 14).replaceAll(/ {2,}/g, '|').split('\n')).toEqual([
    'STATE|EXPIRES|OBJECT|RULES|REASON',
    'ended|2026-10-31|ClusterProperty.about.k8s.io a.k8s.io|claim/value, claim/reserved-name|ticket 12',
    'ends soon|2026-11-30|ClusterProperty.about.k8s.io a.k8s.io|claim/value, claim/reserved-name|ticket 12',
    String.raw`applies|2027-02-01T08:30:00Z|ClusterProperty.about.k8s.io kube-system/a.k8s.io|claim/value, claim/reserved-name|a\u000a::error::\u001b[2J`,
    '3 exceptions: 1 applicable, 1 ending within 14 days, 1 ended',
    '',
  ]);
});

describe('the command', () => {
  test.each<[readonly string[], number, RegExp]>([
    [['--config', 'none.yaml'], 0, /^The configuration has no exceptions\.\n$/],
    [['--config', 'none.yaml', '-o', 'json'], 0, /^\[\]\n$/],
    [['--config', 'far.yaml'], 0, /1 exception: 1 applicable, 0 ending within 14 days, 0 ended/],
    [['--config', 'soon.yaml'], 1, /1 exception: 0 applicable, 1 ending within 14 days, 0 ended/],
    [['--config', 'ended.yaml'], 1, /\nended +2020-01-31 +Cluster|^STATE[^\n]*\nended/],
    [['--config', 'ended.yaml', '-o', 'json'], 1, /"state": "ended",\s+"ends": "2020-02-01T00:00:00\.000Z"/],
  ])('%j: exit code %i', async (args, code, printed) => {
    const result = await muster(['rules', '--exceptions', ...args]);
    expect(result).toMatchObject({ code, out: expect.stringMatching(printed) });
  });

  test.each([
    [['--exceptions'], /needs the configuration .*--config FILE/],
    [['--exceptions', '--config', 'missing.yaml'], /missing\.yaml/],
    [['--exceptions', '--config', 'far.yaml', '--ending-within', 'soon'], /number from 0 to 3650/],
    [['--color', 'sometimes'], /auto, always, never/],
  ])('%j is refused', async (args, problem) => {
    expect(await muster(['rules', ...args])).toMatchObject({ code: 2, err: expect.stringMatching(problem) });
  });

  test.each<[readonly string[], Record<string, string>, boolean]>([
    [['--color', 'always'], { NO_COLOR: '1' }, true],
    [[], { FORCE_COLOR: '1', NO_COLOR: '' }, true],
  ])('%j with %j: colored %s', async (args, env, isColored) => {
    const { out } = await muster(['rules', ...args], env);
    expect(out.startsWith('\u001b[1mRULE')).toBe(isColored);
  });
});

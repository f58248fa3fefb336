/** What a baseline knows: findings by cluster, object, rule and field, whatever their lines and order. */
import { expect, test } from '@jest/globals';
import { addFindings, NOWHERE } from '../../../../src/evaluation/results.ts';
import { readBaseline } from '../../../../src/report/baseline.ts';
import type { CheckResult } from '../../../../src/report/report.ts';
import { newFolder } from '../../../support/folder.ts';
import { finding, resultOf } from './fixtures.ts';

const folder = newFolder();

const written = (content: unknown) =>
  folder.put('report.json', typeof content === 'string' ? content : JSON.stringify(content));
const report = (...results: CheckResult[]) => ({ apiVersion: 'muster/v1alpha1', kind: 'CheckReport', results });
const of = (...findings: Parameters<typeof finding>) =>
  resultOf('a', { findings: findings.map((one) => finding(one)) });
const condition = (index: number, message: string) => ({
  ruleId: 'inventory/conditions',
  field: `status.conditions[${index}]`,
  message,
});

test.each<[string, CheckResult, CheckResult, readonly (string | undefined)[]]>([
  ['the same finding on another line is known', of({}), of({ line: 9 }), []],
  ['of another object it is new', of({}), { ...of({}), name: 'b' }, ['metadata.name']],
  ['of another cluster it is new', of({}), { ...of({}), cluster: 'west' } as CheckResult, ['metadata.name']],
  ['of another rule it is new', of({}), of({ ruleId: 'claim/value' }), ['metadata.name']],
  ['of another field it is new', of({}), of({ field: 'spec.value' }), ['spec.value']],
  ['of another version it is known', of({}), { ...of({}), apiVersion: 'multicluster.x-k8s.io/v1beta1' }, []],
  [
    'entries in another order are known',
    resultOf('a', { findings: [0, 1].map((at) => finding(condition(at, `m${at}`))) }),
    resultOf('a', { findings: [0, 1].map((at) => finding(condition(1 - at, `m${at}`))) }),
    [],
  ],
  [
    'a second finding of the rule in the object is new',
    resultOf('a', { findings: [finding(condition(1, 'old'))] }),
    resultOf('a', { findings: [finding(condition(0, 'new')), finding(condition(1, 'old'))] }),
    ['status.conditions[0]'],
  ],
  ['what was undecided and is denied is new', of({ outcome: 'indeterminate' }), of({}), ['metadata.name']],
])('%s', async (_, before, after, expected) => {
  const { results } = (await readBaseline(written(report(before)))).newIn([after]);
  expect(results.flatMap(({ findings }) => findings.map(({ field }) => field))).toEqual(expected);
});

test('the outcome follows from what is left; the next scan is compared with the whole baseline', async () => {
  const baseline = await readBaseline(written(report(of({ ruleId: 'claim/value' }))));
  const both = resultOf('a', { findings: [finding({ ruleId: 'claim/value' }), finding({ action: 'warn' })] });
  for (const _ of ['first', 'second'])
    expect(baseline.newIn([both])).toMatchObject({
      note: expect.stringMatching(/^note: 1 finding is in --baseline /),
      results: [{ outcome: 'allowed', findings: [{ action: 'warn' }] }],
    });
});

test.each(['warn', 'deny'] as const)(
  'a result of a broken rule is undecided without its findings (%s)',
  async (action) => {
    const known = of({ action });
    const baseline = await readBaseline(written(report(known)));
    const entry = { result: resultOf('a', { findings: [], outcome: 'allowed' }), position: NOWHERE };
    const outcome = action === 'deny' ? 'denied' : 'crashed';
    const crashes = [{ ruleId: 'claim/value', reference: 'r', error: new Error('oh'), denies: true }];
    addFindings(entry, known.findings, [{ outcome, crashes }]);
    expect(entry.result.outcome).toBe(action === 'deny' ? 'denied' : 'indeterminate');
    expect(baseline.newIn([entry.result]).results).toMatchObject([{ outcome: 'indeterminate', findings: [] }]);
  },
);

test('a rule that broke, and could not have denied, decides nothing', async () => {
  const known = of({});
  const entry = { result: resultOf('a', { findings: [], outcome: 'allowed' }), position: NOWHERE };
  const crashes = [{ ruleId: 'claim/value', reference: 'r', error: new Error('oh'), denies: false }];
  addFindings(entry, known.findings, [{ outcome: 'denied', crashes }]);
  const { results } = (await readBaseline(written(report(known)))).newIn([entry.result]);
  expect(results).toMatchObject([{ outcome: 'allowed', findings: [] }]);
});

test('those that were not found are counted, and not those that are known', async () => {
  const known = [condition(0, 'a'), condition(1, 'b'), condition(2, 'c')].map((one) => finding(one));
  const baseline = await readBaseline(written(report(resultOf('a', { findings: known }))));
  const noteOf = (count: number) => baseline.newIn([resultOf('a', { findings: known.slice(0, count) })]).note;
  expect(noteOf(1)).toMatch(/^note: 1 finding is in .*; 2 of its findings were not found: if they are fixed/);
  expect(noteOf(3)).not.toContain('not found');
});

test.each([
  ['not JSON', '{'],
  ['not a CheckReport', { kind: 'List' }],
  ['not a CheckReport', { ...report(), results: {} }],
  ['not a CheckReport', { ...report(), results: [{ findings: [{}] }] }],
])('%s is refused', async (problem, content) => {
  await expect(readBaseline(written(content))).rejects.toThrow(problem);
});

test('a byte order mark before the report is left out', async () => {
  await expect(readBaseline(written(`\uFEFF${JSON.stringify(report())}`))).resolves.toBeDefined();
});

test('a missing file is refused by its name', async () => {
  await expect(readBaseline('absent.json')).rejects.toThrow('--baseline absent.json: no such file');
});

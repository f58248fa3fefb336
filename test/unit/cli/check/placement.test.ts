/** What `muster check` finds of placement decisions at the end of a run, whatever the order of the documents. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { decisionsOf, placement, profile } from '../../../support/bases.ts';
import { run, yaml } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const folder = newFolder();
let count = 0;

const at = (name: string) => tweaked(profile, { '/metadata/name': name });
const slice = (name: string, references: readonly string[]) =>
  tweaked(placement, {
    '/metadata/name': name,
    '/metadata/labels': { 'multicluster.x-k8s.io/decision-key': 'k' },
    '/decisions': decisionsOf(...references),
  });

/** `NAME OUTCOME RULES` of each placement decision. */
async function check(files: readonly JsonObject[], state?: readonly JsonObject[]) {
  const put = (objects: readonly JsonObject[]) => [folder.put(`${count++}.yaml`, yaml(...objects))];
  const { report } = await runCheck(run({ paths: put(files), state: state && put(state) }));
  const decided = report.results.filter(({ kind }) => kind === 'PlacementDecision');
  return decided.map(({ name, outcome, findings }) =>
    [name, outcome, ...findings.map(({ ruleId }) => ruleId)].join(' '),
  );
}

test.each<[string, readonly JsonObject[], readonly JsonObject[] | undefined, readonly string[]]>([
  ['a profile may follow later', [slice('s-0', ['a']), at('a')], undefined, ['s-0 allowed']],
  ['one that does not exist', [slice('s-0', ['a']), at('b')], undefined, ['s-0 denied placement/profile-exists']],
  [
    'a profile moves from a slice to the one before',
    [slice('s-0', ['a', 'b']), slice('s-1', ['c'])],
    [slice('s-0', ['a']), slice('s-1', ['b', 'c']), at('a'), at('b'), at('c')],
    ['s-0 allowed', 's-1 allowed'],
  ],
  [
    'a profile in a stored slice, too',
    [slice('s-1', ['a'])],
    [slice('s-0', ['a']), at('a')],
    ['s-1 denied placement/one-to-one'],
  ],
  [
    'slices that stored it before',
    [tweaked(slice('s-1', ['a']), { '/schedulerName': 'late' })],
    [slice('s-0', ['a']), slice('s-1', ['a']), at('a')],
    ['s-1 allowed'],
  ],
])('%s', async (_, files, state, expected) => {
  expect(await check(files, state)).toEqual(expected);
});

test('a gap in the indices of slices is no finding where part of the state could not be read', async () => {
  const second = tweaked(slice('s-1', []), { '/metadata/labels/multicluster.x-k8s.io~1decision-index': '1' });
  const paths = [folder.put(`${count++}.yaml`, yaml(second))];
  const found = async (state: readonly string[]) => {
    const { report } = await runCheck(run({ paths, state }));
    return report.results.flatMap(({ findings }) => findings.map(({ ruleId }) => ruleId));
  };
  expect(await found([folder.put(`${count++}.yaml`, yaml(at('a')))])).toEqual(['placement/slices']);
  expect(await found([folder.put(`${count++}.yaml`, 'a: [multicluster.x-k8s.io')])).toEqual([]);
});

test('a gap in the indices of slices is no finding where part of the input could not be read', async () => {
  const second = tweaked(slice('s-1', []), { '/metadata/labels/multicluster.x-k8s.io~1decision-index': '1' });
  const found = async (paths: readonly string[]) => {
    const { report } = await runCheck(run({ paths }));
    return report.results.flatMap(({ findings }) => findings.map(({ ruleId }) => ruleId));
  };
  const path = folder.put(`${count++}.yaml`, yaml(second));
  expect(await found([path])).toEqual(['placement/slices']);
  expect(await found([path, folder.put(`${count++}.yaml`, 'a: [multicluster.x-k8s.io')])).toEqual([]);
});

/** A list of any kind, as kubectl takes it apart, for every reader of manifests. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { runCheck } from '../../src/cli/check/run.ts';
import { scanFiles } from '../../src/cli/scan/files.ts';
import { runTests } from '../../src/cli/test/run.ts';
import { readState } from '../../src/cluster/files/index.ts';
import type { JsonObject } from '../../src/rules/rule.ts';
import { type GitFolder, newRepository } from './git-world.ts';
import { claim, NOW, run, yaml } from './world.ts';

jest.setTimeout(60_000);

const id = claim('id.k8s.io', 'one');
const otherId = claim('id.k8s.io', 'two');
const membership = claim('clusterset.k8s.io', 'fleet');

/** kubectl applies the items of each, and nothing else of it. */
const WRAPPERS: readonly (readonly [string, (...items: JsonObject[]) => JsonObject])[] = [
  ['a List', (...items) => ({ apiVersion: 'v1', kind: 'List', items })],
  ['a kind that muster does not judge', (...items) => ({ apiVersion: 'v1', kind: 'ConfigMap', items })],
  ['a kind of its own', (...items) => ({ ...claim('decoy.example.com', 'x'), items })],
];

describe.each(WRAPPERS)('%s with items', (_, list) => {
  let folder: GitFolder;
  let before: string;
  let now: string;
  beforeAll(() => {
    folder = newRepository();
    before = folder.put('m/list.yaml', yaml(list(id, membership)));
    folder.commit();
    now = folder.put('now.yaml', yaml(list(otherId)));
  });
  afterAll(() => folder.remove());

  async function findings(given: Parameters<typeof run>[0]) {
    const { report } = await runCheck(run(given));
    expect(report.errors).toEqual([]);
    return report.results.map(({ operation, name, outcome }) => `${operation} ${name}: ${outcome}`);
  }

  test('check and --state', async () => {
    expect(await findings({ paths: [now], state: [before] })).toEqual(['UPDATE id.k8s.io: denied']);
  });

  test('--deleted', async () => {
    const deleted = [folder.put('deleted.yaml', yaml(list(id)))];
    expect(await findings({ deleted, state: [before] })).toEqual(['DELETE id.k8s.io: denied']);
  });

  test('--base-ref', async () => {
    folder.put('m/list.yaml', yaml(list(otherId, membership)));
    expect(await findings({ paths: [folder.at('m')], baseRef: 'HEAD' })).toEqual([
      'UPDATE id.k8s.io: denied',
      'UPDATE clusterset.k8s.io: allowed',
    ]);
    folder.git('checkout', '-q', '.');
  });

  test('scan --state', async () => {
    const state = [folder.put('stored.yaml', yaml(list(claim('id.k8s.io', 'A_B'))))];
    const { objects } = await scanFiles({ state, stdin: async () => Buffer.of(), clock: () => NOW });
    expect(objects).toMatchObject([{ result: { name: 'id.k8s.io', outcome: 'denied' } }]);
  });

  test('suites', async () => {
    const tests = [{ name: 'a', state: ['m/list.yaml'], object: 'now.yaml', expect: 'denied' }];
    const paths = [
      folder.put('a.muster-test.yaml', yaml({ apiVersion: 'muster/v1alpha1', kind: 'MusterTest', tests })),
    ];
    expect((await runTests({ paths, now: NOW })).report).toMatchObject({ errors: [], summary: { passed: 1 } });
  });

  test('serve --state', async () => {
    const { objects, errors } = await readState([before]);
    expect({ objects, errors }).toEqual({ objects: [id, membership], errors: [] });
  });
});

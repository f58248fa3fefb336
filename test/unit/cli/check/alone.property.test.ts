/** Each cluster of a run stands by itself: it has the results that it has in a run alone. */
import { rmSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json.ts';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { clusterRequest } from '../../../../src/input/clusters/request.ts';
import type { CheckReport } from '../../../../src/report/report.ts';
import { rules } from '../../../../src/rules/index.ts';
import { claim, cluster, run, yaml } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';
import { newRepository } from '../../../support/git.ts';

const ACROSS = rules.flatMap(({ id, comparison }) => (comparison?.acrossOnly ? [id as string] : []));
const object = fc.constantFrom(
  ...['one', 'two', 'A_B'].map((value) => claim('id.k8s.io', value)),
  ...['fleet', ''].map((value) => claim('clusterset.k8s.io', value)),
  claim('x.example.com', ''),
  cluster('a'),
  cluster('b', { spec: { clusterManager: { name: 'other' } } }),
);
const objects = fc.array(object, { maxLength: 4 });
const content = fc.record({ documents: objects, state: fc.option(objects, { nil: undefined }), deleted: objects });

/** Without the name of the cluster, and without what was found between clusters. */
const own = ({ results }: CheckReport) =>
  results.map(({ cluster: _, findings, pathNow: __, outcome, ...result }) => {
    const found = findings
      .filter(({ ruleId }) => !ACROSS.includes(ruleId))
      .map(({ related: ___, sourceLine: ____, ...finding }) => finding);
    return { ...result, findings: found, outcome: found.length < findings.length ? 'compared' : outcome };
  });
const isCompared = (results: ReturnType<typeof own>) => results.map(({ outcome }) => outcome === 'compared');

test('with --state and --deleted', async () => {
  const folder = newFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 4 }), async (clusters) => {
      const put = (name: string, all: readonly JsonObject[]) => folder.put(name, yaml(...all));
      const alone = [];
      const flags = { cluster: [] as string[], state: [] as string[], deleted: [] as string[] };
      for (const [index, { documents, state, deleted }] of clusters.entries()) {
        const paths = [put(`c${index}/a.yaml`, documents)];
        const before = state && [put(`s${index}.yaml`, state)];
        const gone = [put(`d${index}.yaml`, deleted)];
        alone.push(...own((await runCheck(run({ paths, state: before, deleted: gone }))).report));
        flags.cluster.push(`c${index}=${paths[0]}`);
        flags.deleted.push(`c${index}=${gone[0]}`);
        if (before) flags.state.push(`c${index}=${before[0]}`);
      }
      const together = own((await runCheck(run({ clusters: clusterRequest([], flags, []) }))).report);
      const compared = isCompared(together);
      const outcomes = alone.map((one, index) => (compared[index] ? { ...one, outcome: 'compared' } : one));
      expect(together).toEqual(outcomes);
    }),
    { numRuns: 100 },
  );
});

test('with --base-ref', async () => {
  const repository = newRepository();
  const sides = fc.tuple(fc.option(objects, { nil: undefined }), objects);
  type Sides = readonly [before: readonly JsonObject[] | undefined, now: readonly JsonObject[]];
  /**
   * Checks a repository that holds these clusters and no other: a file of another could be where an object moved to.
   */
  const check = async (clusters: readonly (readonly [name: string, sides: Sides])[]) => {
    const empty = () => rmSync(repository.at('clusters'), { recursive: true, force: true });
    empty();
    for (const [name, [before]] of clusters) if (before) repository.put(`clusters/${name}/a.yaml`, yaml(...before));
    repository.commit();
    empty();
    for (const [name, [, now]] of clusters) repository.put(`clusters/${name}/b.yaml`, yaml(...now));
    const cluster = clusters.map(([name]) => `${name}=${repository.at(`clusters/${name}`)}`);
    return own((await runCheck(run({ baseRef: 'HEAD', clusters: clusterRequest([], { cluster }, []) }))).report);
  };
  await fc.assert(
    fc.asyncProperty(sides, sides, async (...clusters) => {
      const named = clusters.map((one, index) => [`c${index}`, one] as const);
      const together = await check(named);
      const alone = [];
      for (const one of named) alone.push(...(await check([one])));
      const compared = isCompared(together);
      expect(together).toEqual(alone.map((one, index) => (compared[index] ? { ...one, outcome: 'compared' } : one)));
    }),
    { numRuns: 10 },
  );
});

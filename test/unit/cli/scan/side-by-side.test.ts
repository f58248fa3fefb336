/** Clusters side by side: each access is tried in turn, and what one cluster answers hides no other. */
import { expect, test } from '@jest/globals';
import { type ScanTarget, scanSideBySide } from '../../../../src/cli/scan/side-by-side.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { createStoredEngine } from '../../../../src/engine/stored-objects.ts';
import { createRunComparison } from '../../../../src/evaluation/run-comparison.ts';
import { claim, NOW } from '../../../support/command-line.ts';
import { answered, cluster } from './fixtures.ts';

const closed: string[] = [];

/** A cluster whose calls all fail alike; 404: it serves no kind. */
function failing(name: string, error: Error, calls?: () => void): ApiClient {
  const call: ApiClient['call'] = async ({ path }) => {
    calls?.();
    if (error === empty && path === '/version') return answered({});
    throw error;
  };
  return { server: name, namespace: '', call, close: () => closed.push(name) };
}
const empty = new ClusterError('not-found', 'no such kind', { status: 404, absent: 'kind' });
const away = new ClusterError('no-access', 'away');
const target = (cluster: string, ...clients: ApiClient[]): ScanTarget => ({
  cluster,
  source: { clients: clients.map((client) => () => client), isOfFleet: true },
});

const newComparison = () => createRunComparison({ point: 'scan' });
const scan = (targets: readonly ScanTarget[], parallel = 4, comparison = newComparison()) =>
  scanSideBySide(targets, {
    engine: createStoredEngine(undefined, () => NOW),
    comparison,
    onProgress: undefined,
    parallel,
    timeoutMs: 10_000,
    pageSize: 500,
    signal: undefined,
    reading: { stdin: async () => Buffer.from(JSON.stringify(claim('a.example.com', 'b'))) },
  });

test('a cluster that fails is an error with its name, a bug too; the others are complete, in order', async () => {
  const targets = [
    target('away', failing('a', away)),
    { cluster: 'files', source: { paths: ['-'] } },
    target('odd', failing('b', new TypeError('ours'))),
  ];
  const scanned = await scan(targets);
  expect(scanned.map(({ cluster, entries, errors }) => [cluster, entries.length, errors])).toEqual([
    ['away', 0, [expect.objectContaining({ cluster: 'away', message: 'away' })]],
    ['files', 1, []],
    ['odd', 0, [expect.objectContaining({ cluster: 'odd', message: 'a bug in muster: ours' })]],
  ]);
});

test('the next access is used where nothing could be read; what failed is reported too', async () => {
  closed.length = 0;
  const [one] = await scan([target('twice', failing('first', away), failing('second', empty), failing('third', away))]);
  expect(one?.errors).toMatchObject([{ cluster: 'twice', message: 'away' }]);
  // The second, too: no connection stays open that nothing is written by.
  expect([one?.client, closed]).toEqual([undefined, ['first', 'second']]);
});

test('a cluster that never answers is asked once, and its error is about its ClusterProfile', async () => {
  let calls = 0;
  const unknown = new ClusterError('unauthorized', 'Unauthorized');
  const [one] = await scan([
    target(
      'a',
      failing('a', unknown, () => calls++),
    ),
  ]);
  const message = 'the API server does not know the credentials of the exec plugin';
  expect([calls, one?.errors]).toEqual([1, [expect.objectContaining({ cluster: 'a', message })]]);
  const away = new ClusterError('unreachable', 'away');
  const [other] = await scan([target('b', failing('b', away))]);
  const wrong = 'away: is it up, and are the access data in its ClusterProfile right?';
  expect(other?.errors).toEqual([expect.objectContaining({ cluster: 'b', message: wrong })]);
});

test('what the next access has read is compared as all of its kind', async () => {
  const comparison = newComparison();
  const withoutId = cluster({ 'cluster-claim': [claim('color.example.com', 'red')] });
  const [one] = await scan([target('a', failing('first', away), withoutId)], 1, comparison);
  comparison.finish();
  const found = one?.entries.flatMap(({ result }) => result.findings);
  expect(found?.map(({ ruleId }) => ruleId)).toEqual(['claim/id-present']);
});

test('no more clusters are scanned at a time than --parallel says', async () => {
  const running = new Set<string>();
  let most = 0;
  const slow = (name: string) => ({
    ...failing(name, empty),
    call: async () => {
      running.add(name);
      most = Math.max(most, running.size);
      await new Promise((resolve) => setImmediate(resolve));
      running.delete(name);
      throw empty;
    },
  });
  const names = ['a', 'b', 'c', 'd', 'e'];
  expect(
    await scan(
      names.map((name) => target(name, slow(name))),
      2,
    ),
  ).toHaveLength(5);
  expect(most).toBe(2);
});

/**
 * A cluster without the draft CRDs, which are opt-in: the other APIs are guarded, and a draft is as soon as its CRD is
 * installed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { claim, property } from '../../support/objects.ts';
import { examine, findingsOf } from './doctor/bench.ts';
import { type Guarded, startGuarded, succeeded, until } from './harness/index.ts';

let guarded: Guarded;

beforeAll(async () => {
  guarded = await startGuarded({ crds: 'foreign', registration: { timeoutSeconds: 'printed' } });
});
afterAll(() => guarded?.stop());

const apply = (name: string, text: string) =>
  guarded.controlPlane.kubectl('jane', ['apply', '-f', '-'], property(name, text));

test('the server and doctor find nothing wrong', async () => {
  await until('the cluster to be in order', async () =>
    (await guarded.muster.metrics()).includes('muster_cluster_up 1'),
  );
  const report = await examine(guarded.controlPlane);
  expect(findingsOf(report)).toEqual({});
  expect(report.checks.find(({ id }) => id === 'crd/cluster-claim')?.message).toBe('not installed: nothing to guard');
});

test('the identity of a member is guarded', async () => {
  expect(await apply('cluster.clusterset.k8s.io', 'east')).toMatchObject({ code: 0 });
  expect(await apply('clusterset.k8s.io', 'retail')).toMatchObject({ code: 0 });
  expect(await apply('cluster.clusterset.k8s.io', 'west')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('[claim/id-immutable-in-clusterset]'),
  });
});

test('a draft is guarded as soon as its CRD is installed', async () => {
  const crd = 'manifests/crds/multicluster.x-k8s.io_clusterclaims.yaml';
  await succeeded(guarded.controlPlane.kubectl('admin', ['apply', '-f', crd]));
  const created = () => guarded.controlPlane.kubectl('jane', ['create', '-f', '-'], claim('region.k8s.io', 'north'));
  await until(
    'the API server to serve the kind',
    async () => !(await created()).stderr.includes('no matches for kind'),
  );
  expect((await created()).stderr).toContain('[claim/reserved-name]');
});

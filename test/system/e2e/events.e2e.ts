/**
 * `muster serve --events` on a real API server, with the rights of `muster manifests --events`: the Events that kubectl
 * shows.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { partOf } from '../../../src/manifests/installation.ts';
import { done, type Guarded, identityOf, startGuarded, until } from './harness/index.ts';

let guarded: Guarded;

beforeAll(async () => {
  guarded = await startGuarded({ muster: { args: ['--events'] } });
});
afterAll(() => guarded?.stop());

const EVENTS = '/api/v1/events?fieldSelector=reason%3DWriteDenied';
async function events() {
  const { body } = await guarded.controlPlane.api('admin').call('GET', EVENTS);
  return body.items as readonly unknown[];
}
const counted = async (outcome: string) =>
  Number(
    new RegExp(`^muster_denial_events_total\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(
      await guarded.muster.metrics(),
    )?.[1],
  );

test('without the right the denial stays, and the failure is counted and logged', async () => {
  const { status } = await identityOf(clusterClaim, guarded.controlPlane.api('jane')).createId('Not_A_Label');
  expect(status).toBe(422);
  await until('a failed Event', async () => (await counted('failed')) === 1);
  expect(await events()).toEqual([]);
  await until('a line of the log', async () => guarded.muster.log().includes('muster manifests --events'));
  await guarded.controlPlane.apply(...partOf('rbac', { events: true }));
});

test('a denied update has an Event on its object, which kubectl describe shows; a dry run has none', async () => {
  const cluster = identityOf(clusterClaim, guarded.controlPlane.api('jane'));
  done(await cluster.createId('north-1'));
  const { metadata } = (await cluster.id()).body;
  done(await cluster.join());
  const root = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims/id.k8s.io';
  const dryRun = await guarded.controlPlane
    .api('jane')
    .call('PATCH', `${root}?dryRun=All`, { spec: { value: 'north-2' } });
  expect([dryRun.status, (await cluster.changeId('north-3')).status]).toEqual([403, 403]);
  await until('an Event', async () => (await counted('written')) === 1);
  const [event, ...others] = await events();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    metadata: { namespace: 'default' },
    involvedObject: { kind: 'ClusterClaim', name: 'id.k8s.io', uid: metadata.uid },
    type: 'Warning',
    action: 'UPDATE',
    count: 1,
    message: expect.stringMatching(/^UPDATE denied: \[claim\/id-immutable-in-clusterset\] spec\.value: /),
  });
  const { stdout } = await guarded.controlPlane.kubectl('admin', [
    'describe',
    'clusterclaims.multicluster.x-k8s.io',
    'id.k8s.io',
  ]);
  expect(stdout).toMatch(/Warning +WriteDenied .*muster +UPDATE denied: \[claim\/id-immutable-in-clusterset\]/);
});

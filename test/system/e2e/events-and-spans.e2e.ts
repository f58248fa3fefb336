/**
 * What `muster serve` writes beside its answers, with a real API server: the Events that kubectl shows, with the rights
 * of `muster manifests --events`; and one trace of both, in which the API server calls the webhook, and muster calls
 * the API server.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { partOf } from '../../../src/manifests/installation.ts';
import { newFolder } from '../../support/folder.ts';
import {
  done,
  type Guarded,
  identityOf,
  type ReceivedSpan,
  receiveGrpc,
  receiveJson,
  type SpanReceiver,
  startGuarded,
  until,
} from './harness/index.ts';

let fromApiServer: SpanReceiver;
let fromMuster: SpanReceiver;
let guarded: Guarded;
const folder = newFolder().path;

beforeAll(async () => {
  [fromApiServer, fromMuster] = [await receiveGrpc(), await receiveJson()];
  const file = join(folder, 'tracing.json');
  const endpoint = fromApiServer.address;
  const apiVersion = 'apiserver.config.k8s.io/v1beta1';
  const kind = 'TracingConfiguration';
  writeFileSync(file, JSON.stringify({ apiVersion, kind, endpoint, samplingRatePerMillion: 1_000_000 }));
  // Only what the API server samples.
  const args = ['--events', '--tracing-endpoint', `http://${fromMuster.address}`, '--tracing-ratio', '0'];
  guarded = await startGuarded({ apiServerFlags: [`--tracing-config-file=${file}`], muster: { args } });
});
afterAll(async () => {
  await guarded?.stop();
  fromApiServer?.close();
  fromMuster?.close();
});

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

test('spans of muster have a parent in the API server, and its calls are linked there', async () => {
  const cluster = identityOf(clusterClaim, guarded.controlPlane.api('jane'));
  done(await cluster.leave());
  done(await cluster.join());
  // A stop sends what muster still holds; the API server sends every five seconds.
  expect(await guarded.muster.stop()).toBe(0);
  const requests = fromMuster.spans.filter(({ name }) => name === 'POST /validate');
  const calls = fromMuster.spans.filter(({ parentId }) => requests.some(({ id }) => id === parentId));
  expect(requests.length).toBeGreaterThanOrEqual(2);
  expect(calls.map(({ name }) => name)).toEqual(expect.arrayContaining(['GET leases', 'PUT leases']));

  const isParent = (span: ReceivedSpan) => (other: ReceivedSpan) =>
    other.id === span.parentId && other.traceId === span.traceId;
  await until('parents in the API server', async () =>
    requests.every((request) => fromApiServer.spans.some(isParent(request))),
  );
  // An API server trusts no caller with its own traces: it begins a new one, with a link to the caller's span.
  const isJoined = ({ traceId, id }: ReceivedSpan) =>
    fromApiServer.spans.some((span) => span.links.includes(`${traceId}/${id}`) || span.parentId === id);
  await until('links of the API server', async () => calls.every(isJoined));
});

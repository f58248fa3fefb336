/**
 * The spans of a real API server and of muster in one trace: the API server calls the webhook, and muster calls the API
 * server.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
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
  const args = ['--tracing-endpoint', `http://${fromMuster.address}`, '--tracing-ratio', '0'];
  guarded = await startGuarded({ apiServerFlags: [`--tracing-config-file=${file}`], muster: { args } });
});
afterAll(async () => {
  await guarded?.stop();
  fromApiServer?.close();
  fromMuster?.close();
});

test('spans of muster have a parent in the API server, and its calls are linked there', async () => {
  const cluster = identityOf(clusterClaim, guarded.controlPlane.api('jane'));
  await done(await cluster.createId('north-1'));
  await done(await cluster.join());
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

/**
 * Reviews that are large once decoded, and wait for an API server that hangs: a server with the heap of its Deployment
 * outlives them.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kubeconfigOf } from '../../support/api-stub.ts';
import { NODE_OPTIONS } from '../../support/chart.ts';
import { endChildren, type Served, serveChild, startHangingApi } from '../../support/child.ts';
import { newFolder } from '../../support/folder.ts';
import { claim, reviewWith } from '../../support/reviews.ts';
import { exchange } from '../../support/test-server.ts';

const REVIEWS = 400;
const ADDRESSES = 8;
/** Over http nobody can vouch for it. */
const INSECURE = { 'insecure-skip-tls-verify': true };

const { replace: write } = newFolder();
let served: Served;
beforeAll(async () => {
  const kubeconfig = write('kubeconfig', kubeconfigOf(`http://127.0.0.1:${await startHangingApi()}`, {}, INSECURE));
  served = await serveChild({ args: ['--kubeconfig', kubeconfig], env: { NODE_OPTIONS } });
});
afterAll(endChildren);

test('identity writes of 60 kB, each 1.3 MB when decoded, from several addresses', async () => {
  const status = Array.from({ length: 20_000 }, () => ({}));
  const object = { ...claim, metadata: { name: 'clusterset.k8s.io' }, spec: { value: 'fleet' }, status };
  const body = JSON.stringify(reviewWith({ name: 'clusterset.k8s.io', object }));
  const answers = await Promise.all(Array.from({ length: REVIEWS }, (_, nth) => post(body, nth)));
  // Those that get permits are answered that the cluster does not answer, all others that there are too many.
  expect(answers.filter((status) => status === 200).length).toBeGreaterThan(0);
  expect(answers.filter((status) => typeof status === 'number' && status !== 200 && status !== 503)).toEqual([]);
  // Where this process is slow, its own handshakes last too long, which the server ends: those callers get no answer.
  const failures = answers.filter((status) => typeof status === 'string');
  const closed = /^muster_connections_closed_total\{cause="slow_handshake"\} (\d+)$/m;
  expect(failures).toHaveLength(Number(closed.exec(await served.ops('/metrics'))?.[1]));
  expect(served.process.exitCode).toBeNull();
  expect(await served.allows()).toBe(true);
});

/** The status of the answer, or why there is none. */
async function post(body: string, nth: number): Promise<number | string> {
  const localAddress = `127.0.0.${2 + (nth % ADDRESSES)}`;
  const sent = exchange({ port: served.port, ca: served.ca, path: '/validate?timeout=5s', localAddress }, body);
  return sent.then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
}

/** Reviews that are large once decoded, and wait for an API server that hangs: a server with the heap of its Deployment outlives them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NODE_OPTIONS } from '../../src/manifests/workload.ts';
import { claim, reviewOf } from '../server/reviews.ts';
import { endChildren, type Served, serveChild } from './child.ts';
import { exchange } from './harness.ts';

const REVIEWS = 400;
const ADDRESSES = 8;

const folder = mkdtempSync(join(tmpdir(), 'muster-heavy-'));
let cluster: Server;
let served: Served;
beforeAll(async () => {
  cluster = createServer(
    (socket) =>
      void socket
        .on('error', () => {})
        .resume()
        .unref(),
  );
  await new Promise<void>((resolve) => cluster.listen(0, '127.0.0.1', resolve));
  served = await serveChild({ args: ['--kubeconfig', kubeconfig(cluster)], env: { NODE_OPTIONS } });
}, 90_000);
afterAll(() => {
  endChildren();
  cluster.close();
  rmSync(folder, { recursive: true });
});

test('identity writes of 60 kB, each 1.3 MB when decoded, from several addresses', async () => {
  const status = Array.from({ length: 20_000 }, () => ({}));
  const object = { ...claim, metadata: { name: 'clusterset.k8s.io' }, spec: { value: 'fleet' }, status };
  const body = JSON.stringify(reviewOf({ name: 'clusterset.k8s.io', object }));
  const answers = await Promise.all(Array.from({ length: REVIEWS }, (_, nth) => post(body, nth)));
  // Those that have a place are told that the cluster does not answer, all others that there are too many.
  expect(answers.filter((status) => status === 200).length).toBeGreaterThan(0);
  expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(served.process.exitCode).toBeNull();
  expect(await served.allows()).toBe(true);
}, 120_000);

/** The status of the answer, or why there is none. */
async function post(body: string, nth: number): Promise<number | string> {
  const localAddress = `127.0.0.${2 + (nth % ADDRESSES)}`;
  const sent = exchange({ port: served.port, ca: served.ca, path: '/validate?timeout=5s', localAddress }, body);
  return sent.then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
}

function kubeconfig(server: Server): string {
  const { port } = server.address() as AddressInfo;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    // Over http it is a matter of course that nobody vouches for it.
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: { token: 't' } }],
  };
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

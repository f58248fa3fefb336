/**
 * `muster certs --secret` on a real API server: runs at the same moment, and handshakes while it rotates. What it makes
 * of a bad Secret: test/unit/certificates/secret-rotation.test.ts.
 */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueCertificates } from '../../../src/certificates/issue.ts';
import { type Renewal, renew } from '../../../src/cli/certs/renew.ts';
import { namesOf } from '../../../src/cli/certs/run.ts';
import { type ApiClient, openCluster } from '../../../src/cluster/live/client.ts';
import { NAMESPACE, SERVER, WEBHOOKS } from '../../../src/manifests/names.ts';
import { bundlesOf, certs, install, mount } from './certs/cluster.ts';
import { repeat } from './certs/load.ts';
import {
  type ControlPlane,
  registerService,
  say,
  secretOf,
  startControlPlane,
  startMuster,
  TLS_SECRET,
} from './harness/index.ts';
import { inventory, managed } from './verbs/objects.ts';

const NAMES = namesOf({ namespace: NAMESPACE, name: SERVER });
const ROTATIONS = 5;
let controlPlane: ControlPlane;
let kubeconfig: string;
let api: ApiClient;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await install(controlPlane);
  kubeconfig = controlPlane.kubeconfig('muster-certs');
  api = await openCluster({ kubeconfig });
});
afterAll(async () => {
  api?.close();
  await controlPlane?.stop();
});

test('10 simultaneous runs on an empty Secret make one CA, and all succeed', async () => {
  const runs = await Promise.all(Array.from({ length: 10 }, () => certs(kubeconfig)));
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(10).fill({ code: 0, stderr: '' }));
  expect(runs.filter(({ stdout }) => stdout.includes('made a CA'))).toHaveLength(1);
  await expectServing();
});

test(`no handshake and no create fails during ${ROTATIONS} rotations under load`, async () => {
  // Real API servers report whole seconds. Here both clocks are one, and its fractions make the test short.
  const overlapMs = 200;
  const withFractions: ApiClient = {
    ...api,
    call: async (request) => ({ ...(await api.call(request)), date: Date.now() }),
  };
  await renewHere({});
  const folder = await mkdtemp(join(controlPlane.folder, 'mount-'));
  const kubelet = await mount(controlPlane, folder, 600);
  const muster = await startMuster({ certs: folder });
  try {
    await registerService(controlPlane, muster.port);
    const creates = repeat((nth) => create(`under-load-${nth}`), 20);
    const calls = repeat(async (nth) => {
      const trusted = await bundlesOf(controlPlane);
      return handshake(muster.port, trusted[nth % trusted.length] ?? '');
    }, 10);
    const last = 2 * ROTATIONS;
    for (let step = 0; step <= last; step++) {
      await renewHere({ rotate: step < last, overlapMs, api: withFractions });
      await sleep(overlapMs + 1000);
    }
    await Promise.all([creates.stop(), calls.stop()]);
    await kubelet.stop();
    say(`${ROTATIONS} rotations: ${calls.count} handshakes, ${creates.count} creates`);
    expect([...calls.failures, ...creates.failures]).toEqual([]);
    expect([calls.results.size, kubelet.count()]).toEqual([ROTATIONS + 1, ROTATIONS + 1]);
    expect(Math.min(creates.count, calls.count)).toBeGreaterThan(50);
    await expectServing();
  } finally {
    await muster.stop();
  }
});

/** One run, in this process. */
function renewHere(more: Partial<Renewal>): Promise<void> {
  return renew({
    api,
    secret: { namespace: NAMESPACE, name: TLS_SECRET },
    names: NAMES,
    webhook: WEBHOOKS,
    overlapMs: 1000,
    rotate: false,
    issue: issueCertificates,
    clock: Date.now,
    pause: () => sleep(50),
    print: () => {},
    ...more,
  });
}

/** The Secret holds one CA and a leaf of it, and every webhook trusts it. */
async function expectServing(): Promise<void> {
  const { 'ca.crt': ca = '', ...rest } = await secretOf(controlPlane);
  expect(Object.keys(rest).sort()).toEqual(['tls.crt', 'tls.key']);
  expect(ca.split('BEGIN CERTIFICATE')).toHaveLength(2);
  await expectTrusted();
}

/** Every webhook trusts the Secret's CAs, of which one issued the leaf in use. */
async function expectTrusted(): Promise<void> {
  const { 'ca.crt': ca = '', 'tls.crt': leaf = '' } = await secretOf(controlPlane);
  expect(new Set(await bundlesOf(controlPlane))).toEqual(new Set([ca]));
  const cas = ca.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const shown = new X509Certificate(leaf);
  expect(cas.some((one) => shown.verify(new X509Certificate(one).publicKey))).toBe(true);
  expect(NAMES.every((name) => shown.checkHost(name))).toBe(true);
}

/**
 * Creates an object that both webhooks are called for. The mutating one may fail under Ignore, so its label is checked.
 */
async function create(name: string): Promise<string> {
  const path = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters';
  const { status, body } = await controlPlane.api('jane').call('POST', path, inventory(name, managed('m')));
  if (status !== 201) throw new Error(`${status} ${body.message}`);
  if (body.metadata.labels?.['x-k8s.io/cluster-manager'] !== 'm') throw new Error('the mutating webhook failed');
  return 'created';
}

/** Makes a handshake that trusts this CA only, and returns the fingerprint of the certificate. */
async function handshake(port: number, ca: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername: NAMES[0] ?? '' });
  await once(socket, 'secureConnect');
  const { fingerprint256 = '' } = socket.getPeerX509Certificate() ?? {};
  socket.destroy();
  return fingerprint256;
}

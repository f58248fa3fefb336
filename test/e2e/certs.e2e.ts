/** `muster certs --secret` against a real API server: its Secret, its webhook configurations, its rights, its handshakes. */
import { X509Certificate } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Renewal, renew } from '../../src/cli/certs/renew.ts';
import { namesOf } from '../../src/cli/certs/run.ts';
import { type ApiClient, openCluster } from '../../src/cluster/live/client.ts';
import { NAMESPACE, SERVER, TLS_SECRET, WEBHOOKS } from '../../src/manifests/names.ts';
import { issueCertificates } from '../../src/tls/issue.ts';
import { bundles, certs, given, held, install, overwrite, register, SECRET_PATH, unregister } from './certs/cluster.ts';
import { mount } from './certs/kubelet.ts';
import { create, handshake, keepDoing } from './certs/load.ts';
import {
  type ControlPlane,
  freePort,
  type Muster,
  say,
  settled,
  startControlPlane,
  startMuster,
} from './harness/index.ts';

const NAMES = namesOf({ namespace: NAMESPACE, name: SERVER });
let controlPlane: ControlPlane;
let kubeconfig: string;
let api: ApiClient;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await install(controlPlane);
  kubeconfig = controlPlane.kubeconfig('muster-certs');
  api = openCluster({ kubeconfig });
});
afterAll(async () => {
  api?.close();
  await controlPlane?.stop();
});

test('20 simultaneous runs on an empty Secret: one CA, all exit 0', async () => {
  const begun = Date.now();
  const runs = await Promise.all(Array.from({ length: 20 }, () => certs(kubeconfig)));
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(20).fill({ code: 0, stderr: '' }));
  await expectServing();
  const { body } = await controlPlane.api('admin').call('GET', SECRET_PATH);
  const makers = runs.filter(({ stdout }) => stdout.includes('made a CA')).length;
  expect({ makers, type: body.type }).toEqual({ makers: 1, type: 'Opaque' });
  say(`20 simultaneous muster certs on an empty Secret: 1 CA, exit 0 for all, ${Date.now() - begun} ms`);
});

test('to apply the manifests again leaves the keys alone, and a run then writes nothing', async () => {
  const before = await held(controlPlane);
  for (const how of [['--server-side', '--force-conflicts'], []]) {
    const { code, stderr } = await controlPlane.kubectl('admin', ['apply', ...how, '-f', '-'], [...given]);
    expect({ code, stderr: stderr.replace(/Warning: .*last-applied.*\n/g, '') }).toEqual({ code: 0, stderr: '' });
  }
  await register(controlPlane);
  expect(await held(controlPlane)).toEqual(before);
  const version = async () => (await controlPlane.api('admin').call('GET', SECRET_PATH)).body.metadata.resourceVersion;
  const stood = await version();
  const { code, stdout } = await certs(kubeconfig);
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 0,
    lines: [
      expect.stringMatching(/: the certificate is good until 20/),
      expect.stringMatching(/^Next: a rotation begins/),
    ],
  });
  expect(await version()).toBe(stood);
  await expectServing();
});

describe('20 rotations under load', () => {
  /** Real API servers tell whole seconds; here both clocks are one, and its fractions make the test short. */
  const OVERLAP_MS = 200;
  const LAG_MS = 600;
  let muster: Muster | undefined;
  afterAll(async () => void (await muster?.stop()));

  test('no handshake fails, and no create', async () => {
    await renewHere({});
    const folder = await mkdtemp(join(controlPlane.folder, 'mount-'));
    const kubelet = await mount(folder, () => held(controlPlane), LAG_MS);
    muster = await startMuster({ certs: folder });
    await register(controlPlane, muster.port);
    await settled(controlPlane);
    const { port } = muster;
    const jane = controlPlane.api('jane');
    const creates = keepDoing((nth) => create(jane, `under-load-${nth}`), 20);
    const calls = keepDoing(async (nth) => {
      const trusted = await bundles(controlPlane);
      return handshake(port, trusted[nth % trusted.length] ?? '', NAMES[0] ?? '');
    }, 10);
    const begun = Date.now();
    for (let step = 0; step < 41; step++) {
      await renewHere({ rotate: step < 40, overlapMs: OVERLAP_MS, api: withFractions(api) });
      await sleep(OVERLAP_MS + 1000);
    }
    await Promise.all([creates.stop(), calls.stop()]);
    await kubelet.stop();
    say(
      `20 rotations in ${Math.round((Date.now() - begun) / 1000)} s under load: ${calls.count} handshakes, ${calls.failures.length} failed; ` +
        `${creates.count} creates, ${creates.failures.length} failed; ${calls.seen.size} certificates shown, ${kubelet.mounted()} mounted`,
    );
    const distinct = [calls, creates].map(({ failures }) => [...new Set(failures)]);
    expect({ handshakes: distinct[0], creates: distinct[1] }).toEqual({ handshakes: [], creates: [] });
    expect({ shown: calls.seen.size, mounted: kubelet.mounted() }).toEqual({ shown: 21, mounted: 21 });
    expect(Math.min(creates.count, calls.count)).toBeGreaterThan(200);
    await expectServing();
    expect(await muster.stop()).toBe(0);
  });
});

describe('a run that ends anywhere', () => {
  test.each(['begins a rotation', 'puts the leaf to use', 'drops the old CA', 'makes a first certificate'])(
    'the next one goes on: %s',
    async (stage) => {
      if (stage.endsWith('first certificate')) await overwrite(controlPlane, {});
      let crashes = 0;
      for (let calls = 1; ; calls++) {
        const ended = await renewHere({
          rotate: stage === 'begins a rotation',
          overlapMs: 0,
          api: endingAfter(calls),
        }).then(
          () => true,
          (error: Error) => error.message !== 'crash',
        );
        if (ended) break;
        crashes++;
      }
      expect(crashes).toBeGreaterThan(3);
      const { 'ca.crt': ca = '', 'tls.crt': leaf = '' } = await held(controlPlane);
      expect(new Set(await bundles(controlPlane))).toEqual(new Set([ca]));
      expect(isTrusted(leaf, ca)).toBe(true);
      await sleep(2000); // whole seconds
    },
  );
});

describe('bad input', () => {
  test.each([
    ['no PEM', { 'tls.crt': 'x', 'tls.key': 'y', 'ca.crt': 'z' }, 'tls.crt is no PEM certificate'],
    ['nothing but a CA', { 'ca.crt': 'z' }, 'it holds none yet'],
  ])('rubbish in the Secret is named, and replaced: %s', async (_, data, why) => {
    await overwrite(controlPlane, data);
    const { code, stdout } = await certs(kubeconfig);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`(${why})`) });
    const { 'ca.crt': ca = '', 'tls.crt': leaf = '' } = await held(controlPlane);
    expect(isTrusted(leaf, ca)).toBe(true);
    expect(new Set(await bundles(controlPlane))).toEqual(new Set([ca]));
  });

  test("somebody else's good certificate stays", async () => {
    const { cert, key, ca } = await issueCertificates({ names: NAMES, caName: 'Our own' });
    const theirs = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca };
    await overwrite(controlPlane, theirs);
    const { code, stderr } = await certs(kubeconfig, '--rotate');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^error: .* muster did not make .*Our own/),
    });
    expect(await held(controlPlane)).toEqual(theirs);
    await overwrite(controlPlane, {});
  });

  test('no right to do it: said with what is needed', async () => {
    const { code, stderr } = await certs(controlPlane.kubeconfig('stranger'));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: GET .*forbidden.*needed are get and update on Secret muster-system\/muster-tls .*\n$/,
    );
  });

  test('no Secret: our role may not make one, and says so; who may, does', async () => {
    await controlPlane.api('admin').call('DELETE', SECRET_PATH);
    const refused = await certs(kubeconfig);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^error: POST .*forbidden.*where the Secret is gone, apply muster's manifests again/,
      ),
    });
    const { code, stderr } = await certs(controlPlane.kubeconfig('admin'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expectServingOrPromoted();
  });

  test('a Secret for TLS, which must have both keys and may have them empty', async () => {
    const admin = controlPlane.api('admin');
    await admin.call('DELETE', SECRET_PATH);
    const secret = {
      metadata: { name: TLS_SECRET },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': '', 'tls.key': '' },
    };
    expect(await admin.call('POST', SECRET_PATH.slice(0, SECRET_PATH.lastIndexOf('/')), secret)).toMatchObject({
      status: 201,
    });
    expect(await certs(kubeconfig)).toMatchObject({ code: 0, stderr: '' });
    await expectServingOrPromoted();
  });

  test('no webhook configurations: said, and mended once they are there', async () => {
    await unregister(controlPlane);
    const { code, stderr } = await certs(kubeconfig, '--rotate');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('neither a ValidatingWebhookConfiguration nor'),
    });
    await register(controlPlane);
    expect(await certs(kubeconfig)).toMatchObject({ code: 0 });
    await expectServingOrPromoted();
  });

  test('nobody answers', async () => {
    const url = `https://127.0.0.1:${await freePort()}`;
    const { code, stderr } = await certs(controlPlane.kubeconfig('muster-certs', { url }));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: the API server at ${url} can't be reached (ECONNREFUSED)\n`,
    });
  });
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

/** The API server runs on this machine's clock. */
function withFractions(client: ApiClient): ApiClient {
  return { ...client, call: async (request) => ({ ...(await client.call(request)), date: Date.now() }) };
}

/** Answers so many calls; the next is done, but nobody hears of it. */
function endingAfter(calls: number): ApiClient {
  let left = calls;
  return {
    ...api,
    async call(request) {
      const answer = await api.call(request);
      if (--left < 0) throw new Error('crash');
      return answer;
    },
  };
}

/** One CA, told to every webhook, and a leaf of it. */
async function expectServing(): Promise<void> {
  const { 'ca.crt': ca = '', 'tls.crt': leaf = '', ...rest } = await held(controlPlane);
  expect(Object.keys(rest)).toEqual(['tls.key']);
  expect(ca.split('BEGIN CERTIFICATE')).toHaveLength(2);
  expect(new Set(await bundles(controlPlane))).toEqual(new Set([ca]));
  expect(isTrusted(leaf, ca)).toBe(true);
}

/** The same, but for CAs of leaves that servers may still show. */
async function expectServingOrPromoted(): Promise<void> {
  const { 'ca.crt': ca = '', 'tls.crt': leaf = '', 'next.tls.crt': next } = await held(controlPlane);
  expect(next).toBeUndefined();
  expect(new Set(await bundles(controlPlane))).toEqual(new Set([ca]));
  expect(isTrusted(leaf, ca)).toBe(true);
}

function isTrusted(leaf: string, bundle: string): boolean {
  const cas = bundle.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const shown = new X509Certificate(leaf);
  return (
    cas.some((ca) => shown.verify(new X509Certificate(ca).publicKey)) && NAMES.every((name) => shown.checkHost(name))
  );
}

import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { SINCE } from '../../../src/cli/certs/cluster-secret.ts';
import { type Renewal, renew } from '../../../src/cli/certs/renew.ts';
import { namesOf } from '../../../src/cli/certs/run.ts';
import { ClusterError, type ClusterErrorCode } from '../../../src/cluster/live/errors.ts';
import { issueCertificates } from '../../../src/tls/issue.ts';
import {
  encode,
  fill,
  type Hooks,
  MUTATING,
  newStore,
  register,
  SECRET,
  SECRET_PATH,
  type Store,
  VALIDATING,
} from './store.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const names = namesOf({ namespace: 'muster-system', name: 'muster' });

describe('one run', () => {
  test('on an empty Secret makes a CA and a certificate, writes the CA into every webhook, and says when to come again', async () => {
    const store = newStore(NOON);
    expect(await run(store)).toEqual([
      'Secret muster-system/muster-tls: made a CA and a certificate until 2026-08-30T12:00:00Z (it holds none yet)',
      'ValidatingWebhookConfiguration muster: wrote the caBundle',
      'MutatingWebhookConfiguration muster: wrote the caBundle',
      'Secret muster-system/muster-tls: put the new certificate to use',
      'Secret muster-system/muster-tls: the certificate is good until 2026-08-30T12:00:00Z',
      'Next: a rotation begins in a run from 2026-07-31T11:40:00Z on',
    ]);
    expectServing(store);
    expect(store.objects.get(SECRET_PATH)).toMatchObject({ type: 'Opaque', metadata: { labels: { a: 'b' } } });
    expect(store.value('next.tls.key')).toBe('');
  });

  test('makes the Secret when there is none, and needs no webhook of both kinds', async () => {
    const store = newStore(NOON);
    store.objects.delete(SECRET_PATH);
    store.objects.delete(MUTATING);
    expect(await run(store)).toContain('MutatingWebhookConfiguration muster: there is none, left out');
    expectServing(store);
  });

  test('writes nothing when nothing is due', async () => {
    const store = newStore(NOON);
    await run(store);
    store.writes.length = 0;
    store.now += 30 * DAY;
    expect(await run(store)).toHaveLength(2);
    expect(store.writes).toEqual([]);
  });

  test('--rotate begins one, once, and after the last step of another', async () => {
    const store = newStore(NOON);
    await run(store);
    const seen = new Set<string>([store.value('tls.crt')]);
    for (let step = 0; step < 6; step++) {
      const lines = await run(store, { rotate: true });
      expect(lines.filter((line) => line.includes('made a CA'))).toHaveLength(step % 2 === 0 ? 1 : 0);
      seen.add(store.value('tls.crt'));
      store.now += HOUR + 1000;
    }
    expect(seen.size).toBe(4);
    expect(casIn(store)).toBe(2);
  });

  test('restores a caBundle, without CAs of others, and leaves other keys of the Secret as they are', async () => {
    const store = newStore(NOON);
    await run(store);
    const bytes = Buffer.of(0, 255, 128).toString('base64');
    const secret = store.objects.get(SECRET_PATH) ?? {};
    store.put(SECRET_PATH, { ...secret, data: { ...(secret['data'] as object), theirs: bytes } });
    const { ca } = await issueCertificates({ names });
    register(store, store.value('ca.crt') + ca);
    expect(await run(store)).toHaveLength(4);
    expectServing(store);
    await run(store, { rotate: true });
    expect(store.objects.get(SECRET_PATH)).toMatchObject({ data: { theirs: bytes } });
  });

  test('leaves a webhook that is called by a URL alone, unless it holds the CA of the Secret already', async () => {
    const store = newStore(NOON);
    await run(store);
    const { ca } = await issueCertificates({ names });
    const own = store.value('ca.crt');
    const byUrl = (bundle: string) => ({ name: 'x.y.z', clientConfig: { url: 'https://x', caBundle: encode(bundle) } });
    const configuration = store.objects.get(VALIDATING) ?? {};
    const webhooks = [...(configuration['webhooks'] as []), byUrl(ca), byUrl(''), byUrl(ca + own)];
    store.put(VALIDATING, { ...configuration, webhooks });
    await run(store, { rotate: true });
    const both = store.value('ca.crt');
    expect(casIn(store)).toBe(2);
    expect(store.bundles()).toEqual([both, both, ca, '', both, both]);
  });

  test('prints nothing of a key', async () => {
    const store = newStore(NOON);
    const lines = [...(await run(store)), ...(await run(store, { rotate: true }))].join('\n');
    for (const key of ['tls.key', 'next.tls.key']) {
      for (const line of store.value(key).split('\n').slice(1, -2)) expect(lines).not.toContain(line);
    }
  });
});

describe('a run ends with an error', () => {
  test('for a good certificate that muster did not make', async () => {
    const store = newStore(NOON);
    const theirs = await issueCertificates({ names, caName: 'Evil\u001b[2J', now: new Date(NOON) });
    fill(store, { 'tls.crt': theirs.cert, 'tls.key': theirs.key, 'ca.crt': theirs.ca });
    await expect(run(store)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(
        /^Secret muster-system\/muster-tls holds a good certificate .*\(issuer CN=Evil\\.*\)/,
      ),
    });
    expect(store.writes).toEqual([]);
  });

  test.each<[string, (store: Store) => void]>([
    ['the Secret', (store) => fill(store, {}, { 'cert-manager.io/certificate-name': 'x' })],
    ['a configuration', (store) => injected(store, 'cert-manager.io/inject-ca-from')],
  ])('where cert-manager keeps %s', async (_, change) => {
    const store = newStore(NOON);
    change(store);
    await expect(run(store)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('is kept by cert-manager'),
    });
    expect(store.writes).toEqual([]);
  });

  test('without webhooks; a first certificate is made all the same, a rotation is not begun', async () => {
    const store = newStore(NOON);
    for (const path of [VALIDATING, MUTATING]) store.objects.delete(path);
    const refused = {
      code: 'refused',
      message: expect.stringContaining(
        'neither a ValidatingWebhookConfiguration nor a MutatingWebhookConfiguration "muster"',
      ),
    };
    await expect(run(store)).rejects.toMatchObject(refused);
    const made = store.value('tls.crt');
    expect(made).not.toBe('');
    await expect(run(store, { rotate: true })).rejects.toMatchObject(refused);
    expect(store.value('tls.crt')).toBe(made);
    register(store);
    await run(store);
    expectServing(store);
  });

  test.each([31 * 60_000, -31 * 60_000])(
    'on clocks that are %d ms apart: nothing is issued or moved on, only caBundles are restored',
    async (ahead) => {
      const clock = (store: Store) => ({ clock: () => store.now + ahead });
      const store = newStore(NOON);
      const putOff = {
        code: 'put-off',
        message: expect.stringContaining(`31 minutes ${ahead > 0 ? 'ahead of' : 'behind'}`),
      };
      await expect(run(store, clock(store))).rejects.toMatchObject(putOff);
      await run(store);
      register(store);
      expect(await run(store, clock(store))).toHaveLength(4);
      expectServing(store);
      await run(store, { rotate: true });
      store.now += 2 * HOUR;
      store.writes.length = 0;
      await expect(run(store, clock(store))).rejects.toMatchObject(putOff);
      expect(store.writes).toEqual([]);
    },
  );

  test('where somebody overwrites the Secret again and again, after one certificate', async () => {
    const store = newStore(NOON);
    let put = 0;
    const vandal: Hooks = {
      after: ({ method, path }) => {
        if (method === 'PUT' && path === SECRET_PATH && ++put < 99) fill(store, { 'tls.crt': 'rubbish' });
      },
    };
    await expect(run(store, {}, vandal)).rejects.toMatchObject({
      code: 'put-off',
      message: expect.stringContaining('is no good'),
    });
    expect(put).toBe(1);
  });

  test('where somebody else always writes first', async () => {
    const store = newStore(NOON);
    const first: Hooks = {
      before: ({ method }) =>
        (method === 'PUT' && store.put(SECRET_PATH, store.objects.get(SECRET_PATH) ?? {})) || undefined,
    };
    await expect(run(store, {}, first)).rejects.toMatchObject({
      code: 'put-off',
      message: expect.stringContaining('changed by others'),
    });
    expect(store.value('tls.crt')).toBe('');
  });

  test.each<ClusterErrorCode>(['unavailable', 'timeout'])(
    'only if the API server stays %s, not if it is so for a moment',
    async (code) => {
      const store = newStore(NOON);
      let fails = 2;
      const busy: Hooks = { before: () => (fails-- > 0 ? Promise.reject(new ClusterError(code, 'busy')) : undefined) };
      await run(store, {}, busy);
      expectServing(store);
      fails = 99;
      await expect(run(store, {}, busy)).rejects.toMatchObject({ code });
    },
  );

  test.each<ClusterErrorCode>(['forbidden', 'unreachable', 'invalid'])('at once where the call is %s', async (code) => {
    let calls = 0;
    const no: Hooks = { before: () => Promise.reject(new ClusterError(code, `no ${++calls}`)) };
    await expect(run(newStore(NOON), {}, no)).rejects.toMatchObject({ code });
    expect(calls).toBe(2); // both configurations
  });
});

async function run(store: Store, more: Partial<Renewal> = {}, hooks: Hooks = {}): Promise<string[]> {
  const lines: string[] = [];
  await renew({
    api: store.client(hooks),
    secret: SECRET,
    names,
    webhook: 'muster',
    overlapMs: HOUR,
    rotate: false,
    issue: issueCertificates,
    clock: () => store.now,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    print: (line) => lines.push(line),
    ...more,
  });
  return lines;
}

/** One CA, in every webhook, and a leaf of it in use. */
function expectServing(store: Store): void {
  expect(casIn(store)).toBe(1);
  expect(new Set(store.bundles())).toEqual(new Set([store.value('ca.crt')]));
  expectTrusted(store);
}

function expectTrusted(store: Store): void {
  const leaf = new X509Certificate(store.value('tls.crt'));
  expect(leaf.checkHost('muster.muster-system.svc')).toBeDefined();
  const cas = store.value('ca.crt').match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g) ?? [];
  expect(cas.filter((ca) => leaf.verify(new X509Certificate(ca).publicKey))).toHaveLength(1);
}

function casIn(store: Store): number {
  return store.value('ca.crt').split('BEGIN CERTIFICATE').length - 1;
}

function injected(store: Store, annotation: string): void {
  const metadata = { name: 'muster', annotations: { [annotation]: 'a/b' } };
  store.put(MUTATING, { kind: 'MutatingWebhookConfiguration', metadata, webhooks: [] });
}

test('where the mark of the overlap was lost, the overlap begins again', async () => {
  const store = newStore(NOON);
  await run(store);
  await run(store, { rotate: true });
  store.now += 2 * HOUR;
  const secret = store.objects.get(SECRET_PATH) ?? {};
  expect(secret).toMatchObject({ metadata: { annotations: { [SINCE]: expect.any(String) } } });
  store.put(SECRET_PATH, { ...secret, metadata: { name: SECRET.name } });
  expect((await run(store)).at(-1)).toContain('puts the new certificate');
});

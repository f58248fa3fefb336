import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { issueCertificates } from '../../../../src/certificates/issue.ts';
import { PutOff, type Renewal, renew } from '../../../../src/cli/certs/renew.ts';
import { namesOf } from '../../../../src/cli/certs/run.ts';
import { ClusterError, type ClusterErrorCode } from '../../../../src/cluster/live/errors.ts';
import type { Hooks } from '../../../support/memory-api.ts';
import { encode, fill, MUTATING, newStore, SECRET, SECRET_PATH, type Store, VALIDATING } from './store.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const names = namesOf({ namespace: 'muster-system', name: 'muster' });

describe('one run', () => {
  test('on an empty Secret makes a CA and a certificate, writes the CA into every webhook, and says when to come again', async () => {
    const store = newStore(NOON);
    expect(await run(store)).toEqual([
      'Secret muster-system/muster-tls: made a CA and a certificate until 2026-08-30T12:00:00Z (it holds no certificate yet)',
      'ValidatingWebhookConfiguration muster: wrote the caBundle',
      'MutatingWebhookConfiguration muster: wrote the caBundle',
      'Secret muster-system/muster-tls: started to use the new certificate',
      'Secret muster-system/muster-tls: the certificate is good until 2026-08-30T12:00:00Z',
      'Next: a rotation begins in a run from 2026-07-31T11:40:00Z on',
    ]);
    expectServing(store);
    expect(store.objects.get(SECRET_PATH)).toMatchObject({ type: 'Opaque', metadata: { labels: { a: 'b' } } });
    expect(store.value('next.tls.key')).toBe('');
  });

  test('writes nothing when nothing is due', async () => {
    const store = newStore(NOON);
    await run(store);
    store.calls.length = 0;
    store.now += 30 * DAY;
    expect(await run(store)).toHaveLength(2);
    expect(writesIn(store)).toEqual([]);
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

  test('leaves other keys of the Secret as they are, whatever their bytes', async () => {
    const store = newStore(NOON);
    const bytes = Buffer.of(0, 255, 128).toString('base64');
    store.set(SECRET_PATH, { ...store.objects.get(SECRET_PATH), data: { theirs: bytes } });
    await run(store);
    expect(store.objects.get(SECRET_PATH)).toMatchObject({ data: { theirs: bytes } });
    expectServing(store);
  });

  test('leaves a webhook that is called by a URL alone, unless it holds the CA of the Secret already', async () => {
    const store = newStore(NOON);
    await run(store);
    const { ca } = await issueCertificates({ names });
    const own = store.value('ca.crt');
    const byUrl = (bundle: string) => ({ name: 'x.y.z', clientConfig: { url: 'https://x', caBundle: encode(bundle) } });
    const configuration = store.objects.get(VALIDATING) ?? {};
    const webhooks = [...(configuration['webhooks'] as []), byUrl(ca), byUrl(''), byUrl(ca + own)];
    store.set(VALIDATING, { ...configuration, webhooks });
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
      name: 'UsageError',
      message: expect.stringMatching(
        /^Secret muster-system\/muster-tls holds a good certificate .*\(issuer CN=Evil\\.*\)/,
      ),
    });
    expect(writesIn(store)).toEqual([]);
  });

  test.each<[string, (store: Store) => void]>([
    ['the Secret', (store) => fill(store, {}, { 'cert-manager.io/certificate-name': 'x' })],
    ['a configuration', (store) => injected(store, 'cert-manager.io/inject-ca-from')],
  ])('where cert-manager keeps %s', async (_, change) => {
    const store = newStore(NOON);
    change(store);
    await expect(run(store)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('is managed by cert-manager'),
    });
    expect(writesIn(store)).toEqual([]);
  });

  test.each([
    ['ahead of', 31 * 60_000],
    ['behind', -31 * 60_000],
  ])("on a clock that is 31 minutes %s the API server's: nothing is written", async (text, ahead) => {
    const store = newStore(NOON);
    await expect(run(store, { clock: () => store.now + ahead })).rejects.toMatchObject({
      constructor: PutOff,
      message: expect.stringContaining(`31 minutes ${text}`),
    });
    expect(writesIn(store)).toEqual([]);
  });

  test('where somebody overwrites the Secret again and again, after one certificate', async () => {
    const store = newStore(NOON);
    let put = 0;
    const after: Hooks['after'] = (_, { method, path }) => {
      if (method === 'PUT' && path === SECRET_PATH && ++put < 99) fill(store, { 'tls.crt': 'rubbish' });
    };
    await expect(run(store, {}, { after })).rejects.toMatchObject({
      constructor: PutOff,
      message: expect.stringContaining("can't be used"),
    });
    expect(put).toBe(1);
  });

  test.each<ClusterErrorCode>(['unavailable', 'timeout'])(
    'only if the API server stays %s, not if it is so for a moment',
    async (code) => {
      const store = newStore(NOON);
      let fails = 2;
      const busy: Partial<Hooks> = {
        before: () => (fails-- > 0 ? Promise.reject(new ClusterError(code, 'busy')) : undefined),
      };
      await run(store, {}, busy);
      expectServing(store);
      fails = 99;
      await expect(run(store, {}, busy)).rejects.toMatchObject({ code });
    },
  );

  test.each<ClusterErrorCode>(['forbidden', 'unreachable', 'invalid'])('at once where the call is %s', async (code) => {
    let calls = 0;
    const no: Partial<Hooks> = { before: () => Promise.reject(new ClusterError(code, `no ${++calls}`)) };
    await expect(run(newStore(NOON), {}, no)).rejects.toMatchObject({ code });
    expect(calls).toBe(2); // both configurations
  });
});

async function run(store: Store, more: Partial<Renewal> = {}, hooks: Partial<Hooks> = {}): Promise<string[]> {
  const lines: string[] = [];
  await renew({
    api: store.clientWith(hooks),
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
  const leaf = new X509Certificate(store.value('tls.crt'));
  expect(leaf.checkHost('muster.muster-system.svc')).toBeDefined();
  expect(leaf.verify(new X509Certificate(store.value('ca.crt')).publicKey)).toBe(true);
}

function writesIn({ calls }: Store): string[] {
  return calls.filter((call) => !call.startsWith('GET'));
}

function casIn(store: Store): number {
  return store.value('ca.crt').split('BEGIN CERTIFICATE').length - 1;
}

function injected(store: Store, annotation: string): void {
  const metadata = { name: 'muster', annotations: { [annotation]: 'a/b' } };
  store.set(MUTATING, { kind: 'MutatingWebhookConfiguration', metadata, webhooks: [] });
}

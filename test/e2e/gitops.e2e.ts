/** The recipes for Argo CD and Flux, on an API server: what they apply, in the order they say, by server-side apply as they do. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type ControlPlane, type Muster, register, startControlPlane, startMuster } from './harness/index.ts';

let controlPlane: ControlPlane;

beforeAll(async () => {
  controlPlane = await startControlPlane();
});
afterAll(() => controlPlane?.stop());

const apply = ['apply', '--server-side', '--field-manager=gitops', '-f', '-'];

describe('applied again', () => {
  const WRITTEN = [
    ['validatingwebhookconfiguration/muster', '{.webhooks[*].clientConfig.caBundle}', Array(7).fill('QUJD').join(' ')],
    ['mutatingwebhookconfiguration/muster', '{.webhooks[*].clientConfig.caBundle}', 'QUJD'],
    ['secret/muster-tls', '{.data}', '{"tls.crt":"QUJD"}'],
    ['lease/muster-ocm-cluster-claim', '{.spec.holderIdentity}', 'somebody'],
  ] as const;

  test('muster keeps what it wrote itself: CA bundles, certificates, intents', async () => {
    const { stdout: base } = await controlPlane.kubectl('admin', ['kustomize', 'manifests/base']);
    expect(await controlPlane.kubectl('admin', apply, base)).toMatchObject({ code: 0 });
    await writeAsMuster();
    const before = await Promise.all(WRITTEN.map(([name, path]) => read(name, path)));
    expect(before).toEqual(WRITTEN.map(([, , value]) => value));
    // Something else of them is changed, as by an upgrade: they are written anew.
    const next = parseAllDocuments(base).map((one) => one.toJS());
    const changed = next.filter(({ kind }) => /^(\w+WebhookConfiguration|Secret|Lease)$/.test(kind));
    for (const { metadata } of changed) metadata.annotations = { next: 'yes' };
    expect(await controlPlane.kubectl('admin', apply, changed)).toMatchObject({ code: 0 });
    for (const [name] of WRITTEN) expect(await read(name, '{.metadata.annotations.next}')).toBe('yes');
    expect(await Promise.all(WRITTEN.map(([name, path]) => read(name, path)))).toEqual(before);
    await controlPlane.kubectl('admin', [
      'delete',
      'validatingwebhookconfiguration,mutatingwebhookconfiguration',
      'muster',
    ]);
  });

  async function writeAsMuster(): Promise<void> {
    for (const kind of ['validating', 'mutating']) {
      const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/muster`;
      const { body } = await controlPlane.api('admin').call('GET', path);
      for (const webhook of body.webhooks) webhook.clientConfig.caBundle = 'QUJD';
      await controlPlane.api('admin').call('PUT', path, body);
    }
    await patch('secret/muster-tls', { data: { 'tls.crt': 'QUJD' } });
    await patch('lease/muster-ocm-cluster-claim', { spec: { holderIdentity: 'somebody' } });
  }

  async function patch(name: string, change: object): Promise<void> {
    const args = ['patch', name, '-n', 'muster-system', '--type=merge', `--patch=${JSON.stringify(change)}`];
    expect(await controlPlane.kubectl('admin', args)).toMatchObject({ code: 0 });
  }

  async function read(name: string, path: string): Promise<string> {
    const args = ['get', name, '-n', 'muster-system', `--output=jsonpath=${path}`];
    return (await controlPlane.kubectl('admin', args)).stdout;
  }
});

describe('the claims, with muster on guard', () => {
  const claims = parseAllDocuments(readFileSync('integrations/argocd/claims.yaml', 'utf8')).map((one) => one.toJS());
  const [id, membership] = [...claims].sort((a, b) => wave(a) - wave(b));
  let muster: Muster;

  beforeAll(async () => {
    muster = await startMuster({ controlPlane });
    await register(controlPlane, muster);
  });
  afterAll(() => muster?.stop());

  function wave({ metadata }: { metadata: { annotations: Record<string, string> } }): number {
    return Number(metadata.annotations['argocd.argoproj.io/sync-wave']);
  }
  const remove = (name: string) =>
    controlPlane.kubectl('jane', ['delete', 'clusterclaims.multicluster.x-k8s.io', name]);

  test('come by their waves without a warning, and go from the last wave on', async () => {
    for (const claim of [id, membership]) {
      const { code, stderr } = await controlPlane.kubectl('jane', apply, claim);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    expect((await remove('id.k8s.io')).stderr).toContain('[claim/id-present-in-clusterset]');
    expect(await remove('clusterset.k8s.io')).toMatchObject({ code: 0 });
    expect(await remove('id.k8s.io')).toMatchObject({ code: 0 });
  });

  test('the membership before the id is warned of', async () => {
    expect((await controlPlane.kubectl('jane', apply, membership)).stderr).toContain('[claim/clusterset-requires-id]');
    expect(await remove('clusterset.k8s.io')).toMatchObject({ code: 0 });
  });
});

/** An installation by what is printed and by kustomize: applied twice, held to its rights, called through its Service. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { LEASES, NAMESPACE } from '../../src/manifests/names.ts';
import {
  type ControlPlane,
  createApi,
  type Json,
  type Muster,
  say,
  settled,
  startControlPlane,
  startMuster,
  until,
} from './harness/index.ts';
import {
  foreignKinds,
  kubeconfigOf,
  leadServiceTo,
  manifests,
  mountCertificate,
  runCertsJob,
} from './install/steps.ts';

let controlPlane: ControlPlane;
let muster: Muster | undefined;
let printed: string;

beforeAll(async () => {
  [controlPlane, printed] = await Promise.all([
    startControlPlane({ controllerManager: true, crds: 'none' }),
    manifests('--image', 'registry.example.com/muster:test'),
  ]);
  await controlPlane.apply(...foreignKinds());
});
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

/** As the administrator, with a warning counting as an error. */
const apply = (args: readonly string[], text?: string) =>
  controlPlane.kubectl('admin', ['apply', '--warnings-as-errors', ...args], text);
const get = async (path: string): Promise<Json> => (await controlPlane.api('admin').call('GET', path)).body;
const inNamespace = (group: string, resource: string) => `${group}/namespaces/${NAMESPACE}/${resource}`;
const LEASE = inNamespace('/apis/coordination.k8s.io/v1', `leases/${LEASES[0]}`);
const SECRET = inNamespace('/api/v1', 'secrets/muster-tls');

/** All that is installed, without what the cluster writes into it by itself. */
async function standing(): Promise<Json[]> {
  const { stdout } = await controlPlane.kubectl('admin', ['get', '-f', '-', '-o', 'json'], printed);
  return JSON.parse(stdout).items.map(({ status: _, metadata, ...rest }: Json) => {
    const { resourceVersion: __, managedFields: ___, ...kept } = metadata;
    return { ...rest, metadata: kept };
  });
}

/** The server holds an intent, and the certificate job has filled the Secret: not in any manifest, and not to be lost. */
async function beginToUse(): Promise<void> {
  const api = controlPlane.api('admin');
  const lease = await get(LEASE);
  const spec = { holderIdentity: 'held', leaseDurationSeconds: 60, leaseTransitions: 1 };
  expect((await api.call('PUT', LEASE, { ...lease, spec })).status).toBe(200);
  const secret = await get(SECRET);
  expect((await api.call('PUT', SECRET, { ...secret, data: { 'tls.crt': 'eA==' } })).status).toBe(200);
}

async function expectInUse(): Promise<void> {
  expect((await get(LEASE)).spec).toMatchObject({ holderIdentity: 'held' });
  expect((await get(SECRET)).data).toEqual({ 'tls.crt': 'eA==' });
}

async function uninstall(text: string): Promise<void> {
  // A definition that was made and taken away twice within seconds can take the API server, when busy, more than a minute to end.
  const { code, stderr } = await controlPlane.kubectl('admin', ['delete', '--timeout=100s', '-f', '-'], text);
  if (code !== 0) throw new Error(`not all is gone: ${stderr}`);
}

const count = () => parseAllDocuments(printed).length;

describe.each([
  { way: 'client-side', flags: [] },
  { way: 'server-side', flags: ['--server-side'] },
])('what is printed, applied $way', ({ flags }) => {
  const args = [...flags, '-f', '-'];

  test('is taken without a warning', async () => {
    const { code, stdout, stderr } = await apply(args, printed);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(count());
  });

  test('and again, changing nothing: neither an intent that is held nor a key', async () => {
    await beginToUse();
    const before = await standing();
    const { code, stderr } = await apply(args, printed);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await standing()).toEqual(before);
    await expectInUse();
  });

  test('the pods are let in: two servers and a job', async () => {
    const path = inNamespace('/api/v1', 'pods');
    await until('three pods', async () => (await get(path)).items.length === 3);
    const events = await get(inNamespace('/api/v1', 'events'));
    const refused = events.items.filter(({ message }: Json) => /PodSecurity|forbidden: (?!.*quota)/.test(message));
    expect(refused.map(({ message }: Json) => message)).toEqual([]);
  });

  test('and taken away, leaving nothing', async () => {
    await uninstall(printed);
    const kinds = [
      'all',
      'secrets',
      'configmaps',
      'leases',
      'roles',
      'rolebindings',
      'networkpolicies',
      'pdb',
      'quota',
      'sa',
    ];
    const wide = ['namespaces', 'crds', 'clusterroles', 'clusterrolebindings', 'flowschemas'];
    const registered = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
    const left = [
      'get',
      [...kinds, ...wide, ...registered].join(),
      '-A',
      '-l',
      'app.kubernetes.io/part-of=muster',
      '-o',
      'name',
    ];
    expect(await controlPlane.kubectl('admin', left)).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('by kustomize', () => {
  test('the base is what is printed', async () => {
    const [base, all] = [await controlPlane.kubectl('admin', ['kustomize', 'manifests/base']), await manifests()];
    expect(objectsOf(base.stdout)).toEqual(objectsOf(all));
  });

  test('the base is taken without a warning, and again without a change', async () => {
    const first = await apply(['-k', 'manifests/base']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const before = await standing();
    expect(await apply(['-k', 'manifests/base'])).toMatchObject({ code: 0, stderr: '' });
    expect(await standing()).toEqual(before);
  });

  test.each(['first-rollout', 'ha', 'url', 'cert-manager'])('%s is taken, upon the base', async (overlay) => {
    await controlPlane.apply(...certManagerKinds());
    const { code, stderr } = await apply(['--dry-run=server', '-k', `manifests/overlays/${overlay}`]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('what the overlays change', () => {
  const build = async (folder: string) => {
    const { code, stdout, stderr } = await controlPlane.kubectl('admin', ['kustomize', folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return objectsOf(stdout);
  };
  const registrations = (objects: Json[]) => objects.filter(({ kind }) => kind.endsWith('WebhookConfiguration'));
  const webhooksOf = (objects: Json[]) => registrations(objects).flatMap(({ webhooks }) => webhooks);
  const one = (objects: Json[], kind: string) => objects.find((object) => object.kind === kind);

  test('first-rollout: everything warns, and nobody waits', async () => {
    const objects = await build('manifests/overlays/first-rollout');
    expect(one(objects, 'ConfigMap').data['muster.yaml']).toContain('mode: warn');
    const strict = webhooksOf(await build('manifests/base'));
    const ignoring = strict.map((webhook: Json) => ({ ...webhook, failurePolicy: 'Ignore' }));
    expect(webhooksOf(objects)).toEqual(ignoring);
  });

  test('ha: three servers, never two more in a zone', async () => {
    const { replicas, template } = one(await build('manifests/overlays/ha'), 'Deployment').spec;
    const [zone] = template.spec.topologySpreadConstraints;
    expect([replicas, zone.topologyKey, zone.whenUnsatisfiable]).toEqual([
      3,
      'topology.kubernetes.io/zone',
      'DoNotSchedule',
    ]);
  });

  test('cert-manager: nothing of the certificate job, and the CA comes from the Certificate that fills the Secret', async () => {
    const objects = await build('manifests/overlays/cert-manager');
    expect(JSON.stringify(objects)).not.toContain('muster-certs');
    const made = objects.filter(({ kind }) => kind === 'Certificate');
    const leaf = made.find(({ spec }) => spec.secretName === 'muster-tls');
    for (const { metadata } of registrations(objects))
      expect(metadata.annotations['cert-manager.io/inject-ca-from']).toBe(`${NAMESPACE}/${leaf.metadata.name}`);
    expect(leaf.spec.dnsNames).toContain(`muster.${NAMESPACE}.svc`);
  });

  test('url: host and CA of a copy go into every webhook, and into nothing else', async () => {
    const copy = join(controlPlane.folder, 'manifests');
    cpSync('manifests', copy, { recursive: true });
    const file = join(copy, 'overlays/url/address.yaml');
    const edited = readFileSync(file, 'utf8')
      .replace('muster.example.com:8443', 'fleet.example:443')
      .replace('""', 'Y2E=');
    writeFileSync(file, edited);
    const objects = await build(join(copy, 'overlays/url'));
    for (const { name, clientConfig } of webhooksOf(objects)) {
      const path = name.split('.')[1];
      expect(clientConfig).toEqual({ url: `https://fleet.example:443/${path}`, caBundle: 'Y2E=' });
    }
    expect(objects.filter(({ kind }) => ['ConfigMap', 'Deployment', 'Secret', 'Job'].includes(kind))).toEqual([]);
  });
});

describe('with exactly these rights', () => {
  test('the job makes a certificate, and the API server is told its CA', async () => {
    const { code, stdout, stderr } = await runCertsJob(controlPlane);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('PRIVATE');
    const { webhooks } = await get('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster');
    const { data } = await get(SECRET);
    for (const { clientConfig } of webhooks) expect(clientConfig.caBundle).toBe(data['ca.crt']);
  });

  test('what is applied again takes neither key nor CA away', async () => {
    const { data } = await get(SECRET);
    for (const flags of [[], ['--server-side', '--force-conflicts']])
      expect(await apply([...flags, '-k', 'manifests/base'])).toMatchObject({ code: 0, stderr: '' });
    expect((await get(SECRET)).data).toEqual(data);
    const { webhooks } = await get('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/muster');
    expect(webhooks[0].clientConfig.caBundle).toBe(data['ca.crt']);
  });

  test('the server comes up on the mounted Secret, and is called through its Service', async () => {
    const certs = await mountCertificate(controlPlane);
    const kubeconfig = await kubeconfigOf(controlPlane, 'muster');
    muster = await startMuster({ certs, args: ['--kubeconfig', kubeconfig] });
    await leadServiceTo(controlPlane, muster.port);
    await settled(controlPlane);
    const refused = await controlPlane.kubectl('jane', ['create', '-f', '-'], claim('mine.k8s.io', 'a'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[claim/reserved-name]') });
  });

  test('it takes an intent for an identity write, reads the claims, and refuses what breaks a rule', async () => {
    const create = (name: string, value: string) =>
      controlPlane.kubectl('jane', ['create', '-f', '-'], claim(name, value));
    expect(await create('id.k8s.io', 'pier-7')).toMatchObject({ code: 0 });
    expect(await create('clusterset.k8s.io', 'fleet')).toMatchObject({ code: 0, stderr: '' });
    expect((await get(LEASE)).spec.holderIdentity).toMatch(/^\S{16,}$/);
    const changed = await controlPlane.kubectl('jane', ['apply', '-f', '-'], claim('id.k8s.io', 'pier-8'));
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('[claim/id-immutable-in-clusterset]') });
  });

  test.each([
    {
      account: 'muster',
      may: [
        'clusterclaims.cluster.open-cluster-management.io [id.k8s.io] [get]',
        'clusterclaims.cluster.open-cluster-management.io [clusterset.k8s.io] [get]',
        'clusterclaims.multicluster.x-k8s.io [id.k8s.io] [get]',
        'clusterclaims.multicluster.x-k8s.io [clusterset.k8s.io] [get]',
        'clusterproperties.about.k8s.io [cluster.clusterset.k8s.io] [get]',
        'clusterproperties.about.k8s.io [id.k8s.io] [get]',
        'clusterproperties.about.k8s.io [clusterset.k8s.io] [get]',
        ...LEASES.map((name) => `leases.coordination.k8s.io [${name}] [get update]`),
      ],
    },
    {
      account: 'muster-certs',
      may: [
        'secrets [muster-tls] [get update]',
        'mutatingwebhookconfigurations.admissionregistration.k8s.io [muster] [get update]',
        'validatingwebhookconfigurations.admissionregistration.k8s.io [muster] [get update]',
      ],
    },
  ])('$account may do this and nothing else', async ({ account, may }) => {
    const rights = async (user: readonly string[]) => {
      const { stdout } = await controlPlane.kubectl('admin', [
        'auth',
        'can-i',
        '--list',
        '--no-headers',
        '-n',
        NAMESPACE,
        ...user,
      ]);
      return stdout
        .trim()
        .split('\n')
        .map((line) =>
          line
            .replace(/\s+\[\]\s+/, ' ')
            .replace(/\s{2,}/g, ' ')
            .trim(),
        );
    };
    const anyone = await rights(['--as', `system:serviceaccount:${NAMESPACE}:nobody`]);
    const own = await rights(['--as', `system:serviceaccount:${NAMESPACE}:${account}`]);
    expect(own.filter((line) => !anyone.includes(line)).sort()).toEqual([...may].sort());
  });

  test.each([
    '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims/id.k8s.io',
    '/apis/about.k8s.io/v1beta1/clusterproperties/clusterset.k8s.io',
    LEASE,
  ])('its calls do not queue behind the writes that wait for them: %s', async (path) => {
    const kubeconfig = JSON.parse(readFileSync(await kubeconfigOf(controlPlane, 'muster'), 'utf8'));
    const ca = readFileSync(controlPlane.caFile, 'utf8');
    const api = createApi(controlPlane.url, ca, kubeconfig.users[0].user.token);
    const { status, headers } = await api.call('GET', path);
    api.close();
    const schema = await get('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/muster');
    expect([200, 404]).toContain(status);
    expect(headers['x-kubernetes-pf-flowschema-uid']).toBe(schema.metadata.uid);
    expect(schema.status.conditions).toEqual([expect.objectContaining({ type: 'Dangling', status: 'False' })]);
  });

  test('the server needs no more than that: nothing it asked for was refused', async () => {
    expect(muster?.log()).not.toMatch(/forbidden/i);
    say(
      `an installation of ${count()} objects: applied client-side, server-side and by kustomize, each twice, without a warning`,
    );
  });
});

test('a server outside of the cluster is called by its URL, as printed', async () => {
  const outside = await startMuster({ args: ['--kubeconfig', await kubeconfigOf(controlPlane, 'muster')] });
  try {
    const byUrl = await manifests('--url', outside.url, '--ca-file', outside.caFile);
    await muster?.stop();
    expect(await apply(['-f', '-'], byUrl)).toMatchObject({ code: 0, stderr: '' });
    await settled(controlPlane);
    const refused = await controlPlane.kubectl('jane', ['create', '-f', '-'], claim('theirs.k8s.io', 'a'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[claim/reserved-name]') });
  } finally {
    await outside.stop();
  }
});

function objectsOf(text: string): Json[] {
  const objects = parseAllDocuments(text).map((document) => document.toJS());
  return objects.sort((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));
}

function claim(name: string, value: string) {
  return { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterClaim', metadata: { name }, spec: { value } };
}

/** Enough of cert-manager for its objects to be taken. */
function certManagerKinds(): object[] {
  return ['Issuer', 'Certificate'].map((kind) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.toLowerCase()}s.cert-manager.io` },
    spec: {
      group: 'cert-manager.io',
      scope: 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }));
}

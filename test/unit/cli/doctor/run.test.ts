/** All checks against scripted answers: versions, names, writes, and arbitrary objects everywhere. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dialects } from '../../../../src/api/dialects.ts';
import { type JsonObject, listAt, textAt } from '../../../../src/base/json.ts';
import { diagnose } from '../../../../src/cli/doctor/run.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../../../../src/cluster/live/client.ts';
import { ClusterError, type ClusterErrorCode } from '../../../../src/cluster/live/errors.ts';
import { validatingWebhookConfiguration } from '../../../../src/manifests/registration.ts';
import { requiredEnforcement } from '../../../../src/manifests/requirements.ts';
import { policyFrom } from '../../../support/configuration.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

type Answer = (request: ApiRequest) => Partial<ApiResponse> | undefined;

/** Answers as scripted; otherwise nothing exists. */
function clientOf(answer: Answer, asked: ApiRequest[] = []): ApiClient {
  return {
    server: 'https://h:6443',
    namespace: 'default',
    close: () => {},
    async call(request) {
      asked.push(request);
      const known = answer(request) ?? (request.path === '/version' ? { body: version('36') } : undefined);
      if (known === undefined) throw new ClusterError('not-found', 'no such thing', { status: 404 });
      return { body: {}, date: NOW, ...known };
    },
  };
}

const version = (minor: string): JsonObject => ({ major: '1', minor, gitVersion: `v1.${minor}.0` });
const on =
  (part: string, body: object): Answer =>
  ({ path }) =>
    path.includes(part) ? { body: body as JsonObject } : undefined;

async function look(answer: Answer, id: string) {
  const { checks } = await diagnose(clientOf(answer), { clock: () => NOW });
  const { status, message } = checks.find((check) => check.id === id) ?? {};
  return { status, message };
}

describe('the version', () => {
  test.each([
    [version('36'), 'ok'],
    [version('30+'), 'ok'],
    [version('29'), 'fail'],
    [{ ...version('0'), major: '2' }, 'ok'],
    [{}, 'warn'],
  ])('%j is %s', async (body, status) => {
    expect(await look(on('/version', body), 'cluster/version')).toMatchObject({ status });
  });
});

test('nothing installed: one check says so, and the others are left out', async () => {
  const { checks } = await diagnose(
    clientOf(() => undefined),
    { clock: () => NOW },
  );
  expect(checks.map(({ id, status }) => [id, status])).toEqual([
    ['cluster/reachable', 'ok'],
    ['cluster/version', 'ok'],
    ['cluster/installed', 'fail'],
  ]);
});

test('commands call the cluster that was checked, whatever the current context is', async () => {
  const installed: Answer = (request) => services(request) ?? on('/deployments/muster', { spec: {} })(request);
  const all = [() => undefined, services, installed].map((answer) => diagnose(clientOf(answer), { context: 'east' }));
  const remedies = (await Promise.all(all)).flatMap(({ checks }) => checks.map(({ remedy = '' }) => remedy));
  const commands = remedies.flatMap((remedy) => remedy.match(/\b(?:kubectl|helm|muster certs)(?: \S+){2}/g) ?? []);
  expect(new Set(commands)).toEqual(new Set(['kubectl --context east']));
});

test('a Service alone: what muster needs is missed, kinds that it would guard are not', async () => {
  const { checks } = await diagnose(clientOf(services), { clock: () => NOW });
  const failed = checks.filter(({ status }) => status === 'fail').map(({ id }) => id);
  expect(failed).toEqual([
    'registration/validating',
    'registration/mutating',
    'installation/namespace',
    'lease/cluster-claim',
    'lease/ocm-cluster-claim',
    'lease/cluster-property',
    'installation/rbac',
    'installation/config',
    'installation/workload',
    'certificate/secret',
  ]);
  expect(checks.find(({ id }) => id === 'workload/available')).toMatchObject({ cause: 'installation/workload' });
});

test.each([
  ['of its manifests', {}],
  ['of a Helm release', { 'meta.helm.sh/release-name': 'fleet' }],
])('a namespace that is being deleted is the cause of what is missing in it, %s', async (_, annotations) => {
  const service = on('/services/muster', { metadata: { annotations } });
  const ending = { metadata: { name: 'muster-system', deletionTimestamp: '2026-03-01T11:00:00Z' } };
  const namespace: Answer = ({ path }) =>
    path.split('?')[0] === '/api/v1/namespaces/muster-system' ? { body: ending } : undefined;
  const { checks } = await diagnose(
    clientOf((request) => service(request) ?? namespace(request)),
    { clock: () => NOW },
  );
  const id = 'installation/namespace';
  const message = 'is being deleted: nothing can be created in it';
  expect(checks.find((check) => check.id === id)).toMatchObject({
    status: 'fail',
    message,
    remedy: expect.stringMatching(/^wait until it is gone, .*: kubectl get namespace muster-system -o yaml$/),
  });
  const following = checks.filter(({ cause }) => cause === id).map((check) => check.id);
  expect(following).toEqual(expect.arrayContaining(['lease/cluster-claim', 'installation/rbac']));
});

describe('closed namespaces', () => {
  const closing = (...closedNamespaces: string[]) => policyFrom({ services: { closedNamespaces } });
  const target = { service: { namespace: 'muster-system', name: 'muster' } };
  const enforcement = requiredEnforcement(closing('payments'));
  const stored = validatingWebhookConfiguration({ ...target, enforcement });
  const notOurs = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['muster-system'] };
  const inPayments = { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['payments'] };
  const inProduction = { key: 'tier', operator: 'In', values: ['production'] };
  const differing = (path: string, expected: unknown) => ({
    status: 'fail',
    details: [expect.objectContaining({ path: `namespaceSelector.matchExpressions${path}`, expected })],
  });

  test.each([
    ['without a configuration, those that are registered count as intended', [inPayments], undefined, { status: 'ok' }],
    ['without a configuration, another selector does not', [inProduction], undefined, differing('', [notOurs])],
    ['those of the configuration are as registered', [inPayments], closing('payments'), { status: 'ok' }],
    [
      'one of the configuration is not registered',
      [inPayments],
      closing('payments', 'shop'),
      differing('[1].values', ['payments', 'shop']),
    ],
  ])('%s', async (_, expressions, policy, expected) => {
    const webhooks = stored.webhooks.map((webhook) => {
      if (!webhook.name.startsWith('service-exports.')) return webhook;
      return { ...webhook, namespaceSelector: { matchExpressions: [notOurs, ...expressions] } };
    });
    const registered = on('validatingwebhookconfigurations', { ...stored, webhooks });
    // An apply replaces selectors.
    const applied: Answer = ({ method, body }) => (method === 'PATCH' ? { body: body as JsonObject } : undefined);
    const client = clientOf((request) => applied(request) ?? registered(request));
    const configuration = policy && { file: 'muster.yaml', policy };
    const { checks } = await diagnose(client, { clock: () => NOW, configuration });
    const id = 'registration/service-exports.validate.muster';
    expect(checks.find((check) => check.id === id)).toMatchObject(expected);
  });
});

/** The Service exists, and nothing else. */
const services: Answer = ({ path }) => (path.endsWith('/services/muster') ? { body: {} } : undefined);

test('the namespace: of the option, else of the Service, else of the context, else muster-system', async () => {
  const service = { webhooks: [{ clientConfig: { service: { namespace: 'of-service', name: 's' } } }] };
  const leasesAt = async (namespace: string, answer: Answer, options = {}) => {
    const asked: ApiRequest[] = [];
    await diagnose({ ...clientOf(answer, asked), namespace }, options);
    const [, found] =
      asked.map(({ path }) => /namespaces\/([^/]+)\/leases/.exec(path)).find((each) => each !== null) ?? [];
    return found;
  };
  const registered = on('validatingwebhookconfigurations', service);
  expect(await leasesAt('default', services)).toBe('muster-system');
  expect(await leasesAt('of-context', services)).toBe('of-context');
  expect(await leasesAt('of-context', registered)).toBe('of-service');
  expect(await leasesAt('of-context', registered, { namespace: 'of-option' })).toBe('of-option');
  const items = [{ metadata: { name: 'muster', namespace: 'of-deployment' } }];
  const deployed: Answer = ({ path }) =>
    path.startsWith('/apis/apps/v1/deployments?labelSelector=') ? { body: { items } } : undefined;
  expect(await leasesAt('of-context', deployed)).toBe('of-deployment');
  expect(await leasesAt('of-context', deployed, { namespace: 'of-option' })).toBe('of-option');
});

test('a caller without credentials: one check says so, and no right is asked for', async () => {
  const reason = 'things is forbidden: User "system:anonymous" cannot get resource';
  const anonymous: Answer = ({ path }) => {
    if (path === '/version') return undefined;
    throw new ClusterError('forbidden', reason, { status: 403 });
  };
  const { checks } = await diagnose(clientOf(anonymous), { clock: () => NOW });
  expect(checks.slice(2)).toMatchObject([
    {
      id: 'cluster/installed',
      status: 'unknown',
      message: 'the API server takes you for system:anonymous, since no credentials reached it',
      remedy: expect.stringMatching(/^give the user of the kubeconfig a token/),
    },
  ]);
});

test('a namespace in which muster is not: one check says so, and has no command', async () => {
  const service = { webhooks: [{ clientConfig: { service: { namespace: 'here', name: 's' } } }] };
  const { checks } = await diagnose(clientOf(on('validatingwebhookconfigurations', service)), { namespace: 'other' });
  expect(checks.slice(2)).toEqual([
    {
      id: 'cluster/installed',
      title: 'muster in this cluster',
      status: 'fail',
      message: 'is not in other (--namespace): the webhooks call the Service s in here',
      remedy: 'name --namespace here, or leave it out',
    },
  ]);
});

test('where nothing can be read, no dry run is claimed', async () => {
  const answer: Answer = (request) => {
    if (request.path === '/version') return undefined;
    throw new ClusterError('forbidden', 'no', { status: 403 });
  };
  expect(await look(answer, 'cluster/comparison')).toEqual({
    status: 'unknown',
    message: expect.stringMatching(/^nothing was compared: can't be read: you lack the right to get /),
  });
});

test.each([
  ['forbidden', 403, /^you lack the right to patch /, /^run doctor as a user who has it/],
  ['invalid', 422, /^it is invalid$/, /^fix what refuses the dry run/],
] as const)(
  'a dry run that is refused as %s: the comparison says why, and what to do',
  async (code, status, why, fix) => {
    const namespace: Answer = ({ method, path }) => {
      if (path.split('?')[0] !== '/api/v1/namespaces/muster-system') return undefined;
      if (method === 'PATCH') throw new ClusterError(code, 'it is invalid', { status });
      return { body: { metadata: { name: 'muster-system' } } };
    };
    const { checks } = await diagnose(clientOf((request) => services(request) ?? namespace(request)));
    const comparison = checks.find(({ id }) => id === 'cluster/comparison');
    expect(comparison).toMatchObject({ status: 'warn', remedy: expect.stringMatching(fix) });
    expect(comparison?.details).toContainEqual({ message: expect.stringMatching(why) });
  },
);

test.each([
  [
    'claims.validate.muster',
    'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    'fail',
  ],
  ['claims.validate.muster', 'x509: certificate has expired or is not yet valid', 'ok'],
  ['a.example.com', 'x509: certificate signed by unknown authority', 'ok'],
])('a server outside without a CA in the webhooks, if a call of %s ends with "%s": %s', async (name, fault, status) => {
  const webhooks = [{ name: 'claims.validate.muster', clientConfig: { url: 'https://h:8443/validate' } }];
  const registered = on('validatingwebhookconfigurations', { webhooks });
  const answer: Answer = (request) => {
    if (request.path.endsWith('/about.k8s.io')) throw new ClusterError('forbidden', 'no', { status: 403 });
    if (request.method !== 'POST') return registered(request);
    throw new ClusterError('unavailable', `failed calling webhook "${name}": ${fault}`, { status: 500 });
  };
  const message = expect.stringMatching(status === 'ok' ? /^empty: / : /^is empty, and the API server's own roots/);
  expect(await look(answer, 'certificate/bundle')).toEqual({ status, message });
});

test('a configuration and a webhook that are missing: their CA comes back with them', async () => {
  const webhooks = [{ name: 'claims.validate.muster', clientConfig: { service: { namespace: 'n', name: 's' } } }];
  const registered = on('validatingwebhookconfigurations', { webhooks });
  const rotated = on('/cronjobs/muster-certs', {});
  const { checks } = await diagnose(clientOf((request) => registered(request) ?? rotated(request)));
  const remedyOf = (id: string) => checks.find((check) => check.id === `registration/${id}`)?.remedy;
  const command =
    /^muster manifests --only webhooks --namespace n \| .* -f - && muster certs --secret n\/muster-tls --service n\/s /;
  expect(remedyOf('mutating')).toMatch(command);
  expect(remedyOf('features.validate.muster')).toMatch(command);
});

test('nothing is ever written: GETs, reviews, and dry runs, of which each has its own title', async () => {
  const asked: ApiRequest[] = [];
  const everything: Answer = ({ path }) => {
    const [, api, group, version, resource] = path.split('/');
    const kinds = dialects.filter((dialect) => api === 'apis' && dialect.group === group);
    if (resource !== undefined || kinds.length === 0)
      return {
        body: { metadata: { name: 'a', namespace: 'b' }, items: [{ metadata: { name: 'a', namespace: 'b' } }] },
      };
    if (version !== undefined) return { body: { resources: kinds.map(({ plural }) => ({ name: plural })) } };
    return { body: { versions: kinds.flatMap(({ versions }) => versions.map((one) => ({ version: one }))) } };
  };
  const { checks } = await diagnose(clientOf(everything, asked));
  const titles = checks.flatMap(({ id, title }) => (id.startsWith('probe/') ? title : []));
  expect(new Set(titles).size).toBe(titles.length);
  const writes = asked.filter(({ method }) => method !== 'GET');
  const reviews = /\/(subjectaccessreviews|selfsubjectreviews)$/;
  const probes = writes.filter(({ path }) => !reviews.test(path));
  const probed = new Set(probes.map(({ path }) => path.split('/')[2]));
  for (const group of [...dialects.map((dialect) => dialect.group), 'admissionregistration.k8s.io', 'apps']) {
    expect(probed).toContain(group);
  }
  expect(writes.filter(({ path }) => path.includes('/secrets'))).toEqual([]);
  for (const { path } of probes) expect(path).toMatch(/\?dryRun=All($|&)/);
});

describe('the rights of the server', () => {
  /** Grants all rights to one group, as a RoleBinding to it would. */
  const grantedTo =
    (group: string): Answer =>
    (request) => {
      if (!request.path.endsWith('/subjectaccessreviews')) return services(request);
      return { body: { status: { allowed: listAt(request.body as JsonObject, ['spec', 'groups']).includes(group) } } };
    };

  test.each([
    ['system:serviceaccounts:muster-system', 'ok', 'warn'],
    ['system:authenticated', 'ok', 'warn'],
    ['system:masters', 'fail', 'ok'],
  ])('those of the group %s', async (group, needed, excess) => {
    expect(await look(grantedTo(group), 'permission/needed')).toMatchObject({ status: needed });
    expect(await look(grantedTo(group), 'permission/excess')).toMatchObject({ status: excess });
  });

  test('those that it does not need are named', async () => {
    const client = clientOf(grantedTo('system:authenticated'));
    const { checks } = await diagnose(client, { clock: () => NOW, serverUser: 'jane doe' });
    const { message, remedy } = checks.find(({ id }) => id === 'permission/excess') ?? {};
    expect(remedy).toContain("kubectl auth can-i --list --as 'jane doe' shows");
    expect(message).toMatch(
      /update validatingwebhookconfigurations\.admissionregistration\.k8s\.io muster.*list secrets/,
    );
  });

  test.each([
    [['serve'], 'ok', /^complete/],
    [['serve', '--events'], 'fail', /^lacks 2 of \d+: create events$/],
  ])('with the arguments %j, rights to Events are needed or not', async (args, status, message) => {
    const body = { metadata: { name: 'muster' }, spec: { template: { spec: { containers: [{ args }] } } } };
    const answer: Answer = (request) => {
      if (request.path.endsWith('/deployments/muster')) return { body };
      if (!request.path.endsWith('/subjectaccessreviews')) return services(request);
      const resource = textAt(request.body as JsonObject, ['spec', 'resourceAttributes', 'resource']);
      return { body: { status: { allowed: resource !== 'events' } } };
    };
    expect(await look(answer, 'permission/needed')).toEqual({ status, message: expect.stringMatching(message) });
  });

  test.each([
    [undefined, 'muster manifests --only rbac | kubectl apply --server-side --force-conflicts -f -'],
    ['jane', 'bind to jane: the ClusterRole muster, the Role muster in muster-system'],
  ])('those that the account %s lacks: %s', async (serverUser, remedy) => {
    const isThere = /roles|rolebindings|serviceaccounts|flowschemas/;
    const answer: Answer = (request) => (isThere.test(request.path) ? { body: {} } : grantedTo('none')(request));
    const { checks } = await diagnose(clientOf(answer), { clock: () => NOW, ...(serverUser && { serverUser }) });
    expect(checks.find(({ id }) => id === 'permission/needed')?.remedy).toBe(remedy);
  });
});

test.each([
  ['by its manifests', {}, /^muster manifests --only webhooks --certificates cert-manager /],
  [
    'by Helm',
    { 'meta.helm.sh/release-name': 'r', 'meta.helm.sh/release-namespace': 'muster-system' },
    /^helm upgrade /,
  ],
])('a configuration into which cert-manager writes no CA, installed %s', async (_, annotations, remedy) => {
  const injected = { ...annotations, 'cert-manager.io/inject-ca-from': 'muster-system/muster' };
  const clientConfig = { service: { namespace: 'muster-system', name: 'muster' } };
  const stored = (all: object) => ({
    metadata: { name: 'muster', annotations: all },
    webhooks: [{ name: 'inventory.mutate.muster', clientConfig }],
  });
  const { checks } = await diagnose(
    clientOf((request) => {
      const own = on('/mutatingwebhookconfigurations/muster', stored(annotations))(request);
      return own ?? on('/validatingwebhookconfigurations/muster', stored(injected))(request);
    }),
    { clock: () => NOW },
  );
  expect(checks.find(({ id }) => id === 'registration/mutating')).toMatchObject({
    status: 'fail',
    message: 'lacks cert-manager.io/inject-ca-from: cert-manager does not fill in its CA',
    remedy: expect.stringMatching(remedy),
  });
  const { message } = checks.find(({ id }) => id === 'registration/validating') ?? {};
  expect(message).not.toMatch(/lacks|belong/);
});

test('without that annotation, the Certificate shows that cert-manager makes the certificate', async () => {
  const clientConfig = { service: { namespace: 'muster-system', name: 'muster' } };
  const webhooks = [{ name: 'claims.validate.muster', clientConfig }];
  const stored = on('/certificates/muster', {});
  const registered = on('webhookconfigurations/muster', { metadata: { name: 'muster' }, webhooks });
  const { checks } = await diagnose(
    clientOf((request) => stored(request) ?? registered(request)),
    { clock: () => NOW },
  );
  for (const which of ['validating', 'mutating'])
    expect(checks.find(({ id }) => id === `registration/${which}`)?.message).toMatch(/^lacks cert-manager\.io/);
});

test('no remedy holds what others may have written for a shell', async () => {
  const evil = '$(touch /tmp/x); "\'`';
  const annotations = { 'cert-manager.io/inject-ca-from': `a/${evil}` };
  const configs = [{ url: `https://h.example/${evil}/validate` }, { service: { namespace: evil, name: evil } }];
  const answers = configs.map((clientConfig) =>
    on('webhookconfigurations', { metadata: { annotations }, webhooks: [{ name: evil, clientConfig }] }),
  );
  for (const answer of [...answers, () => undefined]) {
    const client = { ...clientOf(answer), namespace: evil };
    const { checks } = await diagnose(client, { clock: () => NOW, serverUser: evil });
    for (const { remedy } of checks) {
      const bare = (remedy ?? '').replaceAll(/'([^']|'\\'')*'/g, '');
      expect(bare).not.toMatch(/[$`]/);
    }
  }
});

test('whatever the cluster answers there is a report, and each check that is not well has a remedy', async () => {
  const codes = 'unreachable timeout unauthorized forbidden not-found conflict invalid unavailable unreadable'.split(
    ' ',
  ) as ClusterErrorCode[];
  const KEYS =
    'metadata spec webhooks clientConfig service url caBundle rules data tls.crt tls.key items ' +
    'status conditions name namespace versions muster.yaml holderIdentity resources endpoints ports ' +
    'matchConditions namespaceSelector';
  const key = fc.constantFrom(...KEYS.split(' '));
  const leaf = fc.constantFrom(null, true, 7, '', 'x', 'https://127.0.0.1:1/validate', 'AAAA', 'features');
  const shape = { key, values: [leaf], maxDepth: 4, maxKeys: 6 };
  const tree = fc.anything(shape);
  const body = fc.object(shape);
  const clientConfig = fc.oneof(tree, fc.record({ url: tree, caBundle: tree, service: tree }, { requiredKeys: [] }));
  const webhook = fc.record({ name: tree, clientConfig, rules: tree }, { requiredKeys: [] });
  const registration = fc.record({ webhooks: fc.oneof(tree, fc.array(webhook, { maxLength: 3 })) });
  const answers = fc.array(fc.oneof(body, registration, fc.constantFrom(...codes)), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(answers, async (script) => {
      let turn = 0;
      const client = clientOf(({ path }) => {
        if (path === '/version') return { body: version('36') };
        const answer = script[turn++ % script.length] ?? {};
        if (typeof answer === 'string') throw new ClusterError(answer, `it is ${answer}`);
        return { body: answer as JsonObject };
      });
      const { checks } = await diagnose(client, { clock: () => NOW });
      for (const { status, remedy } of checks) expect(status === 'ok' || Boolean(remedy)).toBe(true);
      expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    }),
    { numRuns: 300 },
  );
});

describe('the Deployment of a Service', () => {
  const service = { webhooks: [{ clientConfig: { service: { namespace: 'n', name: 's' } } }] };
  const generation = { metadata: { generation: 1 } };
  const available = (availableReplicas: number) => ({ availableReplicas, updatedReplicas: 2, replicas: 2 });
  const observed = (
    replicas: number,
    counts: object = {},
    reason = 'NewReplicaSetAvailable',
    more: readonly object[] = [],
  ) => ({
    ...generation,
    spec: { replicas },
    status: {
      observedGeneration: 1,
      conditions: [{ type: 'Progressing', status: 'True', reason }, ...more],
      ...counts,
    },
  });
  /** Old pods serve on while no new one becomes available. */
  const stuck = { availableReplicas: 2, updatedReplicas: 1, replicas: 3 };
  const refused = { type: 'ReplicaFailure', status: 'True', message: 'pods "m-1" is forbidden: exceeded quota' };
  test.each([
    ['all available', observed(2, available(2)), 'ok', '2 of 2 pods available'],
    ['one not available', observed(2, available(1)), 'warn', '1 of 2 pods available'],
    ['none available', observed(2), 'fail', '0 of 2 pods available: muster is not running'],
    ['a rollout', observed(2, available(1), 'ReplicaSetUpdated'), 'wait', '1 of 2 pods available: a rollout runs'],
    ['its new pods start', observed(2, stuck, 'ReplicaSetUpdated'), 'wait', '2 of 2 pods available: a rollout runs'],
    [
      'a rollout that has timed out',
      observed(2, stuck),
      'warn',
      '2 of 2 pods available, 1 of 2 updated: the rollout does not proceed',
    ],
    [
      'the old pods are still there',
      observed(2, { availableReplicas: 3, updatedReplicas: 2, replicas: 3 }, 'ReplicaSetUpdated'),
      'wait',
      '2 of 2 pods available: a rollout runs',
    ],
    [
      'an upgrade whose pods are refused',
      observed(2, { availableReplicas: 2, replicas: 2 }, 'ReplicaSetUpdated', [refused]),
      'warn',
      "2 of 2 pods available: more can't be created",
    ],
    [
      'pods that are refused',
      observed(2, {}, 'ReplicaSetUpdated', [refused]),
      'fail',
      "0 of 2 pods available: more can't be created",
    ],
    ['scaled to zero', observed(0), 'fail', 'has no replicas'],
    ['new', { ...generation, spec: { replicas: 2 } }, 'wait', '0 of 2 pods available: a rollout runs'],
  ])('%s', async (_, deployment, status, message) => {
    const registered = on('validatingwebhookconfigurations', service);
    const deployed = on('/namespaces/n/deployments/muster', deployment);
    // With a certificate that can't be read, no other check explains the pods.
    const secrets = on('/secrets/muster-tls', {});
    const found = await look(
      (request) => registered(request) ?? deployed(request) ?? secrets(request),
      'workload/available',
    );
    expect(found.message).toBe(message);
    expect(found.status).toBe(status);
  });

  test('a server behind a URL has none', async () => {
    const outside = on('validatingwebhookconfigurations', {
      webhooks: [{ clientConfig: { url: 'https://h/validate' } }],
    });
    expect(await look(outside, 'workload/available')).toEqual({ status: undefined, message: undefined });
  });
});

test.each([
  [{ args: ['serve', '--namespace', 'other'] }],
  [{ args: ['serve', '--namespace=other'] }],
  [{ env: [{ name: 'MUSTER_NAMESPACE', value: 'other' }] }],
])('the server looks for its Leases in another namespace: %j', async (container) => {
  const stored = { spec: { template: { spec: { containers: [container] } } } };
  const { status, message } = await look(on('/deployments/muster', stored), 'lease/cluster-claim');
  expect(status).toBe('fail');
  expect(message).toMatch(/^is not used: the server looks for it in other, so writes .* 503$/);
});

test.each([
  [{ args: ['serve', '--namespace=$(POD_NAMESPACE)'] }],
  [{ env: [{ name: 'MUSTER_NAMESPACE', value: '' }] }],
])('where it looks for them is not known, or its own namespace: %j', async (container) => {
  const stored = { spec: { template: { spec: { containers: [container] } } } };
  const { message = '' } = await look(on('/deployments/muster', stored), 'lease/cluster-claim');
  expect(message).not.toContain('is not used');
});

describe('no webhook is left', () => {
  const lease = on('/leases/muster-cluster-claim', {});
  const denied: Answer = ({ path }) => {
    if (!/\/(deployments|services)/.test(path)) return undefined;
    throw new ClusterError('forbidden', 'no');
  };
  const owned = on('/leases/muster-', { metadata: { annotations: { 'meta.helm.sh/release-name': 'r' } } });
  test.each<[string, Answer, RegExp]>([
    [
      'and no Deployment: a server outside',
      lease,
      /^with the URL of the server outside: write the CA .*: muster manifests/,
    ],
    ["and the Deployment can't be read: the same", (asked) => denied(asked) ?? lease(asked), /^with the URL/],
    ['but a Service: a server in the cluster', services, /, then: muster manifests --only webhooks --certificates /],
    ['but an object of a release', owned, /^helm upgrade r /],
  ])('%s', async (_, answer, remedy) => {
    const { checks } = await diagnose(clientOf(answer), { clock: () => NOW });
    expect(checks.find(({ id }) => id === 'registration/validating')?.remedy).toMatch(remedy);
  });
});

describe('a Helm release', () => {
  const annotations = { 'meta.helm.sh/release-name': 'fleet' };
  const clientConfig = { service: { namespace: 'n', name: 'fleet-muster' } };
  const configuration = {
    metadata: { name: 'fleet-muster', annotations },
    webhooks: [{ name: 'claims.validate.muster', clientConfig }],
  };
  const volumes = [{ name: 'tls', secret: { secretName: 'own-tls' } }];
  const deployment = { spec: { template: { spec: { serviceAccountName: 'own', volumes } } } };
  /** Its registration has neither the usual name nor a label, and is found by the names of its webhooks. */
  const released: Answer = ({ path }) => {
    if (path.endsWith('webhookconfigurations')) return { body: { items: [configuration] } };
    if (path.endsWith('webhookconfigurations/fleet-muster')) return { body: configuration };
    return path.endsWith('/namespaces/n/deployments/fleet-muster') ? { body: deployment } : undefined;
  };

  test('its own names are used', async () => {
    const { checks } = await diagnose(clientOf(released), { clock: () => NOW });
    const titleOf = (id: string) => checks.find((check) => check.id === id)?.title;
    expect(titleOf('registration/validating')).toBe('ValidatingWebhookConfiguration fleet-muster');
    expect(titleOf('certificate/secret')).toBe('Secret n/own-tls');
    expect(titleOf('permission/needed')).toBe('rights of system:serviceaccount:n:own');
    const { remedy } = checks.find(({ id }) => id.endsWith('claims.validate.muster')) ?? {};
    expect(remedy).toMatch(/^helm upgrade fleet /);
  });

  test('beside another of the usual name, it is the one that calls its namespace', async () => {
    const webhooks = [
      { name: 'claims.validate.muster', clientConfig: { service: { namespace: 'm', name: 'muster' } } },
    ];
    const other = { metadata: { name: 'muster' }, webhooks };
    const both: Answer = (asked) => {
      if (asked.path.endsWith('webhookconfigurations')) return { body: { items: [other, configuration] } };
      return asked.path.endsWith('webhookconfigurations/muster') ? { body: other } : released(asked);
    };
    const foundIn = async (namespace: string, answer = both) => {
      const { checks } = await diagnose(clientOf(answer), { namespace, clock: () => NOW });
      return checks.filter(({ id }) => /^registration\/(validating|mutating)$|^cluster\/installed$/.test(id));
    };
    const [validating, mutating] = await foundIn('n');
    expect(validating?.title).toBe('ValidatingWebhookConfiguration fleet-muster');
    expect(mutating?.message).not.toMatch(/^is missing/);
    expect((await foundIn('m'))[0]?.title).toBe('ValidatingWebhookConfiguration muster');
    expect((await foundIn('o'))[0]?.message).toMatch(/^is not in o /);
    const alone: Answer = (asked) => {
      if (asked.path.endsWith('/mutatingwebhookconfigurations')) return { body: { items: [other] } };
      return asked.path.endsWith('/mutatingwebhookconfigurations/fleet-muster') ? undefined : both(asked);
    };
    expect((await foundIn('n', alone))[1]?.message).toMatch(/^is missing/);
  });

  test('without a registration, its Deployment is found by the selector', async () => {
    const matchLabels = { 'app.kubernetes.io/name': 'muster', 'app.kubernetes.io/component': 'server' };
    const own = { metadata: { name: 'own', annotations }, spec: { selector: { matchLabels } } };
    const items = [{ metadata: { name: 'another' }, spec: { selector: { matchLabels: { app: 'muster' } } } }, own];
    const { checks } = await diagnose(
      clientOf(({ path }) => (path.endsWith('/deployments') ? { body: { items } } : undefined)),
    );
    const { title, remedy } = checks.find(({ id }) => id === 'registration/validating') ?? {};
    expect(title).toBe('ValidatingWebhookConfiguration own');
    expect(remedy).toMatch(/^helm upgrade fleet /);
  });

  test('of the objects of a release, those of the chart are compared, by part', async () => {
    const document = (template: string, name: string) =>
      `---\n# Source: fleet/${template}\napiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\n`;
    const manifest = [
      document('charts/kube-muster/templates/workload/service.yaml', 'a'),
      document('charts/kube-muster/templates/events.yaml', 'b'),
      document('charts/another/templates/service.yaml', 'c'),
    ].join('');
    const data = { release: Buffer.from(gzipSync(JSON.stringify({ manifest })).toString('base64')).toString('base64') };
    const secrets = on('/namespaces/n/secrets?labelSelector=', { items: [{ data }] });
    const answer: Answer = (request) => secrets(request) ?? released(request);
    const { checks } = await diagnose(clientOf(answer), { clock: () => NOW });
    const messages = checks
      .filter(({ id }) => /^installation\/(?!release)/.test(id))
      .map(({ id, message }) => [id, message]);
    expect(messages).toEqual([
      ['installation/workload', 'Service a is missing'],
      ['installation/rbac', 'Service b is missing'],
    ]);
    expect(await look(answer, 'installation/release')).toEqual({ status: 'ok', message: 'has 2 objects' });
  });

  test('a new configuration changes its registration; what its values select stays', async () => {
    const matchLabels = { team: 'fleet' };
    const byValues = { matchExpressions: [{ key: 'tier', operator: 'Exists' }], matchLabels };
    const target = { service: { namespace: 'n', name: 'fleet-muster' } };
    const closing = (...closedNamespaces: string[]) => policyFrom({ services: { closedNamespaces } });
    const enforcement = requiredEnforcement(closing('payments'));
    const rendered = validatingWebhookConfiguration({ name: 'fleet-muster', namespace: 'n', ...target, enforcement });
    const webhooks = rendered.webhooks.map((webhook) => {
      const { matchExpressions: own = [] } = webhook.namespaceSelector as { matchExpressions?: readonly object[] };
      const namespaceSelector = { matchExpressions: [...own, ...byValues.matchExpressions], matchLabels };
      return { ...webhook, namespaceSelector, objectSelector: { matchLabels } };
    });
    const metadata = { ...rendered.metadata, annotations };
    const stored = { ...rendered, webhooks, metadata } as unknown as JsonObject;
    const manifest = `---\n# Source: kube-muster/templates/webhooks.yaml\n${JSON.stringify(stored)}\n`;
    const data = { release: Buffer.from(gzipSync(JSON.stringify({ manifest })).toString('base64')).toString('base64') };
    const answer: Answer = (request) => {
      const { method, path, body } = request;
      if (path.includes('/secrets?labelSelector=')) return { body: { items: [{ data }] } };
      if (method === 'PATCH') return { body: body as JsonObject };
      if (path.endsWith('/validatingwebhookconfigurations')) return { body: { items: [stored] } };
      if (path.includes('/validatingwebhookconfigurations/')) return { body: stored };
      return released(request);
    };
    const differing = async (policy: ReturnType<typeof closing>) => {
      const options = { clock: () => NOW, configuration: { file: 'new.yaml', policy } };
      const { checks } = await diagnose(clientOf(answer), options);
      const ofWebhooks = checks.filter(({ id }) => /^registration\/.*\.validate\./.test(id));
      return ofWebhooks.flatMap(({ details = [] }) => details.map((each) => (each as { path?: string }).path));
    };
    expect(await differing(closing('payments'))).toEqual([]);
    expect(await differing(closing('payments', 'shop'))).toEqual(['namespaceSelector.matchExpressions[1].values']);
  });

  test.each([
    [{ image: { tag: '0.0.1' } }, / --set image\.tag=\d\S+$/],
    [{ image: { tag: '0.0.1', digest: 'sha256:0a' } }, / --set image\.digest=DIGEST$/],
    [{ image: { repository: 'r', tag: '' } }, / --reset-then-reuse-values$/],
  ])('values that pin the image are replaced by an upgrade: %j', async (config, remedy) => {
    const packed = gzipSync(JSON.stringify({ config, manifest: '' })).toString('base64');
    const items = [{ data: { release: Buffer.from(packed).toString('base64') } }];
    const secrets = on('/namespaces/n/secrets?labelSelector=', { items });
    const old = { ...configuration.metadata, labels: { 'app.kubernetes.io/version': '0.0.1' } };
    const outdated = on('/validatingwebhookconfigurations/', { ...configuration, metadata: old });
    const answer: Answer = (request) => secrets(request) ?? outdated(request) ?? released(request);
    const { checks } = await diagnose(clientOf(answer), { clock: () => NOW });
    expect(checks.find(({ id }) => id === 'installation/version')?.remedy).toMatch(remedy);
  });

  // An upgrade with the values of the release would change nothing.
  test.each([
    [{ failurePolicy: 'Ignore', timeouts: {} }, ['webhooks.failurePolicy']],
    [{ failurePolicies: { claims: 'Ignore' }, timeoutSeconds: 0 }, ['webhooks.failurePolicies']],
    [{ timeoutSeconds: 9 }, []],
    [{ failurePolicy: '' }, []],
  ])('values that set what differs are taken back: %j', async (webhooks, values) => {
    const metadata = { ...configuration.metadata };
    const expected = validatingWebhookConfiguration({ name: 'fleet-muster', namespace: 'n', ...clientConfig });
    const lenient = expected.webhooks.map((webhook) => ({ ...webhook, failurePolicy: 'Ignore' }));
    const stored = { ...expected, metadata, webhooks: lenient } as unknown as JsonObject;
    const packed = gzipSync(JSON.stringify({ config: { webhooks }, manifest: '' })).toString('base64');
    const data = { release: Buffer.from(packed).toString('base64') };
    const answer: Answer = (request) => {
      const { method, path, body } = request;
      if (path.includes('/secrets?labelSelector=')) return { body: { items: [{ data }] } };
      if (method === 'PATCH') return { body: body as JsonObject };
      return path.includes('/validatingwebhookconfigurations/') ? { body: stored } : released(request);
    };
    const { checks } = await diagnose(clientOf(answer), { clock: () => NOW });
    const { status, remedy } = checks.find(({ id }) => id === 'registration/claims.validate.muster') ?? {};
    const first = values.length > 0 ? `unless it is deliberate, remove ${values[0]} from your values, then: ` : '';
    const flags = values.map((name) => ` --set ${name}=null`).join('');
    const upgrade = 'helm upgrade fleet charts/kube-muster --namespace n --reset-then-reuse-values';
    expect([status, remedy]).toEqual(['warn', `${first}${upgrade}${flags}`]);
  });

  const noSecrets = on('/namespaces/n/secrets?labelSelector=', { items: [] });

  // `helm upgrade` would fail: the release has no deployed revision.
  test('without any Secret, as after a deletion of its namespace, it is installed again', async () => {
    const left: Answer = (request) => (request.path.includes('/deployments') ? undefined : released(request));
    const client = clientOf((request) => noSecrets(request) ?? left(request));
    const { checks } = await diagnose(client, { clock: () => NOW });
    const release = checks.find(({ id }) => id === 'installation/release');
    const install = 'helm install fleet charts/kube-muster --namespace n --create-namespace';
    expect(release).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/^is unknown to Helm/),
      remedy: `with the values of the lost release (--values FILE): ${install}`,
    });
    const remedies = checks.flatMap(({ remedy = '' }) => remedy);
    expect(remedies.filter((remedy) => remedy.includes('helm upgrade'))).toEqual([]);
    expect(checks.find(({ id }) => id === 'certificate/secret')?.remedy).toBe(release?.remedy);
  });

  test.each([
    ['no deployed Secret', []],
    ['a Secret of another format', [{ data: { release: 'AAAA' } }]],
    ['a Secret without objects', [{ data: {} }]],
  ])('%s: what its values decide is unknown', async (_, items) => {
    const secrets: Answer = ({ path }) => {
      if (!path.includes('/namespaces/n/secrets?labelSelector=')) return undefined;
      return { body: { items: path.includes('deployed') ? items : [{ data: {} }] } };
    };
    const found = await look((request) => secrets(request) ?? released(request), 'installation/release');
    expect(found).toEqual({ status: 'unknown', message: expect.stringMatching(/^no Secret of Helm has the objects/) });
  });

  test('without any Secret beside its Deployment, as with HELM_DRIVER=configmap, Helm may know it', async () => {
    const found = await look((request) => noSecrets(request) ?? released(request), 'installation/release');
    expect(found).toEqual({ status: 'unknown', message: expect.stringMatching(/^no Secret of Helm has the objects/) });
  });
});

describe('the installed version', () => {
  const registered = (label: string) =>
    on('validatingwebhookconfigurations', {
      metadata: { labels: { 'app.kubernetes.io/version': label } },
      webhooks: [{ clientConfig: { service: { namespace: 'n', name: 's' } } }],
    });
  const found = async (answer: Answer) =>
    (await diagnose(clientOf(answer))).checks.find(({ id }) => id.endsWith('/version') && id !== 'cluster/version');

  test.each([
    ['the same', registered('0.1.0'), 'ok', '0.1.0'],
    [
      'of an image alone',
      on('/deployments/muster', { spec: { template: { spec: { containers: [{ image: 'r:5000/m:v99.0.0' }] } } } }),
      'fail',
      'newer than',
    ],
    ['newer', registered('99.0.0'), 'fail', 'newer than'],
  ])('%s', async (_, answer, status, message) => {
    expect(await found(answer)).toMatchObject({ status, message: expect.stringContaining(message) });
  });

  test('an image without a version says nothing', async () => {
    const deployment = { spec: { template: { spec: { containers: [{ image: 'r:5000/muster:main' }] } } } };
    expect(await found(on('/deployments/muster', deployment))).toBeUndefined();
  });
});

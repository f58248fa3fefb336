/** The objects of an installation, as data: order, rights, restrictions and selectors. */
import { describe, expect, test } from '@jest/globals';
import { dialects, lockLeaseName } from '../../../src/api/dialects.ts';
import { type InstallationOptions, partOf } from '../../../src/manifests/installation.ts';
import type { Manifest } from '../../../src/manifests/manifest.ts';
import { LEASES, PARTS } from '../../../src/manifests/names.ts';
import { DEFAULT_ENFORCEMENT, type Enforcement } from '../../../src/manifests/requirements.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
type Any = any;
const options: InstallationOptions = { image: 'muster:1.2.3' };
const all = PARTS.flatMap((part) => partOf(part, options));
const of = (kind: string, among: readonly Manifest[] = all): Any[] => among.filter((object) => object.kind === kind);
const pods: Any[] = [
  ...of('Deployment').map(({ spec }) => spec.template),
  ...of('Job').map(({ spec }) => spec.template),
  ...of('CronJob').map(({ spec }) => spec.jobTemplate.spec.template),
];

test('an image is taken literally, whatever its characters', () => {
  const image = '$&"\\release-fullname';
  const [deployment] = of('Deployment', partOf('workload', { image }));
  expect(deployment.spec.template.spec.containers[0].image).toBe(image);
});

test('no two objects are one', () => {
  const keys = all.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test('the order: what is needed first, the registration after the server, the Job after the registration', () => {
  const kinds = all.map(({ kind }) => kind);
  expect(kinds[0]).toBe('Namespace');
  const isBefore = (first: string, second: string) => kinds.indexOf(first) < kinds.indexOf(second);
  for (const kind of ['ServiceAccount', 'ConfigMap', 'ResourceQuota']) expect(isBefore(kind, 'Deployment')).toBe(true);
  expect(isBefore('Deployment', 'ValidatingWebhookConfiguration')).toBe(true);
  for (const kind of ['Secret', 'RoleBinding', 'MutatingWebhookConfiguration'])
    expect(isBefore(kind, 'Job')).toBe(true);
});

test('there is a Lease for each claim dialect, and applying it again releases no lock and changes no key', () => {
  const claims = dialects.filter(({ concept }) => concept === 'claim');
  expect(LEASES).toEqual(claims.map(lockLeaseName));
  expect(of('Lease').map(({ metadata }) => metadata.name)).toEqual(LEASES);
  for (const lease of of('Lease')) expect(Object.keys(lease)).toEqual(['apiVersion', 'kind', 'metadata']);
  for (const secret of of('Secret')) expect(Object.keys(secret)).toEqual(['apiVersion', 'kind', 'metadata', 'type']);
});

test('another namespace is everywhere', () => {
  const elsewhere = JSON.stringify(PARTS.map((part) => partOf(part, { ...options, namespace: 'guards' })));
  expect(elsewhere).not.toContain('muster-system');
  expect(elsewhere).toContain('--service=guards/muster');
});

test('another name is that of all objects but the Leases, and of what refers to them', () => {
  const others = PARTS.flatMap((part) => partOf(part, { ...options, name: 'fleet-muster' }));
  const named = others.filter(({ kind }) => kind !== 'Lease' && kind !== 'Namespace');
  expect(named.filter(({ metadata }) => !metadata.name.startsWith('fleet-muster'))).toEqual([]);
  for (const flag of [
    '--service=muster-system/fleet-muster',
    '--secret=muster-system/fleet-muster-tls',
    '--webhook=fleet-muster',
  ])
    expect(JSON.stringify(others)).toContain(`"${flag}"`);
});

describe('access', () => {
  const grants = (name: string) =>
    [...of('ClusterRole'), ...of('Role')]
      .filter(({ metadata }) => metadata.name === name)
      .flatMap(({ kind, rules }) =>
        rules.map((rule: Any) => `${kind}: ${rule.verbs} ${rule.apiGroups}/${rule.resources} ${rule.resourceNames}`),
      );

  test('the server reads the claims of identities by name, what others refer to, and takes its Leases', () => {
    const claims = dialects.flatMap(({ group, plural, claim }) =>
      claim ? [`ClusterRole: get ${group}/${plural} ${[...claim.idNames, claim.membershipName]}`] : [],
    );
    expect(grants('muster')).toEqual([
      ...claims,
      'ClusterRole: get,list multicluster.x-k8s.io/clusterprofiles undefined',
      `Role: get,update coordination.k8s.io/leases ${LEASES}`,
    ]);
    expect(dialects.filter(({ isReferenced }) => isReferenced).map(({ plural }) => plural)).toEqual([
      'clusterprofiles',
    ]);
  });

  test('it lists nothing where no rule does', () => {
    const rbac = partOf('rbac', { reads: { profileLists: false } });
    expect(JSON.stringify(rbac)).not.toContain('"list"');
    expect(rbac).toHaveLength(partOf('rbac', {}).length);
  });

  test('all its calls have the priority level of the FlowSchema', () => {
    const [{ spec }] = of('FlowSchema');
    const calls = (rules: Any[]) =>
      rules.map(({ apiGroups, resources, verbs }) => `${apiGroups}/${resources} ${verbs}`);
    const granted = [...of('ClusterRole'), ...of('Role')].filter(({ metadata }) => metadata.name === 'muster');
    expect(calls(spec.rules[0].resourceRules)).toEqual(calls(granted.flatMap(({ rules }) => rules)));
  });

  test('the certificate job writes one Secret and two registrations', () => {
    expect(grants('muster-certs')).toEqual([
      'ClusterRole: get,update admissionregistration.k8s.io/validatingwebhookconfigurations,mutatingwebhookconfigurations muster',
      'Role: get,update /secrets muster-tls',
    ]);
  });

  test('each role is bound to the account of its name, and no account hands out its token', () => {
    const bindings = [...of('ClusterRoleBinding'), ...of('RoleBinding')];
    expect(bindings).toHaveLength(4);
    for (const { metadata, roleRef, subjects } of bindings) {
      expect(roleRef.name).toBe(metadata.name);
      expect(subjects).toEqual([{ kind: 'ServiceAccount', name: metadata.name, namespace: 'muster-system' }]);
    }
    expect(of('ServiceAccount').map((account) => account.automountServiceAccountToken)).toEqual([false, false]);
  });
});

describe('pods', () => {
  test('are restricted, with nothing to write to', () => {
    expect(pods).toHaveLength(3);
    for (const { spec } of pods) {
      const seccompProfile = { type: 'RuntimeDefault' };
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532, seccompProfile });
      const restricted = {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      };
      expect(spec.containers).toMatchObject([{ image: 'muster:1.2.3', securityContext: restricted }]);
      expect(spec.containers[0].resources.limits.memory).toMatch(/Mi$/);
      expect(spec.initContainers).toBeUndefined();
    }
  });

  test('are selected by their Deployment, Service, budget and policies', () => {
    const [deployment] = of('Deployment');
    const { labels } = deployment.spec.template.metadata;
    const chosenBy: Any[] = [
      deployment.spec.selector.matchLabels,
      of('Service')[0].spec.selector,
      of('PodDisruptionBudget')[0].spec.selector.matchLabels,
      of('NetworkPolicy')[0].spec.podSelector.matchLabels,
      ...deployment.spec.template.spec.topologySpreadConstraints.map((one: Any) => one.labelSelector.matchLabels),
    ];
    for (const chosen of chosenBy) expect(labels).toMatchObject(chosen);
    for (const pod of pods.slice(1)) {
      expect(pod.metadata.labels).toMatchObject(of('NetworkPolicy')[1].spec.podSelector.matchLabels);
      // Else the Service would send reviews to a job.
      expect(pod.metadata.labels).not.toMatchObject(of('Service')[0].spec.selector);
    }
  });

  test('a rollout starts a server before it stops one: under Fail, guarded writes wait for these pods', () => {
    const [{ spec }] = of('Deployment');
    expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
  });

  test('anyone may call the webhook: API servers call from addresses that no selector can name', () => {
    const [server] = of('NetworkPolicy');
    const isWebhook = ({ ports }: Any) => ports.some(({ port }: Any) => port === 'https');
    expect(server.spec.ingress.filter(isWebhook)).toEqual([{ ports: [{ port: 'https', protocol: 'TCP' }] }]);
  });

  test('the server waits for its certificate: without items, an empty Secret would mount as an empty folder', () => {
    const [, tls] = of('Deployment')[0].spec.template.spec.volumes;
    expect(tls.secret.items.map(({ key }: Any) => key)).toEqual(['tls.crt', 'tls.key']);
    expect(tls.secret.optional).toBeUndefined();
  });

  test('the Job is another one for another image, and the same for the same', () => {
    const nameOf = (image: string) => of('Job', partOf('certs', { image }))[0].metadata.name;
    expect(nameOf('muster:1.2.3')).toBe(nameOf('muster:1.2.3'));
    expect(nameOf('muster:1.2.4')).not.toBe(nameOf('muster:1.2.3'));
    expect(nameOf('muster:1.2.3')).toMatch(/^muster-certs-[0-9a-f]{8}$/);
  });

  test('the Job is another one where a configuration adds webhooks, which lack the CA', () => {
    const nameOf = (enforcement?: Enforcement) =>
      of('Job', partOf('certs', { image: 'a', ...(enforcement && { enforcement }) }))[0].metadata.name;
    expect(nameOf(DEFAULT_ENFORCEMENT)).toBe(nameOf());
    expect(nameOf({ ...DEFAULT_ENFORCEMENT, webhooks: { 'inventory-owners': 'deny' } })).not.toBe(nameOf());
  });
});

test('every object in a namespace is in ours, and carries our labels', () => {
  for (const object of all.filter(({ kind }) => kind !== 'CustomResourceDefinition')) {
    expect([undefined, 'muster-system']).toContain(object.metadata.namespace);
    expect(object.metadata.labels).toMatchObject({ 'app.kubernetes.io/part-of': 'muster' });
  }
});

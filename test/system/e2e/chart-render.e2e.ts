/**
 * The Helm chart, rendered by Helm 3 and Helm 4: the objects of `muster manifests` and kustomize. What values add to
 * them, by one of the two: both evaluate the same templates.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { type ManifestsFlags, manifestsText } from '../../../src/cli/manifests/run.ts';
import { chartWebhooks } from '../../../tools/generate/chart-webhooks.ts';
import { validConfiguration } from '../../support/arbitrary-config.ts';
import { HEAD } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';
import { CHART, comparable, HELMS, helm, objectsOf, RELEASE_LABELS, rendered } from './chart/helm.ts';
import { ensureAssets, type Json, runProgram, whyNoTools } from './harness/index.ts';

const DRAFTS = { clusterClaims: true, inventoryClusters: true, features: true };
let folder: string;
let version: string;

beforeAll(async () => {
  folder = newFolder().path;
  version = (await import('../../../package.json', { with: { type: 'json' } })).default.version;
});

async function kustomize(path: string): Promise<Json[]> {
  const { kubectl } = await ensureAssets();
  const { code, stdout, stderr } = await runProgram(kubectl, ['kustomize', path], undefined, { HOME: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return objectsOf(stdout);
}

/** The templates of all pods. */
const podsOf = (objects: readonly Json[]): Json[] =>
  objects.flatMap(({ kind, spec }) => {
    if (kind === 'CronJob') return [spec.jobTemplate.spec.template];
    return kind === 'Deployment' || kind === 'Job' ? [spec.template] : [];
  });

/** The release's namespace is not of the chart, and Helm keeps CRDs by an annotation. */
const withoutNamespace = (objects: readonly Json[]) => objects.filter(({ kind }) => kind !== 'Namespace');
const withoutKeep = (objects: readonly Json[]) =>
  objects.map((object) => {
    const { annotations, ...metadata } = object.metadata;
    if (object.kind !== 'CustomResourceDefinition') return object;
    expect(annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    return { ...object, metadata };
  });
const CA = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
const spreadOver = (topologyKey: string, whenUnsatisfiable: string) => ({
  maxSkew: 1,
  whenUnsatisfiable,
  topologyKey,
  labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'muster', 'app.kubernetes.io/component': 'server' } },
});

const EVERY_MANAGER = `
claims: { membershipManagers: [{ serviceAccount: fleet/mcs-controller }] }
inventory: { managers: { some-manager: [{ user: jane }, { group: fleet-admins }] } }
features: { serverFlow: [{ namespace: kube-system, principals: [{ user: "system:apiserver" }] }] }
rules: { inventory/sole-manager: { webhook: deny, check: ignore } }`;
const SETTINGS = `
claims: { allowedReservedNames: [location.k8s.io, "*.topology.kubernetes.io"] }
features: { dynamic: "*", clockSkewSeconds: 0.5 }
exemptions: { users: [], groups: [system:masters] }
exceptions:
  - { rules: [claim/reserved-name], apiGroup: multicluster.x-k8s.io, kind: ClusterClaim, name: old.k8s.io, expires: 2027-01-31, reason: "12" }`;

/** By effect on the registration, the rules that have it. */
const EFFECTS = Object.values(chartWebhooks().effects).map((causes) => causes.map(({ rule }) => rule));
const RULES = [...new Set(EFFECTS.flat())];
/** All of them, in groups of rules that have no effect in common: each rule alone decides on its own. */
const GROUPS = RULES.reduce<string[][]>((groups, rule) => {
  const rivals = EFFECTS.filter((some) => some.includes(rule)).flat();
  const group = groups.find((one) => !one.some((other) => rivals.includes(other)));
  if (group === undefined) groups.push([rule]);
  else group.push(rule);
  return groups;
}, []);
const USER = { user: 'jane' };
const allOf = (rules: readonly string[], action: unknown) => Object.fromEntries(rules.map((rule) => [rule, action]));
/** Each rule with all that enables it: as it is denied, and as it is by default. */
const ofEachRule = GROUPS.flatMap((group) =>
  (['deny', { check: 'deny' }] as const).map((action) => ({
    ...parse(`${HEAD}${EVERY_MANAGER}`),
    placements: { schedulers: { fleet: [USER] } },
    services: { closedNamespaces: ['payments'], importManagers: [USER] },
    rules: { ...allOf(RULES, 'ignore'), ...allOf(group, action) },
  })),
);
const action = fc.constantFrom('deny', 'warn', 'audit', 'ignore');
const point = fc.constantFrom('webhook', 'check', 'scan');
const anyConfiguration = fc
  .record({
    valid: validConfiguration,
    rules: fc.dictionary(fc.constantFrom(...RULES), fc.oneof(action, fc.dictionary(point, action))),
    hasSchedulers: fc.boolean(),
  })
  .map(({ valid, rules, hasSchedulers }) => ({
    ...(valid as Json),
    rules,
    exceptions: [],
    ...(hasSchedulers && { placements: { schedulers: { fleet: [USER] } } }),
  }));

/** A block of the guide for OpenShift. */
function blockOf(info: string): string {
  const page = readFileSync('docs/how-to/run-on-openshift.md', 'utf8');
  const found = page.split('```').find((block) => block.startsWith(`${info}\n`)) ?? '';
  return found.slice(info.length);
}

/**
 * OpenShift's `restricted-v2` assigns user and groups of the namespace's range, and refuses all others. It allows more
 * types of volumes than these, which are all that muster has.
 */
function expectRestricted({ spec }: Json): void {
  expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(spec.containers[0].securityContext).toEqual({
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect([spec.hostNetwork, spec.hostPID, spec.hostIPC]).toEqual([undefined, undefined, undefined]);
  const kinds = (spec.volumes ?? []).flatMap(({ name: _, ...volume }: Json) => Object.keys(volume));
  expect(kinds.filter((kind: string) => !['configMap', 'projected', 'secret'].includes(kind))).toEqual([]);
}

const toolsAreThere = whyNoTools() === undefined || process.env['E2E'] === 'required';
const suite = toolsAreThere ? describe : describe.skip;

suite('Helm 3 and Helm 4', () => {
  test.each<[string, object]>([
    ['base', {}],
    ['overlays/first-rollout', { configuration: { mode: 'warn' }, webhooks: { failurePolicy: 'Ignore' } }],
    [
      'overlays/ha',
      {
        replicas: 3,
        topologySpreadConstraints: [
          spreadOver('topology.kubernetes.io/zone', 'DoNotSchedule'),
          spreadOver('kubernetes.io/hostname', 'ScheduleAnyway'),
        ],
      },
    ],
    ['overlays/cert-manager', { certificates: { provider: 'cert-manager' } }],
    ['overlays/scan', { scan: { enabled: true } }],
    ['overlays/scan-services', { scan: { enabled: true, services: true } }],
    ['overlays/monitoring', { monitoring: { serviceMonitor: true, rules: true, dashboard: true } }],
  ])('renders the objects of manifests/%s', async (path, values) => {
    const expected = await kustomize(`manifests/${path}`);
    const [{ spec }] = expected.filter(({ kind }) => kind === 'Deployment') as [Json];
    const [repository, tag] = spec.template.spec.containers[0].image.split(':');
    for (const program of HELMS) {
      const objects = await rendered(program, { image: { repository, tag }, ...values });
      expect(comparable(objects)).toEqual(comparable(withoutNamespace(expected)));
      for (const { metadata } of objects)
        expect(Object.keys(metadata.labels)).toEqual(expect.arrayContaining(RELEASE_LABELS));
    }
  });

  test.each<[string, string, Partial<ManifestsFlags>]>([
    ['another namespace and image', 'mode: audit', { namespace: 'guards', image: 'r.example.com:5000/a/b:1.2-x' }],
    ['an image by its digest', 'rules: {}', { image: `r.example.com/b@sha256:${'0a'.repeat(32)}`, replicas: 5 }],
    ['managers of all kinds', EVERY_MANAGER, { failurePolicy: 'Ignore' }],
    ['an exception, a fraction and a wildcard', SETTINGS, {}],
    ['Events of denied writes', 'mode: enforce', { events: true }],
    ['a namespace that YAML reads as a number', 'mode: warn', { namespace: '1000' }],
  ])('renders the objects of muster manifests by its helm-values: %s', async (_, text, more) => {
    const config = join(folder, 'muster.yaml');
    writeFileSync(config, `${HEAD}${text}\n`);
    const flags = { namespace: 'muster-system', replicas: 2, config, image: `kube-muster:${version}`, ...more };
    const expected = objectsOf(await manifestsText({ ...flags, output: 'yaml' }));
    const values = parse(await manifestsText({ ...flags, output: 'helm-values' }));
    for (const program of HELMS) {
      const objects = await rendered(program, values, flags.namespace);
      expect(comparable(objects)).toEqual(comparable(withoutNamespace(expected)));
    }
  });

  describe.each(HELMS)('%s', (program) => {
    test('lint --strict finds nothing', async () => {
      const { code, stdout } = await helm(program, ['lint', '--strict', CHART]);
      expect({ code, findings: stdout.match(/\[(WARNING|ERROR)\].*/g) }).toEqual({ code: 0, findings: null });
    });

    test.each([
      ['a default that is removed', { podLabels: null }, /podLabels/],
      ['a misspelled key', { replica: 3 }, /replica/],
    ])('refuses %s', async (_, values, message) => {
      await expect(rendered(program, values)).rejects.toThrow(message);
    });

    test('security contexts that are removed as a whole', async () => {
      const objects = await rendered(program, { podSecurityContext: null, securityContext: null });
      for (const { spec } of podsOf(objects))
        expect([spec.securityContext, spec.containers[0].securityContext]).toEqual([undefined, undefined]);
    });

    test('values of a parent chart are accepted: its condition and what is global', async () => {
      expect(await rendered(program, { enabled: true, global: { imageRegistry: 'a' } })).toEqual(
        await rendered(program, {}),
      );
    });
  });
});

suite('values', () => {
  const program = 'helm-3';

  test('registers what any configuration needs', async () => {
    const config = join(folder, 'any.yaml');
    for (const configuration of [...ofEachRule, ...fc.sample(anyConfiguration, { seed: 25, numRuns: 20 })]) {
      writeFileSync(config, JSON.stringify(configuration));
      const flags = { namespace: 'muster-system', replicas: 2, config, only: ['webhooks', 'rbac'] };
      const expected = objectsOf(await manifestsText({ ...flags, output: 'yaml' }));
      const { apiVersion: _, kind: __, ...settings } = configuration;
      const objects = comparable(await rendered(program, { configuration: settings }));
      const names = Object.keys(comparable(expected));
      const found = Object.fromEntries(names.map((name) => [name, objects[name]]));
      expect({ configuration, objects: found }).toEqual({ configuration, objects: comparable(expected) });
    }
  });

  test('two releases in two namespaces share no object', async () => {
    const names = (objects: readonly Json[]) =>
      objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`);
    const values = { scan: { enabled: true }, events: { enabled: true } };
    const one = names(await rendered(program, values, 'one', 'east'));
    const other = names(await rendered(program, values, 'other', 'west'));
    expect(one.filter((name) => other.includes(name))).toEqual([]);
    expect(one).toContain('ValidatingWebhookConfiguration  east-muster');
    const named = names(await rendered(program, { ...values, fullnameOverride: 'guard' }, 'one', 'east'));
    expect(named).toContain('Deployment one guard');
  });

  // A release that fails at its Service would leave a registration behind, which refuses every guarded write.
  test.each([
    ['fleet.eu', 'fleet-eu-muster'],
    ['muster.v2.eu', 'muster-v2-eu'],
    ['2nd', 'muster-2nd'],
    ['2.muster', 'muster-2-muster'],
    [`${'a'.repeat(38)}--b`, `${'a'.repeat(38)}`],
  ])('a release %s: its objects are named %s, which is a name for a Service', async (release, name) => {
    const objects = await rendered(program, {}, 'muster-system', release);
    const services = objects.filter(({ kind }) => kind === 'Service');
    expect(services.map(({ metadata }) => metadata.name)).toEqual([name]);
    const called = objects
      .flatMap(({ webhooks = [] }) => webhooks)
      .map(({ clientConfig }) => clientConfig.service.name);
    expect(new Set(called)).toEqual(new Set([name]));
  });

  test.each([
    ['http://collector.monitoring:4318', 4318],
    ['https://collector.example.com/v1/traces', 443],
    ['http://collector', 80],
    ['http://[fd00::1]:4318', 4318],
  ])('traces to %s: two flags, and the way to port %d', async (endpoint, port) => {
    const objects = await rendered(program, { tracing: { endpoint, ratio: 0.25 } });
    const [{ spec }] = objects.filter(({ kind }) => kind === 'Deployment') as [Json];
    const flags = [`--tracing-endpoint=${endpoint}`, '--tracing-ratio=0.25'];
    expect(spec.template.spec.containers[0].args.slice(-2)).toEqual(flags);
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    const opened = policies.filter((policy) => policy.spec.egress.some((rule: Json) => rule.ports[0].port === port));
    expect(opened.map(({ metadata }) => metadata.name)).toContain('muster');
    if (port === 4318) expect(opened).toHaveLength(1);
  });

  test('the drafts are those of manifests/crds, each on request', async () => {
    const definitions = (objects: readonly Json[]) => objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    const drafts = definitions(await rendered(program, { crds: DRAFTS }));
    expect(comparable(withoutKeep(drafts))).toEqual(comparable(await kustomize('manifests/crds')));
    const one = definitions(await rendered(program, { crds: { features: true } }));
    expect(one.map(({ metadata }) => metadata.name)).toEqual(['features.features.x-k8s.io']);
  });

  test('by default no draft is installed, and the image is that of the chart', async () => {
    const objects = await rendered(program, {});
    expect(objects.filter(({ kind }) => kind === 'CustomResourceDefinition')).toEqual([]);
    const [{ spec }] = objects.filter(({ kind }) => kind === 'Deployment') as [Json];
    expect(spec.template.spec.containers[0].image).toBe(`kube-muster:${version}`);
  });

  test('options of pods are in every pod, and those of the server in its Deployment alone', async () => {
    const tolerations = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
    const forAll = { tolerations, imagePullSecrets: [{ name: 'registry' }] };
    const forServer = {
      priorityClassName: 'fleet',
      resources: { limits: { memory: '+1e9' } },
      affinity: { nodeAffinity: {} },
      topologySpreadConstraints: [{ maxSkew: 2 }],
    };
    const env = [{ name: 'TZ', value: 'UTC' }];
    const objects = await rendered(program, {
      ...forAll,
      ...forServer,
      crds: DRAFTS,
      image: { pullPolicy: 'Always' },
      nodeSelector: { pool: 'system' },
      nodeOptions: '--max-old-space-size=512',
      podLabels: { team: 'fleet', 'app.kubernetes.io/name': 'x' },
      podAnnotations: { note: 'a' },
      commonLabels: { cost: '1', 'app.kubernetes.io/name': 'x' },
      commonAnnotations: { by: 'us' },
      logLevel: 'debug',
      drainSeconds: 60,
      extraArgs: ['--client-ca-file=/callers/ca.crt'],
      extraEnv: env,
      extraVolumes: [{ name: 'callers', secret: { secretName: 'callers' } }],
      extraVolumeMounts: [{ name: 'callers', mountPath: '/callers' }],
      deploymentAnnotations: { reload: 'yes' },
      updateStrategy: { type: 'Recreate' },
      scan: {
        enabled: true,
        schedule: '@daily',
        extraArgs: ['--report'],
        extraEnv: env,
        extraVolumes: [{ name: 'clusters', secret: { secretName: 'clusters' } }],
        extraVolumeMounts: [{ name: 'clusters', mountPath: '/clusters' }],
        resources: { limits: { cpu: 1 } },
      },
      certificates: { extraEnv: env, resources: { limits: { memory: '1Gi' } } },
    });
    const pods = podsOf(objects);
    expect(pods.map(({ spec }) => spec.containers[0].name).sort()).toEqual([
      ...['muster', 'muster-certs', 'muster-certs', 'muster-scan'],
    ]);
    for (const { metadata, spec } of pods) {
      expect(metadata.annotations).toEqual({ note: 'a' });
      expect(metadata.labels).toMatchObject({ team: 'fleet', 'app.kubernetes.io/name': 'muster' });
      expect(spec).toMatchObject({ ...forAll, nodeSelector: { pool: 'system', 'kubernetes.io/os': 'linux' } });
      expect(spec.containers[0].imagePullPolicy).toBe('Always');
      expect(spec.containers[0].env).toEqual(expect.arrayContaining(env));
    }
    const { resources, ...ofPod } = forServer;
    const servers = pods.filter(({ spec }) => spec.priorityClassName === 'fleet');
    expect(servers).toMatchObject([{ spec: { ...ofPod, terminationGracePeriodSeconds: 96 } }]);
    const [server] = servers[0].spec.containers;
    expect(server.resources).toMatchObject(resources);
    expect(server.args.slice(-3)).toEqual([
      '--log-level=debug',
      '--drain-seconds=60',
      '--client-ca-file=/callers/ca.crt',
    ]);
    expect(server.env[0]).toEqual({ name: 'NODE_OPTIONS', value: '--max-old-space-size=512' });
    expect(server.volumeMounts.at(-1)).toEqual({ name: 'callers', mountPath: '/callers' });
    expect(servers[0].spec.volumes.at(-1)).toEqual({ name: 'callers', secret: { secretName: 'callers' } });
    const [deployment] = objects.filter(({ kind }) => kind === 'Deployment') as [Json];
    expect(deployment.metadata.annotations).toMatchObject({ reload: 'yes' });
    // Without the limits of a rolling update.
    expect(deployment.spec.strategy).toEqual({ type: 'Recreate' });
    const limits = (name: string) =>
      pods
        .filter(({ spec }) => spec.containers[0].name === name)
        .map(({ spec }) => spec.containers[0].resources.limits);
    expect(limits('muster-scan')).toEqual([{ cpu: 1, memory: '512Mi' }]);
    expect(limits('muster-certs')).toEqual([{ memory: '1Gi' }, { memory: '1Gi' }]);
    const scan = objects.find(({ kind, metadata }) => kind === 'CronJob' && metadata.name === 'muster-scan');
    expect(scan?.spec.schedule).toBe('@daily');
    const { containers, volumes } = (scan as Json).spec.jobTemplate.spec.template.spec;
    expect(containers[0].args.at(-1)).toBe('--report');
    expect(containers[0].volumeMounts.at(-1)).toEqual({ name: 'clusters', mountPath: '/clusters' });
    expect(volumes.at(-1)).toEqual({ name: 'clusters', secret: { secretName: 'clusters' } });
    for (const { kind, metadata } of objects) {
      // The base gives a CRD no labels.
      const own = kind === 'CustomResourceDefinition' ? {} : { 'app.kubernetes.io/name': 'muster' };
      expect(metadata.labels).toMatchObject({ ...own, cost: '1' });
      expect(metadata.annotations).toMatchObject({ by: 'us' });
    }
    // A quota for the class is needed for the system's classes alone.
    expect(objects.filter(({ kind }) => kind === 'ResourceQuota')).toEqual([]);
  });

  test('OpenShift: with the values of the guide, its restricted SCC admits every pod', async () => {
    const objects = await rendered(program, {
      ...parse(blockOf('yaml values')),
      scan: { enabled: true },
    });
    expect(podsOf(objects)).toHaveLength(4);
    for (const pod of podsOf(objects)) expectRestricted(pod);
  });

  test('the network of the nodes, with ports of its own everywhere', async () => {
    const objects = await rendered(program, { hostNetwork: true, ports: { https: 10250, ops: 10251 } });
    const [{ spec }] = objects.filter(({ kind }) => kind === 'Deployment') as [Json];
    expect(spec.template.spec).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
    const [{ args, ports }] = spec.template.spec.containers;
    expect(args).toEqual(expect.arrayContaining(['--port=10250', '--ops-port=10251']));
    expect(ports.map(({ containerPort }: Json) => containerPort)).toEqual([10250, 10251]);
    const [service] = objects.filter(({ kind }) => kind === 'Service') as [Json];
    expect(service.spec.ports.map(({ targetPort }: Json) => targetPort)).toEqual(['https', 'ops']);
  });

  test('accounts: annotations, another name, or one that is there already', async () => {
    const annotations = { 'eks.amazonaws.com/role-arn': 'r' };
    const accounts = { serviceAccount: { annotations }, scan: { enabled: true, serviceAccount: { name: 'reader' } } };
    const objects = await rendered(program, {
      ...accounts,
      certificates: { serviceAccount: { create: false, name: 'existing' } },
    });
    const made = objects.filter(({ kind }) => kind === 'ServiceAccount');
    expect(made.map(({ metadata }) => metadata.name).sort()).toEqual(['muster', 'reader']);
    expect(made.find(({ metadata }) => metadata.name === 'muster')?.metadata.annotations).toEqual(annotations);
    const used = podsOf(objects).map(({ spec }) => spec.serviceAccountName);
    expect(used.sort()).toEqual(['existing', 'existing', 'muster', 'reader']);
    const bound = objects.flatMap(({ subjects = [] }) => subjects.map(({ name }: Json) => name));
    expect([...new Set(bound)].sort()).toEqual(['existing', 'muster', 'reader']);
  });

  test('names that YAML reads as numbers stay text', async () => {
    const values = {
      priorityClassName: '1',
      serviceAccount: { name: '2' },
      certificates: { secretName: '3', serviceAccount: { name: '4' } },
      scan: { enabled: true, services: true, serviceAccount: { name: '5' } },
      events: { enabled: true },
      registrar: { secretName: '6' },
      configuration: { registrar: { kubeconfig: '7', namespace: 'cluster-ids' } },
    };
    const objects = await rendered(program, values, '8');
    const [{ spec }] = objects.filter(({ kind }) => kind === 'Deployment') as [Json];
    const numbers = JSON.stringify(objects).match(
      /"(name|namespace|secretName|key|path|\w+ClassName|\w+AccountName)":\d/g,
    );
    expect(numbers).toBeNull();
    expect(spec.template.spec).toMatchObject({ priorityClassName: '1', serviceAccountName: '2' });
    const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
    expect(accounts.sort()).toEqual(['2', '4', '5']);
    for (const { subjects = [] } of objects)
      for (const { name, namespace } of subjects) expect([typeof name, namespace]).toEqual(['string', '8']);
  });

  test('the network policy: ports of the API server, who may scrape and call, and rules of your own', async () => {
    const metricsFrom = [{ namespaceSelector: { matchLabels: { name: 'observability' } } }];
    const webhookFrom = [{ ipBlock: { cidr: '10.0.0.0/28' } }];
    const extra = { ports: [{ port: 4317, protocol: 'TCP' }] };
    const networkPolicy = {
      apiServerPorts: [7443],
      metricsFrom,
      webhookFrom,
      extraEgress: [extra],
      extraIngress: [extra],
    };
    const objects = await rendered(program, { networkPolicy });
    const [server, certs] = objects.filter(({ kind }) => kind === 'NetworkPolicy') as [Json, Json];
    expect(server.spec.ingress.map(({ from }: Json) => from)).toEqual([webhookFrom, metricsFrom, undefined]);
    expect(server.spec.egress[0].ports).toEqual([{ port: 7443, protocol: 'TCP' }]);
    expect(server.spec.egress.at(-1)).toEqual(extra);
    expect(certs.spec.egress).toHaveLength(2);
  });

  test('the registration: time limits, selectors beside its own, annotations and the port of the Service', async () => {
    const expression = { key: 'unguarded', operator: 'DoesNotExist' };
    const objects = await rendered(program, {
      service: { port: 8443, annotations: { internal: 'yes' } },
      webhooks: {
        timeoutSeconds: 3,
        timeouts: { claims: 10 },
        annotations: { note: 'x' },
        namespaceSelector: { matchLabels: { team: 'fleet' }, matchExpressions: [expression] },
        objectSelector: { matchLabels: { guarded: 'yes' } },
      },
    });
    const configurations = objects.filter(({ webhooks }) => webhooks !== undefined);
    expect(configurations.map(({ metadata }) => metadata.annotations)).toEqual([{ note: 'x' }, { note: 'x' }]);
    const webhooks = configurations.flatMap((object) => object.webhooks);
    for (const webhook of webhooks) {
      expect(webhook.timeoutSeconds).toBe(webhook.name === 'claims.validate.muster' ? 10 : 3);
      expect(webhook.objectSelector).toEqual({ matchLabels: { guarded: 'yes' } });
      expect(webhook.namespaceSelector.matchLabels).toEqual({ team: 'fleet' });
      expect(webhook.namespaceSelector.matchExpressions.at(-1)).toEqual(expression);
      expect(webhook.clientConfig.service.port).toBe(8443);
    }
    const own = webhooks.find(({ name }) => name === 'inventory.validate.muster').namespaceSelector.matchExpressions[0];
    expect(own).toMatchObject({ operator: 'NotIn', values: ['kube-system', 'muster-system'] });
    const [service] = objects.filter(({ kind }) => kind === 'Service') as [Json];
    expect([service.spec.ports[0].port, service.metadata.annotations]).toEqual([8443, { internal: 'yes' }]);
  });

  test('an autoscaler in place of a number, and another budget', async () => {
    const objects = await rendered(program, {
      autoscaling: { enabled: true, maxReplicas: 9 },
      podDisruptionBudget: { maxUnavailable: '25%' },
    });
    const of = (wanted: string) => objects.find(({ kind }) => kind === wanted)?.spec;
    expect(of('HorizontalPodAutoscaler')).toMatchObject({ minReplicas: 2, maxReplicas: 9 });
    expect(of('Deployment').replicas).toBeUndefined();
    expect(of('PodDisruptionBudget').maxUnavailable).toBe('25%');
  });

  test('what is switched off is not rendered', async () => {
    const values = { networkPolicy: { enabled: false }, certificates: { provider: 'existing', caBundle: CA } };
    const objects = await rendered(program, { ...values, scan: { enabled: true } });
    const kinds = new Set(objects.map(({ kind }) => kind));
    expect(['NetworkPolicy', 'Secret', 'Job', 'Issuer'].filter((kind) => kinds.has(kind))).toEqual([]);
    const webhooks = objects.flatMap((object) => object.webhooks ?? []);
    expect(new Set(webhooks.map(({ clientConfig }) => clientConfig.caBundle))).toEqual(
      new Set([Buffer.from(CA).toString('base64')]),
    );
  });

  test('the failure policy of one webhook is set alone, and beats that of all', async () => {
    const failurePolicies = { claims: 'Fail', 'inventory.mutate': 'Fail' };
    const objects = await rendered(program, { webhooks: { failurePolicy: 'Ignore', failurePolicies } });
    const strict = objects.flatMap((object) => object.webhooks ?? []).filter((one) => one.failurePolicy === 'Fail');
    expect(strict.map(({ name }) => name).sort()).toEqual(['claims.validate.muster', 'inventory.mutate.muster']);
  });

  test('an issuer of your own signs the certificate, without a CA of ours', async () => {
    const issuerRef = { name: 'fleet', kind: 'ClusterIssuer' };
    const objects = await rendered(program, { certificates: { provider: 'cert-manager', issuerRef } });
    const certManagers = objects.filter(({ apiVersion }) => apiVersion.startsWith('cert-manager.io/'));
    expect(certManagers).toMatchObject([{ kind: 'Certificate', metadata: { name: 'muster' }, spec: { issuerRef } }]);
  });

  test.each<[string, object, RegExp]>([
    [
      'a rule that does not exist',
      { configuration: { rules: { 'claim/foo': 'warn' } } },
      /configuration[./]rules.*claim\/foo/,
    ],
    [
      'a manager whose name is no label',
      { configuration: { inventory: { managers: { '-a': [USER] } } } },
      /managers.*-a/,
    ],
    ['a webhook that does not exist', { webhooks: { failurePolicies: { claim: 'Fail' } } }, /claim/],
    ['a time limit that no API server takes', { webhooks: { timeouts: { claims: 60 } } }, /timeouts.*claims/],
    ['what is no port', { ports: { ops: 70000 } }, /ports.*ops/],
    ['a DNS policy that takes more than the chart has', { dnsPolicy: 'None' }, /dnsPolicy/],
    ['one port for two things', { ports: { https: 8080 } }, /ports\.https and ports\.ops/],
    ['a port that the Service has already', { service: { port: 8080 } }, /service\.port/],
    ['a tag in the name of a repository', { image: { repository: 'r.example.com/muster:1.0' } }, /image.*repository/],
    ['an argument that is no flag', { extraArgs: ['verbose'] }, /extraArgs/],
    ['a name that the names of jobs leave no room for', { fullnameOverride: 'm'.repeat(41) }, /fullnameOverride/],
    ['an enforcement, which follows from the configuration', { webhooks: { enforcement: {} } }, /enforcement/],
    ['a schedule out of range', { scan: { schedule: '61 * * * *' } }, /scan.*schedule/],
    ['what is no quantity', { resources: { limits: { memory: '512MB' } } }, /resources.*limits.*memory/],
    ['a CA that is none', { certificates: { provider: 'existing', caBundle: 'ca.crt' } }, /caBundle/],
  ])('refuses %s', async (_, values, message) => {
    await expect(rendered(program, values)).rejects.toThrow(message);
  });

  test('refuses the namespace kube-system, whose pods could not wait for their own webhook', async () => {
    await expect(rendered(program, {}, 'kube-system')).rejects.toThrow('a namespace of its own, such as muster-system');
  });
});

(toolsAreThere ? test : test.skip)(
  'OpenShift: with the patches of the guide, its SCC admits every pod of the base',
  async () => {
    const base = relative(folder, resolve('manifests/base'));
    const text = blockOf('yaml')
      .replace(/^yaml\n/, '')
      .replace(/"\.\.\/<.*?>\/manifests\/base"/, JSON.stringify(base));
    writeFileSync(join(folder, 'kustomization.yaml'), text);
    const pods = podsOf(await kustomize(folder));
    expect(pods).toHaveLength(3);
    for (const pod of pods) expectRestricted(pod);
  },
);

/** The commands of each way to install muster: none takes objects from Helm, or a server outside for one inside. */
import { describe, expect, test } from '@jest/globals';
import { installedParts } from '../../../../src/cli/doctor/expected.ts';
import { programsOf } from '../../../../src/cli/doctor/programs.ts';
import {
  certsRemedy,
  editConfiguration,
  inOrder,
  recreateSteps,
  removeStep,
  restore,
  upgrade,
} from '../../../../src/cli/doctor/remedies.ts';
import { PARTS, PARTS_BY_URL } from '../../../../src/manifests/names.ts';
import { DEFAULT_ENFORCEMENT } from '../../../../src/manifests/requirements.ts';
import { contextOf } from './context.ts';

const OWNERS = { ...DEFAULT_ENFORCEMENT, webhooks: { 'inventory-owners': 'deny' } };
const WAYS = {
  helm3: { way: { kind: 'helm', release: 'r', appliesServerSide: false } },
  helm4: { way: { kind: 'helm', release: 'r', appliesServerSide: true } },
  manifests: { way: { kind: 'manifests' } },
  url: { way: { kind: 'url', url: 'https://h:8443' } },
  lost: { way: { kind: 'url', url: undefined } },
};
const OPTIONS = ['image', 'configuration', 'enforcement', 'reads'];
const installedBy = (way: keyof typeof WAYS, more: object = {}) => {
  const isOption = ([key]: readonly [string, unknown]) => OPTIONS.includes(key);
  const options = Object.fromEntries(Object.entries(more).filter(isOption));
  return contextOf({ ...WAYS[way], ...more }, { enforcement: { ...DEFAULT_ENFORCEMENT }, ...options });
};

const APPLY = '| kubectl apply --server-side --force-conflicts -f -';
const UPGRADE = 'helm upgrade r charts/kube-muster --namespace muster-system --reset-then-reuse-values';
const READ = "kubectl get configmap muster-config --namespace muster-system -o jsonpath='{.data.muster\\.yaml}'";
const VALUES = 'muster manifests --config c.yaml --output helm-values > muster-values.yaml';
const UNKNOWN = '--url https://HOST:PORT --ca-file ca.crt';
const CALLED = '--url https://h:8443 --ca-file ca.crt';
const WRITE_CA = 'write the CA of the server certificate to ca.crt, then: ';

const recreateWebhooks = (context: Parameters<typeof recreateSteps>[0]) => inOrder(recreateSteps(context));

describe('the registration', () => {
  test.each([
    ['helm3', {}, UPGRADE],
    ['helm4', {}, `${UPGRADE} --force-conflicts`],
    [
      ...(['helm3', { enforcement: OWNERS, configFile: 'c.yaml' }] as const),
      `${VALUES} && ${UPGRADE} --values muster-values.yaml`,
    ],
    ['manifests', {}, `muster manifests --only webhooks ${APPLY}`],
    ['manifests', { namespace: 'n' }, `muster manifests --only webhooks --namespace n ${APPLY}`],
    [
      ...(['manifests', { enforcement: OWNERS, configuration: 'mode: warn' }] as const),
      `${READ} > in-cluster.yaml && muster manifests --only webhooks --config in-cluster.yaml ${APPLY}`,
    ],
    ['url', {}, `${WRITE_CA}muster manifests --only webhooks ${CALLED} ${APPLY}`],
    [
      ...(['lost', {}] as const),
      `with the URL of the server outside: ${WRITE_CA}muster manifests --only webhooks ${UNKNOWN} ${APPLY}`,
    ],
  ] as const)('%s %j', (way, more, command) => expect(restore(installedBy(way, more), 'webhooks')).toBe(command));
});

test.each(['workload', 'certs', 'scan'] as const)('the part %s keeps its image', (part) => {
  const command = `muster manifests --only ${part} --image a/b:1 ${APPLY}`;
  expect(restore(installedBy('manifests', { image: 'a/b:1' }), part)).toBe(command);
  expect(restore(installedBy('manifests', { image: '$(x)' }), part)).toContain("--image '$(x)' ");
});

const CONFIG = '--config in-cluster.yaml';
const serverOf = (replicas: number, ...args: readonly string[]) => {
  const body = { spec: { replicas, template: { spec: { containers: [{ args: ['serve', ...args] }] } } } };
  return { image: 'a/b:1', deployment: { kind: 'found', body } };
};

describe('what the operator has set stays', () => {
  const ignoring = { profileLists: false, registrar: undefined };
  const registrar = { profileLists: true, registrar: { kubeconfig: 'hub.yaml', namespace: 'cluster-ids' } };
  test.each([
    ['workload', serverOf(3, '--events'), '--image a/b:1 --replicas 3 --events'],
    ['workload', serverOf(2), '--image a/b:1'],
    ['workload', serverOf(0), '--image a/b:1'],
    ['workload', { image: 'a/b:1', reads: registrar, configuration: '' }, `--image a/b:1 ${CONFIG}`],
    ['rbac', serverOf(3, '--events'), '--events'],
    ['rbac', { reads: ignoring, configuration: '' }, CONFIG],
    ['rbac', { reads: ignoring, configFile: 'c.yaml' }, '--config c.yaml'],
    ['rbac', { configuration: '' }, ''],
    // The rights of the server depend on what it reads, not on what the webhooks enforce.
    ['rbac', { enforcement: OWNERS, configuration: '' }, ''],
    ['webhooks', { enforcement: OWNERS, configuration: '' }, CONFIG],
    ['webhooks', { reads: ignoring, configuration: '' }, ''],
    ['config', { configuration: '' }, CONFIG],
    ['config', { configFile: 'c.yaml', configuration: '' }, '--config c.yaml'],
    ['config', {}, ''],
    ['network', serverOf(3, '--events'), ''],
    ['webhooks', serverOf(3, '--events'), ''],
  ] as const)('%s %j: %s', (part, more, flags) => {
    const [before, after] = restore(installedBy('manifests', more), part).split(`muster manifests --only ${part}`);
    expect(after).toBe(`${flags === '' ? '' : ` ${flags}`} ${APPLY}`);
    expect(before).toBe(flags.includes(CONFIG) ? `${READ} > in-cluster.yaml && ` : '');
  });
});

const RENDER = /^render your manifests again with muster \d\S+, and apply them: the objects are named fleet-muster/;

describe('objects with names of their own are not installed a second time under the usual ones', () => {
  const names = { base: 'fleet-muster', account: 'fleet-muster', secret: 'fleet-muster-tls' };
  const named = (more = {}) => installedBy('manifests', { names, issuer: { kind: 'muster' }, ...more });
  test('a text says so', () => {
    for (const part of ['webhooks', 'workload', 'rbac', 'config'] as const)
      expect(restore(named(), part)).toMatch(RENDER);
    expect(upgrade(named(), PARTS)).toMatch(RENDER);
    expect(editConfiguration(named({ configFile: 'c.yaml' }))).toMatch(/^edit c\.yaml, then: render your manifests/);
    const certs = /; then: muster certs --secret muster-system\/fleet-muster-tls .* --webhook fleet-muster$/;
    expect(recreateWebhooks(named())).toMatch(RENDER);
    expect(recreateWebhooks(named())).toMatch(certs);
  });

  test.each(['namespace', 'leases', 'crds'] as const)('the part %s has the same names everywhere', (part) => {
    expect(restore(named(), part)).toBe(`muster manifests --only ${part} ${APPLY}`);
  });
});

describe('webhooks that were missing get their CA', () => {
  const CERTS = 'muster certs --secret muster-system/muster-tls --service muster-system/muster --webhook muster';
  test.each([
    ['manifests', { kind: 'muster' }, `muster manifests --only webhooks ${APPLY} && ${CERTS}`],
    ['helm3', { kind: 'muster' }, `${UPGRADE} && ${CERTS}`],
    [
      ...(['manifests', { kind: 'cert-manager', certificate: 'muster-system/muster' }] as const),
      `muster manifests --only webhooks --certificates cert-manager ${APPLY}`,
    ],
    [
      ...(['manifests', { kind: 'cert-manager', certificate: 'n/c' }] as const),
      expect.stringMatching(/^render your .* apply them: cert-manager fills in the CA of the Certificate n\/c$/),
    ],
    [
      ...(['manifests', { kind: 'existing' }] as const),
      `${WRITE_CA}muster manifests --only webhooks --certificates existing --ca-file ca.crt ${APPLY}`,
    ],
    ['url', { kind: 'existing' }, `${WRITE_CA}muster manifests --only webhooks ${CALLED} ${APPLY}`],
  ] as const)('%s, by %j', (way, issuer, command) => {
    expect(recreateWebhooks(installedBy(way, { issuer }))).toEqual(command);
  });
});

test.each([
  ['kubectl patch x && a y', [{ command: 'kubectl patch x' }, { command: 'a y' }]],
  ['with b: kubectl patch x && a y', [{ command: 'kubectl patch x' }, { before: 'with b: ', command: 'a y' }]],
  ['kubectl patch x; then: kubectl is needed', [{ command: 'kubectl patch x' }, { action: 'kubectl is needed' }]],
])('%s', (joined, steps) => expect(inOrder(steps)).toBe(joined));

describe('an upgrade replaces the parts that are there', () => {
  const BASE = ['namespace', 'leases', 'rbac', 'config', 'workload', 'webhooks'];
  const managed = { kind: 'cert-manager', certificate: 'muster-system/muster' };
  test.each([
    ['manifests', { kind: 'muster' }, ['network', 'certs'], ''],
    ['manifests', { kind: 'muster' }, ['certs'], `--only ${[...BASE, 'certs'].join()} `],
    [
      ...(['manifests', { kind: 'muster' }, ['network', 'certs', 'crds', 'scan']] as const),
      '--only namespace,leases,rbac,config,workload,network,webhooks,certs,crds,scan ',
    ],
    // Its Certificates stay as they are.
    ['manifests', managed, ['certs'], `--only ${BASE.join()} `],
    ['url', { kind: 'existing' }, [], ''],
    ['url', { kind: 'existing' }, ['crds'], '--only namespace,leases,rbac,webhooks,crds '],
  ] as const)('%s, %j, with %j', (way, issuer, found, only) => {
    const context = installedBy(way, { issuer });
    const compared = (part: string, kind: string) => ({ part, object: {}, result: { kind } });
    const all = [...found.map((part) => compared(part, 'compared')), compared('monitoring', 'missing')];
    const parts = installedParts(context, all as unknown as Parameters<typeof installedParts>[1]);
    expect(upgrade(context, parts)).toContain(`muster manifests ${only}${way === 'url' ? '--url' : '--image'} `);
  });

  test('and the usual ones that can not be read, which may be there', () => {
    const unread = ['network', 'certs', 'scan', 'crds'].map((part) => ({ part, result: { kind: 'unknown' } }));
    const all = unread as unknown as Parameters<typeof installedParts>[1];
    expect(installedParts(installedBy('manifests', { issuer: { kind: 'muster' } }), all)).toEqual(PARTS);
  });
});

const released = (pinned?: 'tag' | 'digest') => ({ released: { kind: 'released', objects: [], pinned } });

test.each([
  ['helm3', {}, /^get the chart of muster \d\S+, then: helm upgrade r \S+ --namespace \S+ --reset-then-reuse-values$/],
  ['helm3', released(), /--reset-then-reuse-values$/],
  ['helm3', released('tag'), /^get the chart of muster \d\S+, then: helm .* --set image\.tag=\d+\.\d+\.\d+$/],
  [
    'helm3',
    released('digest'),
    /^get the chart of .* and the digest of its image, then: .* --set image\.digest=DIGEST$/,
  ],
  ['manifests', {}, /^muster manifests --image REGISTRY\/kube-muster:\d\S+ \| kubectl apply/],
  [
    ...(['manifests', { configuration: 'mode: warn', ...serverOf(3, '--events') }] as const),
    /^kubectl get .* && muster manifests --image \S+ --replicas 3 --events --config in-cluster\.yaml \|/,
  ],
  ['manifests', { configFile: 'c.yaml' }, /^muster manifests --image \S+ --config c\.yaml \|/],
  [
    ...(['url', {}] as const),
    /^run muster \d\S+ as the server, then: write the CA .*: muster manifests --url https:\/\/h:8443 --ca-file ca\.crt \| kubectl/,
  ],
] as const)('an upgrade: %s %j', (way, more, command) =>
  expect(upgrade(installedBy(way, more), way === 'url' ? PARTS_BY_URL : PARTS)).toMatch(command),
);

test.each([
  ['manifests', undefined, 'n', /^kubectl -n n edit configmap muster-config$/],
  [
    'manifests',
    'my file',
    'n',
    /^edit 'my file', then: muster manifests --only config --config 'my file' --namespace n \|/,
  ],
  ['manifests', 'c.yaml', 'muster-system', /--config c\.yaml \| kubectl apply/],
  ['helm3', undefined, 'n', /^change "configuration" in your values, then: helm upgrade .* --values values\.yaml$/],
  [
    'helm3',
    'c.yaml',
    'n',
    /^edit c\.yaml, then: muster manifests --config c\.yaml --output helm-values > .* helm upgrade /,
  ],
  ['url', 'c.yaml', 'n', /^edit c\.yaml, which the server reads again$/],
  ['url', undefined, 'n', /^edit the file of --config of muster serve, which the server reads again$/],
] as const)('a change of the configuration: %s, file %s, namespace %s', (way, configFile, namespace, remedy) => {
  expect(editConfiguration(installedBy(way, { configFile, namespace, enforcement: OWNERS }))).toMatch(remedy);
});

test.each([
  [
    { kind: 'muster' },
    /^muster certs --secret muster-system\/muster-tls --service muster-system\/muster --webhook muster$/,
  ],
  [{ kind: 'cert-manager', certificate: 'n/c' }, /kubectl -n n describe certificate c$/],
  [
    { kind: 'existing' },
    /^issue a certificate for muster\.muster-system\.svc with .* kubectl create secret tls .* && helm upgrade r .* --set-file certificates\.caBundle=ca\.crt$/,
  ],
])('a new certificate of %j', (issuer, remedy) =>
  expect(certsRemedy(installedBy('helm3', { issuer }))).toMatch(remedy),
);

test("one's own certificate: the Secret of the manifests, and then its CA in the webhooks", () => {
  const remedy = certsRemedy(installedBy('manifests', { issuer: { kind: 'existing' } }));
  expect(remedy).toMatch(
    /^issue a certificate for muster\.muster-system\.svc .* kubectl create secret tls muster-tls /,
  );
  const registers = `muster manifests --only webhooks --certificates existing --ca-file ca.crt ${APPLY}`;
  expect(remedy).toContain(` with your CA, and ${WRITE_CA}kubectl create secret tls `);
  expect(remedy.endsWith(` && ${registers}`)).toBe(true);
});

test('a name with a quote is quoted for a shell', () => {
  const items = [{ path: '/webhooks/1', name: "it's" }];
  const command = inOrder([removeStep(contextOf(), 'ValidatingWebhookConfiguration', items)]);
  const [, json = ''] =
    /^kubectl patch validatingwebhookconfiguration muster --type=json -p '(.*)'$/.exec(command) ?? [];
  expect(JSON.parse(json.replaceAll(`'\\''`, "'"))).toEqual([
    { op: 'test', path: '/webhooks/1/name', value: "it's" },
    { op: 'remove', path: '/webhooks/1' },
  ]);
});

test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('%s: each command names the cluster that was checked', (way) => {
  const context = installedBy(way, { programs: programsOf({ context: 'east' }), configuration: 'mode: warn' });
  const remedies = [
    recreateWebhooks(context),
    upgrade(context, PARTS),
    certsRemedy(context),
    editConfiguration(context),
  ];
  const commands = remedies.flatMap((remedy) => remedy.match(/\b(?:kubectl|helm|muster certs)(?: \S+){2}/g) ?? []);
  expect(commands).not.toEqual([]);
  for (const command of commands) expect(command).toMatch(/ --(?:kube-)?context east$/);
});

/** The commands of each way to install muster: none takes objects from Helm, or a server outside for one inside. */
import { describe, expect, test } from '@jest/globals';
import {
  certsRemedy,
  type DoctorContext,
  editConfiguration,
  removal,
  restore,
  upgrade,
} from '../../../../src/cli/doctor/remedies.ts';

const NAMES = { base: 'muster', account: 'muster', secret: 'muster-tls' };
const NOTHING = { deletions: {}, owners: {}, profileLabel: false };
const OWNERS = { ...NOTHING, owners: { inventory: 'deny' } };
const WAYS = {
  helm3: { way: { kind: 'helm', release: 'r', appliesServerSide: false } },
  helm4: { way: { kind: 'helm', release: 'r', appliesServerSide: true } },
  manifests: { way: { kind: 'manifests' } },
  url: { way: { kind: 'url', url: 'https://h:8443' } },
  lost: { way: { kind: 'url', url: undefined } },
};
const contextOf = (way: keyof typeof WAYS, more: object = {}) =>
  ({
    ...{ namespace: 'muster-system', names: NAMES, issuer: { kind: 'certs' }, enforcement: NOTHING },
    ...{ service: { namespace: 'muster-system', name: 'muster', port: 443 }, ...WAYS[way], ...more },
  }) as unknown as DoctorContext;

const APPLY = '| kubectl apply --server-side --force-conflicts -f -';
const UPGRADE = 'helm upgrade r charts/kube-muster --namespace muster-system --reset-then-reuse-values';
const READ = "kubectl get configmap muster-config --namespace muster-system -o jsonpath='{.data.muster\\.yaml}'";
const VALUES = 'muster manifests --config c.yaml --output helm-values > muster-values.yaml';
const UNKNOWN = '--url https://HOST:PORT --ca-file ca.crt';
const CALLED = '--url https://h:8443 --ca-file ca.crt';

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
      ...(['manifests', { enforcement: OWNERS }] as const),
      `${READ} > in-cluster.yaml && muster manifests --only webhooks --config in-cluster.yaml ${APPLY}`,
    ],
    ['url', {}, `muster manifests --only webhooks ${CALLED} ${APPLY}`],
    [
      ...(['lost', {}] as const),
      `with the URL of the server outside: muster manifests --only webhooks ${UNKNOWN} ${APPLY}`,
    ],
  ] as const)('%s %j', (way, more, command) => expect(restore(contextOf(way, more), 'webhooks')).toBe(command));
});

test('the workload keeps its image', () => {
  const command = `muster manifests --only workload --image a/b:1 ${APPLY}`;
  expect(restore(contextOf('manifests', { image: 'a/b:1' }), 'workload')).toBe(command);
  expect(restore(contextOf('manifests', { image: '$(x)' }), 'workload')).toContain("--image '$(x)' ");
});

test.each([
  ['helm3', /^get the chart of muster \d.*, then: helm upgrade r /],
  ['manifests', /^muster manifests --image REGISTRY\/kube-muster:\d\S+ \| kubectl apply/],
  ['url', /^run muster \d.* as the server, then: muster manifests --url https:\/\/h:8443 --ca-file ca\.crt \| kubectl/],
] as const)('an upgrade: %s', (way, command) => expect(upgrade(contextOf(way))).toMatch(command));

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
  expect(editConfiguration(contextOf(way, { configFile, namespace, enforcement: OWNERS }))).toMatch(remedy);
});

test.each([
  [
    { kind: 'certs' },
    /^muster certs --secret muster-system\/muster-tls --service muster-system\/muster --webhook muster$/,
  ],
  [{ kind: 'cert-manager', certificate: 'n/c' }, /kubectl -n n describe certificate c$/],
  [{ kind: 'other' }, /^issue a certificate for muster\.muster-system\.svc with your CA.* kubectl create secret tls /],
])('a new certificate of %j', (issuer, remedy) => expect(certsRemedy(contextOf('helm3', { issuer }))).toMatch(remedy));

test('items are removed from the last on, each tested first', () => {
  const command = removal('ValidatingWebhookConfiguration', 'muster', [
    { webhook: [0, 'a'], condition: [1, 'x'] },
    { webhook: [0, 'a'], condition: [2, 'y'] },
    { webhook: [1, "it's"] },
    { webhook: [2, 'c'] },
  ]);
  const [, json = ''] =
    /^kubectl patch validatingwebhookconfiguration muster --type=json -p '(.*)'$/.exec(command) ?? [];
  const pairs = [
    ['/webhooks/0/matchConditions/2', 'y'],
    ['/webhooks/0/matchConditions/1', 'x'],
    ['/webhooks/2', 'c'],
    ['/webhooks/1', "it's"],
  ];
  expect(JSON.parse(json.replaceAll(`'\\''`, "'"))).toEqual(
    pairs.flatMap(([path, value]) => [
      { op: 'test', path: `${path}/name`, value },
      { op: 'remove', path },
    ]),
  );
});

/** The commands of each way to install muster: none takes objects from Helm, or a server outside for one inside. */
import { describe, expect, test } from '@jest/globals';
import { certsRemedy, editConfiguration, removal, restore, upgrade } from '../../../../src/cli/doctor/remedies.ts';
import { NOTHING_ENFORCED } from '../../../../src/manifests/registration.ts';
import { contextOf } from './context.ts';

const OWNERS = { ...NOTHING_ENFORCED, owners: { inventory: 'deny' } };
const WAYS = {
  helm3: { way: { kind: 'helm', release: 'r', appliesServerSide: false } },
  helm4: { way: { kind: 'helm', release: 'r', appliesServerSide: true } },
  manifests: { way: { kind: 'manifests' } },
  url: { way: { kind: 'url', url: 'https://h:8443' } },
  lost: { way: { kind: 'url', url: undefined } },
};
const installedBy = (way: keyof typeof WAYS, more: object = {}) =>
  contextOf({ enforcement: { ...NOTHING_ENFORCED }, ...WAYS[way], ...more });

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
  ] as const)('%s %j', (way, more, command) => expect(restore(installedBy(way, more), 'webhooks')).toBe(command));
});

test('the workload keeps its image', () => {
  const command = `muster manifests --only workload --image a/b:1 ${APPLY}`;
  expect(restore(installedBy('manifests', { image: 'a/b:1' }), 'workload')).toBe(command);
  expect(restore(installedBy('manifests', { image: '$(x)' }), 'workload')).toContain("--image '$(x)' ");
});

test.each([
  ['helm3', /^get the chart of muster \d.*, then: helm upgrade r /],
  ['manifests', /^muster manifests --image REGISTRY\/kube-muster:\d\S+ \| kubectl apply/],
  ['url', /^run muster \d.* as the server, then: muster manifests --url https:\/\/h:8443 --ca-file ca\.crt \| kubectl/],
] as const)('an upgrade: %s', (way, command) => expect(upgrade(installedBy(way))).toMatch(command));

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
    { kind: 'certs' },
    /^muster certs --secret muster-system\/muster-tls --service muster-system\/muster --webhook muster$/,
  ],
  [{ kind: 'cert-manager', certificate: 'n/c' }, /kubectl -n n describe certificate c$/],
  [{ kind: 'other' }, /^issue a certificate for muster\.muster-system\.svc with your CA.* kubectl create secret tls /],
])('a new certificate of %j', (issuer, remedy) =>
  expect(certsRemedy(installedBy('helm3', { issuer }))).toMatch(remedy),
);

test('items are removed from the last on, each tested first', () => {
  const command = removal('ValidatingWebhookConfiguration', 'muster', [
    { path: '/webhooks/0/matchConditions/1', name: 'x' },
    { path: '/webhooks/0/matchConditions/2', name: 'y' },
    { path: '/webhooks/1', name: "it's" },
    { path: '/webhooks/2', name: 'c' },
  ]);
  const [, json = ''] =
    /^kubectl patch validatingwebhookconfiguration muster --type=json -p '(.*)'$/.exec(command) ?? [];
  const pairs = [
    ['/webhooks/2', 'c'],
    ['/webhooks/1', "it's"],
    ['/webhooks/0/matchConditions/2', 'y'],
    ['/webhooks/0/matchConditions/1', 'x'],
  ];
  expect(JSON.parse(json.replaceAll(`'\\''`, "'"))).toEqual(
    pairs.flatMap(([path, value]) => [
      { op: 'test', path: `${path}/name`, value },
      { op: 'remove', path },
    ]),
  );
});

/** What can be wrong with a server that is registered by its URL: one difference a case. */
import { dialects } from '../../../../src/api/dialects.ts';
import { issueCertificates } from '../../../../src/tls/issue.ts';
import { type ControlPlane, freePort, type Json, type Muster, register, settled } from '../harness/index.ts';
import { bindingOf } from '../harness/users.ts';
import type { edit, Findings, remove } from './bench.ts';

export interface Bench {
  readonly controlPlane: ControlPlane;
  readonly muster: Muster;
  readonly edit: typeof edit;
  readonly remove: typeof remove;
}

export interface Case {
  readonly name: string;
  breaks(bench: Bench): Promise<void>;
  /** Every check that is not ok then; the first has this message. */
  readonly found: Findings;
  readonly message: RegExp;
  /** What fixes it, if the remedy is no command; the remedy has to match. */
  readonly by?: { readonly remedy: RegExp; fixes(bench: Bench): Promise<void> };
}

const evaluated = dialects.map(({ name }) => name);
export const REFUSED = evaluated.map((name) => `probe/${name}/refused`);
export const ACCEPTED = evaluated.map((name) => `probe/${name}/accepted`);
/** There is an id of that kind, as there is a Feature. */
export const READ = 'probe/cluster-claim/read';
export const ALL_PROBES = [...REFUSED, ...ACCEPTED, READ];
const CLAIMS = ['probe/cluster-claim', 'probe/ocm-cluster-claim', 'probe/cluster-property'];
const CLAIMS_REFUSED = CLAIMS.map((id) => `${id}/refused`);

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const VALIDATING = `${REGISTRATION}/validatingwebhookconfigurations/muster`;
const MUTATING = `${REGISTRATION}/mutatingwebhookconfigurations/muster`;

const failing = (...ids: readonly string[]): Findings => Object.fromEntries(ids.map((id) => [id, 'fail']));
const warning = (...ids: readonly string[]): Findings => Object.fromEntries(ids.map((id) => [id, 'warn']));

/** Changes one webhook, by the first part of its name. */
function webhook(name: string, change: (webhook: Json) => void, path = VALIDATING): Case['breaks'] {
  return ({ controlPlane, edit }) =>
    edit(controlPlane, path, ({ webhooks }) => change(webhooks.find((each: Json) => each.name.startsWith(`${name}.`))));
}

/** Changes them all. */
function everywhere(change: (webhook: Json) => void): Case['breaks'] {
  return async ({ controlPlane, edit }) => {
    for (const path of [VALIDATING, MUTATING])
      await edit(controlPlane, path, ({ webhooks }) => void webhooks.map(change));
  };
}

const REGISTERED = 'registration/claims.validate.muster';
const FEATURES = 'registration/features.validate.muster';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CONFIG_MAP = '/api/v1/namespaces/muster-system/configmaps/muster-config';
const TOO_MUCH = `${RBAC}/clusterrolebindings/too-much`;

const gone =
  (path: string): Case['breaks'] =>
  ({ controlPlane, remove }) =>
    remove(controlPlane, path);
const changed =
  (path: string, change: (object: Json) => void): Case['breaks'] =>
  ({ controlPlane, edit }) =>
    edit(controlPlane, path, change);
const applied =
  (...objects: readonly object[]): Case['breaks'] =>
  async ({ controlPlane }) => {
    await controlPlane.apply(...objects);
    await settled(controlPlane);
  };

type Row = readonly [name: string, found: Findings, message: RegExp, breaks: Case['breaks'], by?: Case['by']];

const drift: readonly Row[] = [
  [
    'a webhook is gone',
    failing('registration/inventory-status.validate.muster'),
    /missing/,
    changed(VALIDATING, (object) => {
      object.webhooks = object.webhooks.filter((each: Json) => !each.name.startsWith('inventory-status.'));
    }),
  ],
  [
    'an operation is gone from a rule',
    failing(REGISTERED),
    /rules\[0\]\.operations: expected .*"DELETE".*found/,
    webhook('claims', (each) => {
      for (const rule of each.rules) rule.operations.pop();
    }),
  ],
  [
    'a match condition too many',
    failing(REGISTERED, ...CLAIMS_REFUSED),
    /matchConditions\[never\]: expected nothing/,
    webhook('claims', (each) => each.matchConditions.push({ name: 'never', expression: 'false' })),
  ],
  [
    'a narrower namespaceSelector',
    failing(FEATURES, 'probe/feature/refused'),
    /namespaceSelector.*guarded/,
    webhook('features', (each) => Object.assign(each, { namespaceSelector: { matchLabels: { guarded: 'yes' } } })),
  ],
  [
    'no mutating configuration',
    failing('probe/inventory-cluster/accepted', 'registration/mutating', 'probe/cluster-profile/accepted'),
    /mutating webhook did not add the label/,
    gone(MUTATING),
  ],
];

const trust: readonly Row[] = [
  [
    "another server's CA",
    failing(...ALL_PROBES),
    /caBundle does not contain the CA/,
    async (bench) => {
      const { ca } = await issueCertificates({ names: ['127.0.0.1'] });
      const caBundle = Buffer.from(ca).toString('base64');
      await everywhere(({ clientConfig }) => Object.assign(clientConfig, { caBundle }))(bench);
    },
  ],
  [
    'the server is down',
    failing(...ALL_PROBES),
    /claims\.validate\.muster can't be called: nothing listens .*connection refused/,
    async (bench) => {
      const port = await freePort();
      await everywhere(({ clientConfig }) => {
        clientConfig.url = clientConfig.url.replace(/:\d+\//, `:${port}/`);
      })(bench);
    },
    { remedy: /muster serve/, fixes: ({ controlPlane, muster }) => register(controlPlane, muster) },
  ],
];

const around: readonly Row[] = [
  [
    "a CRD's schema differs",
    failing('crd/feature'),
    /schema\.openAPIV3Schema\.properties\.status\.properties\.state\.enum: expected \["Off".*found nothing/,
    changed(`${CRDS}/features.features.x-k8s.io`, ({ spec }) => {
      delete spec.versions[0].schema.openAPIV3Schema.properties.status.properties.state.enum;
    }),
  ],
  [
    'the server may not read claims',
    failing('permission/needed', READ),
    /lacks 9 of 15: get clusterclaims\.multicluster\.x-k8s\.io id\.k8s\.io/,
    gone(`${RBAC}/clusterrolebindings/muster`),
  ],
  [
    'the server may do far more than it needs',
    warning('permission/excess'),
    /update validatingwebhookconfigurations\.admissionregistration\.k8s\.io muster.*list secrets/,
    applied(bindingOf('too-much', 'cluster-admin', 'system:serviceaccounts:muster-system')),
    { remedy: /kubectl auth can-i --list/, fixes: gone(TOO_MUCH) },
  ],
  [
    'an invalid configuration',
    failing('configuration'),
    /muster\.yaml:\d+:\d+: mode: /,
    applied({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'muster-config', namespace: 'muster-system' },
      data: { 'muster.yaml': 'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\nmode: grim\n' },
    }),
    { remedy: /kubectl -n muster-system edit configmap muster-config/, fixes: gone(CONFIG_MAP) },
  ],
];

/** What a failed case may leave. */
export const LEFTOVERS: readonly string[] = [VALIDATING, MUTATING, TOO_MUCH, CONFIG_MAP];

export const cases: readonly Case[] = [...drift, ...trust, ...around].map(([name, found, message, breaks, by]) => ({
  ...{ name, found, message, breaks },
  ...(by && { by }),
}));

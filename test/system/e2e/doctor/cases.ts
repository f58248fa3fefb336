/** What can be wrong with a server that is registered by its URL: one difference a case. */
import { dialects } from '../../../../src/api/dialects.ts';
import { issueCertificates } from '../../../../src/certificates/issue.ts';
import { HEAD } from '../../../support/configuration.ts';
import { type ControlPlane, freePort, type Json, type Muster, register, settled } from '../harness/index.ts';
import type { edit, Findings, remove } from './bench.ts';

interface Bench {
  readonly controlPlane: ControlPlane;
  readonly muster: Muster;
  readonly edit: typeof edit;
  readonly remove: typeof remove;
}

export interface Case {
  readonly name: string;
  breaks(bench: Bench): Promise<void>;
  /** Every check that is not ok then, and is a cause; the first has this message. */
  readonly found: Findings;
  /** What follows from the first. */
  readonly consequences?: readonly string[];
  readonly message: RegExp;
  /** What fixes it, if the remedy is no command; the remedy has to match. */
  readonly by?: { readonly remedy: RegExp; fixes(bench: Bench): Promise<void> };
}

/** No rule denies a service without a configuration. */
const evaluated = dialects.flatMap(({ concept, name }) => (concept === 'service' ? [] : name));
export const REFUSED = evaluated.map((name) => `probe/${name}/refused`);
const ACCEPTED = evaluated.map((name) => `probe/${name}/accepted`);
/** There is an id of that kind, as there is a Feature. */
export const READ = 'probe/cluster-claim/read';
export const ALL_PROBES = [...REFUSED, ...ACCEPTED, READ];
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const VALIDATING = `${REGISTRATION}/validatingwebhookconfigurations/muster`;
const MUTATING = `${REGISTRATION}/mutatingwebhookconfigurations/muster`;

const failing = (...ids: readonly string[]): Findings => Object.fromEntries(ids.map((id) => [id, 'fail']));

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

const FEATURES = 'registration/features.validate.muster';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CONFIG_MAP = '/api/v1/namespaces/muster-system/configmaps/muster-config';

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

type Row = readonly [
  ...[name: string, found: Findings, message: RegExp, breaks: Case['breaks']],
  ...[consequences?: readonly string[], by?: Case['by']],
];

const drift: readonly Row[] = [
  [
    'a narrower namespaceSelector',
    failing(FEATURES),
    /namespaceSelector.*guarded/,
    webhook('features', (each) => Object.assign(each, { namespaceSelector: { matchLabels: { guarded: 'yes' } } })),
  ],
  [
    'no mutating configuration',
    failing('registration/mutating'),
    /^is missing: no label of a cluster manager is added/,
    gone(MUTATING),
    ['probe/cluster-profile/accepted', 'probe/inventory-cluster/accepted'],
  ],
  [
    'an older version, which had fewer webhooks',
    failing('installation/version'),
    /^older than this muster, \d\S+: ValidatingWebhookConfiguration muster: 0\.0\.9 $/,
    changed(VALIDATING, (object) => {
      object.metadata.labels['app.kubernetes.io/version'] = '0.0.9';
      object.webhooks = object.webhooks.filter((each: Json) => !each.name.includes('-deletions.'));
    }),
    ['feature', 'inventory', 'membership'].map((of) => `registration/${of}-deletions.validate.muster`),
    {
      remedy: /: muster manifests --only [a-z,]+,webhooks,crds --url https:\/\/127\.0\.0\.1:\d+ --ca-file ca\.crt \|/,
      async fixes({ controlPlane, muster, remove }) {
        await remove(controlPlane, VALIDATING);
        await register(controlPlane, muster, { timeoutSeconds: 'printed' });
      },
    },
  ],
];

const trust: readonly Row[] = [
  [
    "another server's CA",
    failing('certificate/bundle'),
    /does not contain the CA of the server's certificate/,
    async (bench) => {
      const { ca } = await issueCertificates({ names: ['127.0.0.1'] });
      const caBundle = Buffer.from(ca).toString('base64');
      await everywhere(({ clientConfig }) => Object.assign(clientConfig, { caBundle }))(bench);
    },
    [...ALL_PROBES, 'server/call'],
  ],
  [
    'the server is down',
    failing('server/call'),
    /nothing listens .*connection refused/,
    async (bench) => {
      const port = await freePort();
      await everywhere(({ clientConfig }) => {
        clientConfig.url = clientConfig.url.replace(/:\d+\//, `:${port}/`);
      })(bench);
    },
    ALL_PROBES,
    {
      remedy: /muster serve/,
      fixes: ({ controlPlane, muster }) => register(controlPlane, muster, { timeoutSeconds: 'printed' }),
    },
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
    failing('installation/rbac'),
    /ClusterRoleBinding muster is missing/,
    gone(`${RBAC}/clusterrolebindings/muster`),
    ['permission/needed', READ],
  ],
  [
    'an invalid configuration',
    failing('configuration'),
    /muster\.yaml:\d+:\d+: mode: /,
    applied({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'muster-config', namespace: 'muster-system' },
      data: { 'muster.yaml': `${HEAD}mode: grim\n` },
    }),
    [],
    { remedy: /^edit the file of --config of muster serve/, fixes: gone(CONFIG_MAP) },
  ],
];

/** What a failed case may leave. */
export const LEFTOVERS: readonly string[] = [VALIDATING, MUTATING, CONFIG_MAP];

export const cases: readonly Case[] = [...drift, ...trust, ...around].map((row) => {
  const [name, found, message, breaks, consequences, by] = row;
  return { name, found, message, breaks, ...(consequences && { consequences }), ...(by && { by }) };
});

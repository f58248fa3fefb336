/** What can be wrong with a server that is registered by its URL. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dialects } from '../../../src/api/dialects.ts';
import { partOf } from '../../../src/manifests/installation.ts';
import { issueCertificates } from '../../../src/tls/issue.ts';
import { type ControlPlane, freePort, type Json, type Muster, register } from '../harness/index.ts';
import type { edit, Findings, remove } from './bench.ts';

export interface Hands {
  readonly controlPlane: ControlPlane;
  readonly muster: Muster;
  readonly edit: typeof edit;
  readonly remove: typeof remove;
}

export interface Case {
  readonly name: string;
  breaks(hands: Hands): Promise<void>;
  /** All that is not well then. */
  readonly found: Findings;
  /** The check that says it best, and how. */
  readonly told: string;
  readonly says: RegExp;
  /** Absent: the remedy's own command heals. Else the remedy has to read so. */
  heals?(hands: Hands): Promise<void>;
  readonly advises?: RegExp;
  /** Lets go of what it took, healed or not. */
  forgets?(): void;
}

const judged = dialects.map(({ name }) => name);
export const REFUSED = judged.map((name) => `probe/${name}/refused`);
export const ACCEPTED = judged.map((name) => `probe/${name}/accepted`);
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

const CLAIMS_CHECK = 'registration/claims.validate.muster';

const drift: readonly Case[] = [
  {
    name: 'a webhook is gone',
    breaks: ({ controlPlane, edit }) =>
      edit(controlPlane, VALIDATING, (object) => {
        object.webhooks = object.webhooks.filter((each: Json) => !each.name.startsWith('inventory-status.'));
      }),
    found: failing('registration/inventory-status.validate.muster'),
    told: 'registration/inventory-status.validate.muster',
    says: /missing/,
  },
  {
    name: 'an operation is gone from a rule',
    breaks: webhook('claims', (each) => {
      for (const rule of each.rules) rule.operations.pop();
    }),
    found: failing(CLAIMS_CHECK),
    told: CLAIMS_CHECK,
    says: /rules\[0\]\.operations: expected .*"DELETE".*found/,
  },
  {
    name: 'a rule matches more than is evaluated',
    breaks: webhook('features', (each) => each.rules[0].resources.push('features/scale')),
    found: failing('registration/features.validate.muster'),
    told: 'registration/features.validate.muster',
    says: /features\/scale/,
  },
  {
    name: 'failurePolicy is weaker',
    breaks: webhook('claims', (each) => Object.assign(each, { failurePolicy: 'Ignore' })),
    found: warning(CLAIMS_CHECK),
    told: CLAIMS_CHECK,
    says: /failurePolicy: expected "Fail", found "Ignore"/,
  },
  {
    name: 'failurePolicy is firmer than is good',
    breaks: webhook('system-features', (each) => Object.assign(each, { failurePolicy: 'Fail' })),
    found: warning('registration/system-features.validate.muster'),
    told: 'registration/system-features.validate.muster',
    says: /failurePolicy: expected "Ignore"/,
  },
  {
    name: 'a match condition is gone',
    breaks: webhook('claims', (each) => each.matchConditions.pop()),
    found: warning(CLAIMS_CHECK),
    told: CLAIMS_CHECK,
    says: /matchConditions\[deletes-id-or-membership\].*found nothing/,
  },
  {
    name: 'a match condition too many',
    breaks: webhook('claims', (each) => each.matchConditions.push({ name: 'never', expression: 'false' })),
    found: failing(CLAIMS_CHECK, ...CLAIMS_REFUSED),
    told: CLAIMS_CHECK,
    says: /matchConditions\[never\]: expected nothing/,
  },
  {
    name: 'a narrower namespaceSelector',
    breaks: webhook('features', (each) =>
      Object.assign(each, { namespaceSelector: { matchLabels: { guarded: 'yes' } } }),
    ),
    found: failing('registration/features.validate.muster', 'probe/feature/refused'),
    told: 'registration/features.validate.muster',
    says: /namespaceSelector.*guarded/,
  },
  {
    name: 'an objectSelector',
    breaks: webhook('claims', (each) => Object.assign(each, { objectSelector: { matchLabels: { guarded: 'yes' } } })),
    found: failing(CLAIMS_CHECK, ...CLAIMS_REFUSED),
    told: CLAIMS_CHECK,
    says: /objectSelector/,
  },
  {
    name: 'matchPolicy Exact',
    breaks: webhook('claims', (each) => Object.assign(each, { matchPolicy: 'Exact' })),
    found: failing(CLAIMS_CHECK),
    told: CLAIMS_CHECK,
    says: /matchPolicy: expected "Equivalent", found "Exact"/,
  },
  {
    name: 'another timeout, and no reinvocation',
    breaks: webhook(
      'inventory',
      (each) => Object.assign(each, { timeoutSeconds: 9, reinvocationPolicy: 'Never' }),
      MUTATING,
    ),
    found: warning('registration/inventory.mutate.muster'),
    told: 'registration/inventory.mutate.muster',
    says: /timeoutSeconds.*found 9/,
  },
  {
    name: "a webhook that is not muster's",
    breaks: ({ controlPlane, edit }) =>
      edit(controlPlane, VALIDATING, (object) => {
        object.webhooks.push({ ...object.webhooks[0], name: 'other.example.com', failurePolicy: 'Ignore' });
      }),
    found: warning('registration/validating'),
    told: 'registration/validating',
    says: /other\.example\.com/,
    advises: /kubectl edit validatingwebhookconfiguration muster/,
    heals: ({ controlPlane, edit }) =>
      edit(controlPlane, VALIDATING, (object) => {
        object.webhooks.pop();
      }),
  },
  {
    name: 'the wrong path',
    breaks: webhook('claims', (each) => {
      each.clientConfig.url = each.clientConfig.url.replace('/validate', '/mutate');
    }),
    found: failing(CLAIMS_CHECK, ...CLAIMS_REFUSED),
    told: CLAIMS_CHECK,
    says: /clientConfig\.url: expected ".*\/validate", found ".*\/mutate"/,
  },
  {
    name: 'no validating configuration',
    breaks: ({ controlPlane, remove }) => remove(controlPlane, VALIDATING),
    found: failing('registration/validating', ...REFUSED),
    told: 'registration/validating',
    says: /no write is evaluated/,
  },
  {
    name: 'no mutating configuration',
    breaks: ({ controlPlane, remove }) => remove(controlPlane, MUTATING),
    found: failing('registration/mutating', 'probe/inventory-cluster/accepted', 'probe/cluster-profile/accepted'),
    told: 'probe/inventory-cluster/accepted',
    says: /mutating webhook did not add the label/,
  },
];

const PROBES = failing(...ALL_PROBES);
const [CALLED = ''] = ALL_PROBES;

const trust: readonly Case[] = [
  {
    name: 'no caBundle anywhere',
    breaks: everywhere(({ clientConfig }) => {
      delete clientConfig.caBundle;
    }),
    found: PROBES,
    told: CALLED,
    says: /caBundle does not contain the CA/,
  },
  {
    name: 'one webhook lacks its caBundle',
    breaks: webhook('inventory-status', ({ clientConfig }) => {
      delete clientConfig.caBundle;
    }),
    found: failing('certificate/bundle'),
    told: 'certificate/bundle',
    says: /not the same everywhere: inventory-status/,
  },
  {
    name: "another server's CA",
    breaks: async (hands) => everywhere(await bundleOf({ names: ['127.0.0.1'] }))(hands),
    found: PROBES,
    told: CALLED,
    says: /caBundle does not contain the CA/,
  },
  {
    name: 'a CA that has expired',
    breaks: async (hands) => everywhere(await bundleOf({ names: ['127.0.0.1'], now: new Date('2020-01-01') }))(hands),
    found: { ...failing('certificate/bundle'), ...PROBES },
    told: 'certificate/bundle',
    says: /no CA that is valid now/,
  },
  {
    name: 'the server is down',
    breaks: async (hands) => {
      const port = await freePort();
      await everywhere(({ clientConfig }) => {
        clientConfig.url = clientConfig.url.replace(/:\d+\//, `:${port}/`);
      })(hands);
    },
    found: PROBES,
    told: CALLED,
    says: /claims\.validate\.muster can't be called: nothing listens .*connection refused/,
    advises: /muster serve/,
    heals: ({ controlPlane, muster }) => register(controlPlane, muster),
  },
  wrongCertificate('a certificate for another name', { names: ['example.com'] }, /certificate is for another name/),
  wrongCertificate(
    'a certificate that has expired',
    { names: ['127.0.0.1'], now: new Date('2020-01-01') },
    /certificate has expired/,
    'certificate/bundle',
  ),
];

async function bundleOf(options: Parameters<typeof issueCertificates>[0]) {
  const { ca } = await issueCertificates(options);
  const caBundle = Buffer.from(ca).toString('base64');
  return ({ clientConfig }: Json) => Object.assign(clientConfig, { caBundle });
}

/** A server that presents it, registered with its own CA. */
function wrongCertificate(
  name: string,
  options: Parameters<typeof issueCertificates>[0],
  says: RegExp,
  ...more: readonly string[]
): Case {
  let close: () => void = () => {};
  return {
    name,
    async breaks(hands) {
      const { ca, cert, key } = await issueCertificates(options);
      const server = createServer({ cert, key });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      close = () => {
        server.close();
        server.closeAllConnections();
      };
      const { port } = server.address() as AddressInfo;
      const caBundle = Buffer.from(ca).toString('base64');
      await everywhere(({ clientConfig }) => {
        Object.assign(clientConfig, { caBundle, url: clientConfig.url.replace(/:\d+\//, `:${port}/`) });
      })(hands);
    },
    found: { ...failing(...more), ...PROBES },
    told: CALLED,
    says,
    forgets: () => close(),
    advises: /--ca-file ca\.crt/,
    async heals({ controlPlane, muster }) {
      await register(controlPlane, muster);
    },
  };
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CRD = `${CRDS}/features.features.x-k8s.io`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const around: readonly Case[] = [
  {
    name: 'a CRD is gone',
    breaks: ({ controlPlane, remove }) => remove(controlPlane, `${CRDS}/inventoryclusters.multicluster.x-k8s.io`),
    found: failing('crd/inventory-cluster'),
    told: 'crd/inventory-cluster',
    says: /no InventoryCluster can be stored/,
  },
  {
    name: "a CRD's schema differs",
    breaks: ({ controlPlane, edit }) =>
      edit(controlPlane, CRD, ({ spec }) => {
        delete spec.versions[0].schema.openAPIV3Schema.properties.status.properties.state.enum;
      }),
    found: failing('crd/feature'),
    told: 'crd/feature',
    says: /schema\.openAPIV3Schema\.properties\.status\.properties\.state\.enum: expected \["Off".*found nothing/,
  },
  {
    name: 'a Lease is gone',
    breaks: ({ controlPlane, remove }) =>
      remove(controlPlane, '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-cluster-property'),
    found: failing('lease/cluster-property'),
    told: 'lease/cluster-property',
    says: /refused with 503/,
  },
  {
    name: 'the server may not read claims',
    breaks: ({ controlPlane, remove }) => remove(controlPlane, `${RBAC}/clusterrolebindings/muster`),
    found: failing('permission/needed', READ),
    told: 'permission/needed',
    says: /lacks 7 of 13: get clusterclaims\.multicluster\.x-k8s\.io id\.k8s\.io/,
  },
  {
    name: 'the server may do far more than it needs',
    breaks: ({ controlPlane }) =>
      controlPlane.apply({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'too-much' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [
          { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:serviceaccounts:muster-system' },
        ],
      }),
    found: warning('permission/excess'),
    told: 'permission/excess',
    says: /update validatingwebhookconfigurations\.admissionregistration\.k8s\.io muster.*list secrets/,
    advises: /kubectl auth can-i --list/,
    heals: ({ controlPlane, remove }) => remove(controlPlane, `${RBAC}/clusterrolebindings/too-much`),
  },
  {
    name: 'a job of certificates, left from a server that ran in the cluster',
    breaks: ({ controlPlane }) => controlPlane.apply(...partOf('certs', { image: 'none' })),
    found: warning('certificate/renewal'),
    told: 'certificate/renewal',
    says: /overwrites caBundle/,
  },
  {
    name: 'a configuration that is refused',
    breaks: ({ controlPlane }) => controlPlane.apply(configMap('mode: grim\n')),
    found: failing('configuration'),
    told: 'configuration',
    says: /muster\.yaml:\d+:\d+: mode: /,
    advises: /kubectl -n muster-system edit configmap muster-config/,
    heals: ({ controlPlane, remove }) =>
      remove(controlPlane, '/api/v1/namespaces/muster-system/configmaps/muster-config'),
  },
  {
    name: 'a fallback policy without a binding',
    breaks: ({ controlPlane }) =>
      controlPlane.apply({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'muster-claim-value' },
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['e2e'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] }],
          },
          validations: [{ expression: 'true' }],
        },
      }),
    found: warning('fallback-policies'),
    told: 'fallback-policies',
    says: /muster-claim-value/,
    advises: /muster manifests --policies/,
    heals: ({ controlPlane, remove }) =>
      remove(controlPlane, `${REGISTRATION}/validatingadmissionpolicies/muster-claim-value`),
  },
];

function configMap(rest: string): object {
  const text = `apiVersion: muster/v1alpha1\nkind: MusterConfiguration\n${rest}`;
  const metadata = { name: 'muster-config', namespace: 'muster-system' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'muster.yaml': text } };
}

/** Whatever a case may have left behind. */
export const LEFTOVERS: readonly string[] = [
  VALIDATING,
  MUTATING,
  `${RBAC}/clusterrolebindings/too-much`,
  '/api/v1/namespaces/muster-system/configmaps/muster-config',
  `${REGISTRATION}/validatingadmissionpolicies/muster-claim-value`,
];

export const cases: readonly Case[] = [...drift, ...trust, ...around];

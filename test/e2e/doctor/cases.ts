/** What can be wrong with a server that is registered by its URL: one difference a case. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dialects } from '../../../src/api/dialects.ts';
import { partOf } from '../../../src/manifests/installation.ts';
import { issueCertificates } from '../../../src/tls/issue.ts';
import { type ControlPlane, freePort, type Json, type Muster, register } from '../harness/index.ts';
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
  /** Every check that is not ok then. */
  readonly found: Findings;
  /** The check to look at, and its message. */
  readonly check: string;
  readonly message: RegExp;
  /** Default: the command of the remedy. Otherwise the remedy has to match. */
  fixes?(bench: Bench): Promise<void>;
  readonly remedy?: RegExp;
  /** Releases what the case opened. */
  close?(): void;
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

const CLAIMS_CHECK = 'registration/claims.validate.muster';

const drift: readonly Case[] = [
  {
    name: 'a webhook is gone',
    breaks: ({ controlPlane, edit }) =>
      edit(controlPlane, VALIDATING, (object) => {
        object.webhooks = object.webhooks.filter((each: Json) => !each.name.startsWith('inventory-status.'));
      }),
    found: failing('registration/inventory-status.validate.muster'),
    check: 'registration/inventory-status.validate.muster',
    message: /missing/,
  },
  {
    name: 'an operation is gone from a rule',
    breaks: webhook('claims', (each) => {
      for (const rule of each.rules) rule.operations.pop();
    }),
    found: failing(CLAIMS_CHECK),
    check: CLAIMS_CHECK,
    message: /rules\[0\]\.operations: expected .*"DELETE".*found/,
  },
  {
    name: 'a rule matches more than is evaluated',
    breaks: webhook('features', (each) => each.rules[0].resources.push('features/scale')),
    found: failing('registration/features.validate.muster'),
    check: 'registration/features.validate.muster',
    message: /features\/scale/,
  },
  {
    name: 'failurePolicy is weaker',
    breaks: webhook('claims', (each) => Object.assign(each, { failurePolicy: 'Ignore' })),
    found: warning(CLAIMS_CHECK),
    check: CLAIMS_CHECK,
    message: /failurePolicy: expected "Fail", found "Ignore"/,
  },
  {
    name: 'a match condition is gone',
    breaks: webhook('claims', (each) => each.matchConditions.pop()),
    found: warning(CLAIMS_CHECK),
    check: CLAIMS_CHECK,
    message: /matchConditions\[deletes-id-or-membership\].*found nothing/,
  },
  {
    name: 'a match condition too many',
    breaks: webhook('claims', (each) => each.matchConditions.push({ name: 'never', expression: 'false' })),
    found: failing(CLAIMS_CHECK, ...CLAIMS_REFUSED),
    check: CLAIMS_CHECK,
    message: /matchConditions\[never\]: expected nothing/,
  },
  {
    name: 'a narrower namespaceSelector',
    breaks: webhook('features', (each) =>
      Object.assign(each, { namespaceSelector: { matchLabels: { guarded: 'yes' } } }),
    ),
    found: failing('registration/features.validate.muster', 'probe/feature/refused'),
    check: 'registration/features.validate.muster',
    message: /namespaceSelector.*guarded/,
  },
  {
    name: 'an objectSelector',
    breaks: webhook('claims', (each) => Object.assign(each, { objectSelector: { matchLabels: { guarded: 'yes' } } })),
    found: failing(CLAIMS_CHECK, ...CLAIMS_REFUSED),
    check: CLAIMS_CHECK,
    message: /objectSelector/,
  },
  {
    name: 'another timeout, and no reinvocation',
    breaks: webhook(
      'inventory',
      (each) => Object.assign(each, { timeoutSeconds: 9, reinvocationPolicy: 'Never' }),
      MUTATING,
    ),
    found: warning('registration/inventory.mutate.muster'),
    check: 'registration/inventory.mutate.muster',
    message: /timeoutSeconds.*found 9/,
  },
  {
    name: "a webhook that is not muster's",
    breaks: ({ controlPlane, edit }) =>
      edit(controlPlane, VALIDATING, (object) => {
        object.webhooks.push({ ...object.webhooks[0], name: 'other.example.com', failurePolicy: 'Ignore' });
      }),
    found: warning('registration/validating'),
    check: 'registration/validating',
    message: /other\.example\.com/,
    remedy: /kubectl edit validatingwebhookconfiguration muster/,
    fixes: ({ controlPlane, edit }) =>
      edit(controlPlane, VALIDATING, (object) => {
        object.webhooks.pop();
      }),
  },
  {
    name: 'no validating configuration',
    breaks: ({ controlPlane, remove }) => remove(controlPlane, VALIDATING),
    found: failing('registration/validating', ...REFUSED),
    check: 'registration/validating',
    message: /no write is evaluated/,
  },
  {
    name: 'no mutating configuration',
    breaks: ({ controlPlane, remove }) => remove(controlPlane, MUTATING),
    found: failing('registration/mutating', 'probe/inventory-cluster/accepted', 'probe/cluster-profile/accepted'),
    check: 'probe/inventory-cluster/accepted',
    message: /mutating webhook did not add the label/,
  },
];

const PROBES = failing(...ALL_PROBES);
const [CALLED = ''] = ALL_PROBES;

const trust: readonly Case[] = [
  {
    name: 'one webhook lacks its caBundle',
    breaks: webhook('inventory-status', ({ clientConfig }) => {
      delete clientConfig.caBundle;
    }),
    found: failing('certificate/bundle'),
    check: 'certificate/bundle',
    message: /not the same everywhere: inventory-status/,
  },
  {
    name: "another server's CA",
    breaks: async (bench) => everywhere(await bundleOf({ names: ['127.0.0.1'] }))(bench),
    found: PROBES,
    check: CALLED,
    message: /caBundle does not contain the CA/,
  },
  {
    name: 'the server is down',
    breaks: async (bench) => {
      const port = await freePort();
      await everywhere(({ clientConfig }) => {
        clientConfig.url = clientConfig.url.replace(/:\d+\//, `:${port}/`);
      })(bench);
    },
    found: PROBES,
    check: CALLED,
    message: /claims\.validate\.muster can't be called: nothing listens .*connection refused/,
    remedy: /muster serve/,
    fixes: ({ controlPlane, muster }) => register(controlPlane, muster),
  },
  wrongCertificate('a certificate for another name', { names: ['example.com'] }, /certificate is for another name/),
];

async function bundleOf(options: Parameters<typeof issueCertificates>[0]) {
  const { ca } = await issueCertificates(options);
  const caBundle = Buffer.from(ca).toString('base64');
  return ({ clientConfig }: Json) => Object.assign(clientConfig, { caBundle });
}

/** A server with this certificate, registered with its CA. */
function wrongCertificate(name: string, options: Parameters<typeof issueCertificates>[0], message: RegExp): Case {
  let close: () => void = () => {};
  return {
    name,
    async breaks(bench) {
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
      })(bench);
    },
    found: PROBES,
    check: CALLED,
    message,
    close: () => close(),
    remedy: /--ca-file ca\.crt/,
    async fixes({ controlPlane, muster }) {
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
    check: 'crd/inventory-cluster',
    message: /no InventoryCluster can be stored/,
  },
  {
    name: "a CRD's schema differs",
    breaks: ({ controlPlane, edit }) =>
      edit(controlPlane, CRD, ({ spec }) => {
        delete spec.versions[0].schema.openAPIV3Schema.properties.status.properties.state.enum;
      }),
    found: failing('crd/feature'),
    check: 'crd/feature',
    message: /schema\.openAPIV3Schema\.properties\.status\.properties\.state\.enum: expected \["Off".*found nothing/,
  },
  {
    name: 'a Lease is gone',
    breaks: ({ controlPlane, remove }) =>
      remove(controlPlane, '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-cluster-property'),
    found: failing('lease/cluster-property'),
    check: 'lease/cluster-property',
    message: /refused with 503/,
  },
  {
    name: 'the server may not read claims',
    breaks: ({ controlPlane, remove }) => remove(controlPlane, `${RBAC}/clusterrolebindings/muster`),
    found: failing('permission/needed', READ),
    check: 'permission/needed',
    message: /lacks 7 of 13: get clusterclaims\.multicluster\.x-k8s\.io id\.k8s\.io/,
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
    check: 'permission/excess',
    message: /update validatingwebhookconfigurations\.admissionregistration\.k8s\.io muster.*list secrets/,
    remedy: /kubectl auth can-i --list/,
    fixes: ({ controlPlane, remove }) => remove(controlPlane, `${RBAC}/clusterrolebindings/too-much`),
  },
  {
    name: 'a job of certificates, left from a server that ran in the cluster',
    breaks: ({ controlPlane }) => controlPlane.apply(...partOf('certs', { image: 'none' })),
    found: warning('certificate/renewal'),
    check: 'certificate/renewal',
    message: /overwrites caBundle/,
  },
  {
    name: 'a configuration that is refused',
    breaks: ({ controlPlane }) => controlPlane.apply(configMap('mode: grim\n')),
    found: failing('configuration'),
    check: 'configuration',
    message: /muster\.yaml:\d+:\d+: mode: /,
    remedy: /kubectl -n muster-system edit configmap muster-config/,
    fixes: ({ controlPlane, remove }) =>
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
    check: 'fallback-policies',
    message: /muster-claim-value/,
    remedy: /muster manifests --policies/,
    fixes: ({ controlPlane, remove }) =>
      remove(controlPlane, `${REGISTRATION}/validatingadmissionpolicies/muster-claim-value`),
  },
];

function configMap(rest: string): object {
  const text = `apiVersion: muster/v1alpha1\nkind: MusterConfiguration\n${rest}`;
  const metadata = { name: 'muster-config', namespace: 'muster-system' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'muster.yaml': text } };
}

/** What a failed case may leave. */
export const LEFTOVERS: readonly string[] = [
  VALIDATING,
  MUTATING,
  `${RBAC}/clusterrolebindings/too-much`,
  '/api/v1/namespaces/muster-system/configmaps/muster-config',
  `${REGISTRATION}/validatingadmissionpolicies/muster-claim-value`,
];

export const cases: readonly Case[] = [...drift, ...trust, ...around];

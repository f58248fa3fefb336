/** `manifests/`: the installation as files for kustomize, with overlays for other ways to install. */
import type { KindSchema } from '../api/schema.ts';
import { certManager } from '../manifests/certificates.ts';
import { definition } from '../manifests/crds.ts';
import { type InstallationOptions, PARTS, PARTS_BY_URL, type Part, partOf } from '../manifests/installation.ts';
import { print } from '../manifests/manifest.ts';
import { CERTS, CONFIG_MAP, NAMESPACE, SERVER } from '../manifests/names.ts';
import type { WebhookConfiguration } from '../manifests/registration.ts';
import type { Artifact } from './artifact.ts';

/** `manifests/crds`, `manifests/base` and `manifests/overlays`, for the image of one version. */
export function kustomize(kinds: readonly KindSchema[], version: string): readonly Artifact[] {
  const options: InstallationOptions = { image: `kube-muster:${version}` };
  return [...definitions(kinds), ...base(options), ...overlays(options)];
}

/** A file of several documents. `about` becomes its comment. */
export function file(path: string, about: string, objects: readonly object[]): Artifact {
  const header = [...about.split('\n'), 'Generated from src/manifests by `npm run generate`. Do not edit.'];
  const comment = header.map((line) => `# ${line}\n`).join('');
  return { path: `manifests/${path}`, text: comment + objects.map((object) => print(object)).join('---\n') };
}

/** kubectl sorts the objects itself, registration last; a Job that came before it tries again. */
export function kustomization(folder: string, about: string, resources: readonly string[], more = {}): Artifact {
  const start = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };
  return file(`${folder}/kustomization.yaml`, about, [{ ...start, resources, ...more }]);
}

function definitions(kinds: readonly KindSchema[]): readonly Artifact[] {
  const named = kinds.map((kind) => ({ kind, name: `${kind.dialect.group}_${kind.dialect.plural}.yaml` }));
  const files = named.map(({ kind, name }) => file(`crds/${name}`, `${kind.dialect.kind}.`, [definition(kind)]));
  const names = named.map(({ name }) => name);
  return [...files, kustomization('crds', 'The kinds that are drafts. No other folder installs them.', names)];
}

const ABOUT: Readonly<Record<(typeof PARTS)[number], string>> = {
  namespace: "muster's own namespace, which admits restricted pods alone.",
  leases: 'The locks, one Lease for each claim kind. They have no spec: applying them again releases no lock.',
  rbac: 'The rights of the server: read seven claims by name, update three Leases.',
  config: "The server's configuration. A change takes effect without a restart.",
  workload: 'The server.',
  network: 'Connections to its pods, and from them.',
  webhooks: 'What the API server calls it for. `muster certs` fills in the CA.',
  certs: 'What makes its certificates: a Job at install, then a CronJob. Applied last: it writes to the registration.',
};

function base(options: InstallationOptions): readonly Artifact[] {
  const resources = PARTS.map((part) => `${part}.yaml`);
  const files = PARTS.map((part) => file(`base/${part}.yaml`, ABOUT[part], partOf(part, options)));
  const about = 'muster in a cluster: two servers, their registration, and certificates that renew themselves.';
  return [kustomization('base', about, resources), ...files];
}

interface Overlay {
  readonly about: string;
  readonly resources: readonly string[];
  /** The rest of its kustomization. */
  readonly more?: object;
  readonly files: readonly (readonly [name: string, about: string, objects: readonly object[]])[];
}

const BASE = '../../base';

/** One folder each. */
function overlays(options: InstallationOptions): readonly Artifact[] {
  const all = {
    'first-rollout': firstRollout(options),
    ha: highAvailability,
    'cert-manager': byCertManager,
    url: byUrl(options),
    scan: scanned(options),
    monitoring: monitored(options),
  };
  return Object.entries<Overlay>(all).flatMap(([name, { about, resources, more, files }]) => [
    kustomization(`overlays/${name}`, about, resources, more),
    ...files.map(([fileName, purpose, objects]) => file(`overlays/${name}/${fileName}`, purpose, objects)),
  ]);
}

/** No write is refused: neither by a verdict nor for lack of one. */
function firstRollout(options: InstallationOptions): Overlay {
  const lenient = partOf('webhooks', options).map((object) => {
    const { apiVersion, kind, metadata, webhooks } = object as WebhookConfiguration;
    const ignoring = webhooks.map(({ name }) => ({ name, failurePolicy: 'Ignore' }));
    return { apiVersion, kind, metadata: { name: metadata.name }, webhooks: ignoring };
  });
  const text = 'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\nmode: warn\n';
  const metadata = { name: CONFIG_MAP, namespace: NAMESPACE };
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'muster.yaml': text } };
  return {
    about:
      'A first rollout: rules warn instead of denying, and writes pass while muster is away.\n' +
      'When there are no more warnings, apply the base.',
    resources: [BASE],
    more: { patches: [{ path: 'warn.yaml' }, { path: 'ignore-failures.yaml' }] },
    files: [
      ['warn.yaml', 'Every rule warns at most.', [config]],
      ['ignore-failures.yaml', 'Writes pass if the server does not answer.', lenient],
    ],
  };
}

const SPREAD = '/spec/template/spec/topologySpreadConstraints/0/whenUnsatisfiable';
const REQUIRE_SPREAD = { op: 'replace', path: SPREAD, value: 'DoNotSchedule' };
const highAvailability: Overlay = {
  about:
    'Three servers in three zones. A cluster whose nodes name no zone takes the base: these would not start there.',
  resources: [BASE],
  more: {
    replicas: [{ name: SERVER, count: 3 }],
    patches: [{ target: { kind: 'Deployment', name: SERVER }, path: 'zones.yaml' }],
  },
  files: [['zones.yaml', 'A zone never holds two more than another.', [[REQUIRE_SPREAD]]]],
};

const INJECT = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'Any',
  metadata: { name: 'any', annotations: { 'cert-manager.io/inject-ca-from': `${NAMESPACE}/${SERVER}` } },
};
const REMOVE = { $patch: 'delete', apiVersion: 'v1', kind: 'Any', metadata: { name: CERTS } };
const byCertManager: Overlay = {
  about:
    'cert-manager makes the certificates and fills in the CA, in place of the Job and the CronJob.\n' +
    'It has to be installed before.',
  resources: [BASE, 'certificates.yaml'],
  more: {
    patches: [
      { target: { labelSelector: 'app.kubernetes.io/component=certs' }, path: 'without-certs.yaml' },
      { target: { kind: '(Validating|Mutating)WebhookConfiguration' }, path: 'inject-ca.yaml' },
    ],
  },
  files: [
    ['certificates.yaml', 'A CA of its own, and the certificate under it.', certManager(NAMESPACE)],
    ['without-certs.yaml', 'Removes what is labelled as part of `muster certs`.', [REMOVE]],
    ['inject-ca.yaml', 'The Certificate whose CA the API server trusts.', [INJECT]],
  ],
};

function scanned(options: InstallationOptions): Overlay {
  return {
    about:
      'The base, and a scan of all that is stored every hour. A Job that fails found something, or could not read all.\n' +
      'Where the CRDs of openreports.io are installed, add --report to its arguments.',
    resources: [BASE, 'scan.yaml'],
    files: [['scan.yaml', 'The scan and its rights.', partOf('scan', options)]],
  };
}

function monitored(options: InstallationOptions): Overlay {
  return {
    about:
      'The base, and what Prometheus and Grafana need. The CRDs of the Prometheus Operator have to be installed before. Where it selects\n' +
      'monitors and rules by a label, add that label in a kustomization of your own.',
    resources: [BASE, 'monitoring.yaml'],
    files: [['monitoring.yaml', 'The scrape, the alerts, and a dashboard.', partOf('monitoring', options)]],
  };
}

/** Not based on the base, with which it shares little. Address and CA are in one file. */
function byUrl(options: InstallationOptions): Overlay {
  const outside = { url: 'https://muster.example.com:8443', caBundle: '' };
  const metadata = { name: 'address', annotations: { 'config.kubernetes.io/local-config': 'true' } };
  const data = { host: 'muster.example.com:8443', caBundle: '' };
  const into = (field: string, more: object = {}) => [
    { select: { group: 'admissionregistration.k8s.io' }, fieldPaths: [`webhooks.*.clientConfig.${field}`], ...more },
  ];
  const printed = (part: Part) =>
    [`${part}.yaml`, 'For a server outside of the cluster.', partOf(part, { ...options, outside })] as const;
  const from = (key: string) => ({ kind: 'ConfigMap', name: 'address', fieldPath: `data.${key}` });
  return {
    about:
      'A server outside of the cluster: only what it needs within. Take a copy of manifests/ and set host and CA in\n' +
      'address.yaml, or let `muster manifests --url … --ca-file …` print it all.',
    resources: [...PARTS_BY_URL.map((part) => `${part}.yaml`), 'address.yaml'],
    more: {
      replacements: [
        { source: from('host'), targets: into('url', { options: { delimiter: '/', index: 2 } }) },
        { source: from('caBundle'), targets: into('caBundle') },
      ],
    },
    files: [
      [
        'address.yaml',
        'The address of the server, HOST:PORT, and the CA of its certificate, PEM in base64. They become part of the registration.\n' +
          'This object is not applied itself. Edit it in a copy.',
        [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }],
      ],
      ...PARTS_BY_URL.map(printed),
    ],
  };
}

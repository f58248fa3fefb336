/** `manifests/`: the installation as files for kustomize. Kustomizations and patches there are written by hand. */
import type { KindSchema } from '../../src/api/schema.ts';
import { customResourceDefinition } from '../../src/manifests/crds.ts';
import { type InstallationOptions, partOf } from '../../src/manifests/installation.ts';
import { toYaml } from '../../src/manifests/manifest.ts';
import { type InstallationPart, PARTS, PARTS_BY_URL } from '../../src/manifests/names.ts';
import type { WebhookConfiguration } from '../../src/manifests/registration.ts';
import type { Artifact } from './artifact.ts';

const ABOUT: Readonly<Record<InstallationPart, string>> = {
  namespace: "muster's own namespace, which admits only restricted pods.",
  leases: 'The locks, one Lease for each claim kind. They have no spec: applying them again releases no lock.',
  rbac: 'The rights of the server: read seven claims by name, update three Leases.',
  config: "The server's configuration. A change takes effect without a restart.",
  workload: 'The server.',
  network: 'Connections to its pods, and from them.',
  webhooks: 'The webhook configurations: the requests that the API server sends. `muster certs` fills in the CA.',
  certs: 'Its certificates: a Job at install, then a CronJob. Applied last: it writes to the registration.',
  crds: 'A kind that is a draft.',
  scan: 'The scan and its rights.',
  'scan-services': "The scan's right to list Services, ServiceExports and ServiceImports.",
  monitoring: 'The scrape, the alerts, and a dashboard.',
};

/** Returns the objects of `manifests/crds`, `manifests/base` and `manifests/overlays`, for the image of one version. */
export function kustomize(kinds: readonly KindSchema[], version: string): readonly Artifact[] {
  const options: InstallationOptions = { image: `kube-muster:${version}`, version };
  const part = (folder: string, name: InstallationPart, more = {}) =>
    manifestFile(`${folder}/${name}.yaml`, ABOUT[name], partOf(name, { ...options, ...more }));
  const address = { url: 'https://muster.example.com:8443', caBundle: '' };
  return [
    ...kinds.map((kind) => {
      const { group, plural } = kind.dialect;
      return manifestFile(`crds/${group}_${plural}.yaml`, `${kind.dialect.kind}.`, [customResourceDefinition(kind)]);
    }),
    ...PARTS.map((name) => part('base', name)),
    ...PARTS_BY_URL.map((name) => part('overlays/url', name, address)),
    part('overlays/scan', 'scan'),
    part('overlays/scan-services', 'scan-services'),
    part('overlays/monitoring', 'monitoring'),
    manifestFile(
      'overlays/cert-manager/certificates.yaml',
      'A CA of its own, and the certificate under it.',
      partOf('certs', { certificates: 'cert-manager' }),
    ),
    ...lenient(),
  ];
}

/** A file of several documents. `about` becomes its comment. */
export function manifestFile(path: string, about: string, objects: readonly object[]): Artifact {
  const comment = `# ${about}\n# Generated from src/manifests by \`npm run generate\`. Do not edit.\n`;
  return { path: `manifests/${path}`, text: comment + objects.map((object) => toYaml(object)).join('---\n') };
}

/** Patches of the registration, which name each webhook. A file has one: kubectl before 1.31 reads no more of them. */
function lenient(): readonly Artifact[] {
  return partOf('webhooks', {}).map((object) => {
    const { apiVersion, kind, metadata, webhooks } = object as WebhookConfiguration;
    const ignoring = webhooks.map(({ name }) => ({ name, failurePolicy: 'Ignore' }));
    const file = `ignore-failures-${kind === 'ValidatingWebhookConfiguration' ? 'validating' : 'mutating'}.yaml`;
    const patch = { apiVersion, kind, metadata: { name: metadata.name }, webhooks: ignoring };
    return manifestFile(`overlays/first-rollout/${file}`, 'Writes pass if the server does not answer.', [patch]);
  });
}

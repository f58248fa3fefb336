/** `manifests/`: the installation as files for kustomize; the overlays are in overlays.ts. */

import type { KindSchema } from '../api/schema.ts';
import { type InstallationOptions, PARTS, partOf } from '../manifests/installation.ts';
import { print } from '../manifests/print.ts';
import type { Artifact } from './artifact.ts';
import { crds } from './crds.ts';
import { overlays } from './overlays.ts';

/** `manifests/crds`, `manifests/base` and `manifests/overlays`, for the image of one version. */
export function kustomize(kinds: readonly KindSchema[], version: string): readonly Artifact[] {
  const options: InstallationOptions = { image: `muster:${version}` };
  return [...definitions(kinds), ...base(options), ...overlays(options)];
}

/** A file of several documents. `about` becomes its comment. */
export function file(path: string, about: string, objects: readonly object[]): Artifact {
  const header = [...about.split('\n'), 'Generated from src/manifests by `npm run generate`. Do not edit.'];
  const comment = header.map((line) => `# ${line}\n`).join('');
  return { path: `manifests/${path}`, text: comment + objects.map((object) => print(object)).join('---\n') };
}

/** kubectl sorts the objects itself, registration last; a Job that came before it tries again. */
export function kustomization(
  folder: string,
  about: string,
  resources: readonly string[],
  more: object = {},
): Artifact {
  const start = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };
  return file(`${folder}/kustomization.yaml`, about, [{ ...start, resources, ...more }]);
}

function definitions(kinds: readonly KindSchema[]): readonly Artifact[] {
  const files = crds(kinds);
  const names = files.map(({ path }) => path.replace('manifests/crds/', ''));
  return [...files, kustomization('crds', 'The kinds that are ours.', names)];
}

const ABOUT: Readonly<Record<Exclude<(typeof PARTS)[number], 'crds'>, string>> = {
  namespace: "muster's own namespace, where pods are restricted.",
  leases:
    'Where intents are kept, one Lease for each claim dialect. They have no spec: to apply them again lets go of none.',
  rbac: 'What the server may do: read seven claims by name, take three Leases.',
  config: "The server's configuration. It is picked up without a restart.",
  workload: 'The server.',
  network: 'Who may talk to its pods, and whom they may talk to.',
  webhooks: 'What the API server calls it for. `muster certs` fills in the CA.',
  certs:
    'Who makes its certificates: a Job at install, a CronJob after. Applied last: it writes into the registration.',
};

function base(options: InstallationOptions): readonly Artifact[] {
  const resources = PARTS.map((part) => (part === 'crds' ? '../crds' : `${part}.yaml`));
  const files = PARTS.flatMap((part) =>
    part === 'crds' ? [] : [file(`base/${part}.yaml`, ABOUT[part], partOf(part, options))],
  );
  const about = 'muster in a cluster: two servers, their registration, and certificates that renew themselves.';
  return [kustomization('base', about, resources), ...files];
}

/** What the Deployment of the server says: image, settings, and what its pods mount. */
import { posix } from 'node:path';
import { at, type JsonObject, listAt, textAt } from '../../base/json.ts';
import type { InstallationOptions } from '../../manifests/installation.ts';
import { CONFIGURATION_FOLDER, SERVER_LABELS } from '../../manifests/names.ts';
import { bodyOf, type ReadResult } from './stored-objects.ts';

/** Returns whether a Deployment is muster's server, by its selector, which can't be changed. */
export function isServer(deployment: JsonObject): boolean {
  const labels = at(deployment, ['spec', 'selector', 'matchLabels']);
  return Object.entries(SERVER_LABELS).every(([key, value]) => textAt(labels, [key]) === value);
}

/** Returns the image of the server. */
export function imageOf(workload: ReadResult): string | undefined {
  return textAt(bodyOf(workload), ['spec', 'template', 'spec', 'containers', 0, 'image']);
}

/** Returns what an operator sets by flags of `muster manifests`, as the Deployment of the server has it. */
export function settingsOf(deployment: ReadResult): Pick<InstallationOptions, 'image' | 'replicas' | 'events'> {
  const spec = at(bodyOf(deployment), ['spec']);
  const replicas = at(spec, ['replicas']);
  const events = listAt(spec, ['template', 'spec', 'containers', 0, 'args']).includes('--events');
  return { image: imageOf(deployment), replicas: typeof replicas === 'number' ? replicas : undefined, events };
}

/** Returns the namespace in which a flag or a variable of the server lets it keep its Leases, in place of its own. */
export function leaseNamespaceOf(deployment: ReadResult): string | undefined {
  const container = at(bodyOf(deployment), ['spec', 'template', 'spec', 'containers', 0]);
  const [, flag] = /(?:^| )--namespace[ =](\S+)/.exec(listAt(container, ['args']).join(' ')) ?? [];
  const variable = listAt(container, ['env']).find((each) => textAt(each, ['name']) === 'MUSTER_NAMESPACE');
  const namespace = flag ?? textAt(variable, ['value']);
  // An empty variable counts as unset. What `$(POD_NAMESPACE)` stands for is not known here.
  return namespace === '' || namespace?.includes('$(') ? undefined : namespace;
}

/**
 * Returns the Secret, and its key, that the pods mount as this file: by a path for the key, or as a whole folder.
 * @param kubeconfig a path, relative to the folder of the configuration
 */
export function mountedSecret(deployment: ReadResult, kubeconfig: string): { name: string; key: string } | undefined {
  const pod = at(bodyOf(deployment), ['spec', 'template', 'spec']);
  const { dir, base } = posix.parse(posix.resolve(CONFIGURATION_FOLDER, kubeconfig));
  const inFolder = listAt(pod, ['containers', 0, 'volumeMounts']).filter(
    (mount) => textAt(mount, ['mountPath']) === dir,
  );
  for (const volume of listAt(pod, ['volumes'])) {
    const isFolder = inFolder.some((mount) => textAt(mount, ['name']) === textAt(volume, ['name']));
    const projected = listAt(volume, ['projected', 'sources']).map((source) => at(source, ['secret']));
    for (const source of [...projected, at(volume, ['secret'])]) {
      const name = textAt(source, ['name']) ?? textAt(source, ['secretName']);
      const item = listAt(source, ['items']).find((each) => textAt(each, ['path']) === base);
      const isWhole = isFolder && at(source, ['items']) === undefined;
      const key = isWhole ? base : textAt(item, ['key']);
      if (name !== undefined && key !== undefined) return { name, key };
    }
  }
  return undefined;
}

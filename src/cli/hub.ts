/** The API server of the registrar: finds its kubeconfig by the configuration, and reads it without a call to it. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { AccessSource } from '../cluster/live/access-source.ts';
import { type ApiClient, openAccess } from '../cluster/live/client.ts';
import { ClusterError } from '../cluster/live/errors.ts';
import type { LoadedConfiguration } from '../config/load.ts';
import { statOf } from '../documents/files.ts';
import type { RegistrarSettings } from '../rules/rule.ts';

/** The hub that a configuration names, with the content of its kubeconfig. */
export interface HubAccess {
  readonly settings: RegistrarSettings;
  /** The absolute path of the kubeconfig. */
  readonly file: string;
  /** The text of the kubeconfig. */
  readonly text: string;
  /**
   * Its namespace is that of the reservations. It has made no call yet, and reads the file again if its credentials are
   * refused.
   */
  readonly client: ApiClient;
}

/** Returns the absolute path of the kubeconfig of a hub. */
export function hubFile(configFile: string, { kubeconfig }: RegistrarSettings): string {
  return resolve(dirname(configFile), kubeconfig);
}

/**
 * Reads the access to the hub of a configuration; undefined where no registrar is configured.
 * @throws ConfigError, at the place of the path in the configuration, for a kubeconfig that can't be used
 */
export async function readHub(configFile: string, loaded: LoadedConfiguration): Promise<HubAccess | undefined> {
  const { registrar } = loaded.policy.settings;
  if (registrar === undefined) return undefined;
  const file = hubFile(configFile, registrar);
  try {
    return await readHubFile(registrar, file);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    throw loaded.refusal([loaded.locate({ path: ['registrar', 'kubeconfig'], message: error.message })]);
  }
}

/** Reads the kubeconfig of a hub. @throws ClusterError `no-access` if it can't be used */
export async function readHubFile(settings: RegistrarSettings, file: string): Promise<HubAccess> {
  const name = `the kubeconfig of the hub (${file})`;
  // Reading a pipe without a writer would never end.
  if (statOf(file)?.isFIFO()) throw new ClusterError('no-access', `${name} is a pipe: name a file`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return hubAccess(settings, file, text ?? '', { name, files: [file] });
}

/** Reads the text of a kubeconfig that is in no file. @param where it comes from, for messages */
export async function readHubText(settings: RegistrarSettings, where: string, text: string): Promise<HubAccess> {
  return hubAccess(settings, where, text, { name: `the kubeconfig of the hub (${where})`, text });
}

async function hubAccess(settings: RegistrarSettings, file: string, text: string, from: AccessSource) {
  const { loadAccess } = await import('../cluster/live/credentials.ts');
  const source = { ...from, contextFix: 'set its current-context to one of its contexts' };
  return { settings, file, text, client: openAccess(() => loadAccess({}, source), settings.namespace) };
}

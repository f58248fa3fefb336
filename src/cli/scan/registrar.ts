/** Asks the hub of the registrar for the clusters that are scanned: reads reservations, and writes nothing. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { createHub } from '../../cluster/registrar/hub.ts';
import { createRegistrar, identifyMember } from '../../cluster/registrar/registrar.ts';
import { ConfigError, type LoadedConfiguration } from '../../config/load.ts';
import type { ClusterView } from '../../rules/rule.ts';
import { hubFile, readHub } from '../hub.ts';

export interface ScanRegistrar {
  /** Returns how to ask for one cluster, whose uid is read when it is needed. Undefined: no hub can be asked. */
  readonly reserveFor?: (client: ApiClient) => ClusterView['reserve'];
  /** The kubeconfig of the hub, also if it can't be used, and the files that it names. */
  readonly files: readonly string[];
  readonly notes: readonly string[];
  close(): void;
}

/** The most milliseconds for reading a reservation, and the uid of its cluster. */
const LIMIT_MS = 10_000;

/**
 * Opens the hub of a configuration; undefined where none is configured. If its kubeconfig can't be used, that is only a
 * note: a scan may run where the credentials of the hub are not available.
 */
export async function openScanRegistrar(
  configFile: string,
  loaded: LoadedConfiguration,
): Promise<ScanRegistrar | undefined> {
  const { registrar } = loaded.policy.settings;
  try {
    const client = (await readHub(configFile, loaded))?.client;
    if (client === undefined) return undefined;
    const hub = createHub(client);
    return {
      files: client.files ?? [],
      notes: [],
      close: client.close,
      reserveFor(member) {
        const reservations = createRegistrar({ hub, ...identifyMember(member) });
        const deadline = () => ({ at: Date.now() + LIMIT_MS, signal: new AbortController().signal });
        return (identity) => reservations.lookUp(identity, deadline());
      },
    };
  } catch (error) {
    if (!(error instanceof ConfigError) || registrar === undefined) throw error;
    const notes = error.problems.map((problem) => `note: claim/id-reserved is not evaluated: ${problem}`);
    return { files: [hubFile(configFile, registrar)], notes, close: () => {} };
  }
}

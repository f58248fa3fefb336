/** Finds the clusters of a scan: contexts of a kubeconfig, the fleet of a hub, and files. */

import { namedPath } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { openClient } from '../shared.ts';
import type { ScanFlags } from './options.ts';
import type { ScanTarget, Targets } from './side-by-side.ts';

export interface TargetSource {
  /** Returns the clusters; those of a fleet are read anew. */
  find(signal: AbortSignal | undefined): Promise<Targets>;
  /** The kubeconfigs, and the files that they name. */
  readonly files: readonly string[];
  close(): void;
}

/**
 * Opens the clusters that the flags name, without a call.
 * @throws UsageError for a context that can't be used, ConfigError for a wrong provider file
 */
export async function openTargets(flags: ScanFlags): Promise<TargetSource> {
  const clients: ApiClient[] = [];
  const close = () => {
    for (const client of clients) client.close();
  };
  try {
    const { context = [], fleet, live, providerFile = '', timeout: timeoutMs, ...access } = flags;
    const needsOne = context.length === 0 && (live || fleet);
    for (const name of needsOne ? [''] : context) clients.push(await openClient({ ...access, context: name }));
    refuseSame(clients);
    const opened = { close, files: clients.flatMap(({ files = [] }) => files) };
    const inFiles = filesOf(flags.state ?? []);
    const isOnly = clients.length + inFiles.length === 1 && !fleet;
    const contexts = clients.map((client): ScanTarget => {
      const source = { clients: [() => client], isOfFleet: false };
      return { cluster: isOnly ? undefined : client.context, source };
    });
    const [hub] = clients;
    if (!fleet || hub === undefined) {
      const targets = [...contexts, ...inFiles];
      return { ...opened, find: async () => ({ targets, errors: [], notes: [], files: [] }) };
    }
    const [{ readProviderFile }, { fleetOf }] = await Promise.all([
      import('./fleet/provider-file.ts'),
      import('./fleet/profiles.ts'),
    ]);
    const providers = await readProviderFile(providerFile);
    const own = live ? contexts : [];
    return { ...opened, find: (signal) => fleetOf({ hub, own, providers, timeoutMs, signal }) };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the clusters in files. Files without names are one cluster. */
function filesOf(state: readonly string[]): readonly ScanTarget[] {
  const named = state.flatMap((text) => namedPath(text) ?? []);
  const names = [...Map.groupBy(named, ({ name }) => name)];
  if (named.length > 0)
    return names.map(([cluster, of]) => ({ cluster, source: { paths: of.map(({ path }) => path) } }));
  return state.length > 0 ? [{ cluster: undefined, source: { paths: state } }] : [];
}

/** Refuses one cluster under two names: each of its ids would count as a duplicate. */
function refuseSame(clients: readonly ApiClient[]): void {
  for (const [index, { accessKey, context }] of clients.entries()) {
    const same = clients.slice(0, index).find((other) => other.accessKey === accessKey);
    if (same === undefined) continue;
    const names = `"${same.context}" and "${context}"`;
    throw new UsageError(`the contexts ${names} lead to the same API server as the same user: name one of them`);
  }
}

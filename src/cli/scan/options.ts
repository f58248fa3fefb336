/** The flags of `muster scan` as commander parses them, and what contradicts itself in them. */

import { namedPath } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { AccessFlags } from '../../cluster/live/access-source.ts';
import { type ReportFlags, refuseUnclearInput } from '../shared.ts';

export interface ScanFlags extends Pick<AccessFlags, 'kubeconfig'>, ReportFlags {
  readonly live?: boolean;
  readonly context?: readonly string[];
  readonly fleet?: boolean;
  readonly providerFile?: string;
  readonly state?: readonly string[];
  /** Whether the run has every cluster of its ClusterSets. */
  readonly complete?: boolean;
  readonly pageSize: number;
  readonly parallel: number;
  /** Milliseconds for each cluster. */
  readonly timeout: number;
  readonly event?: boolean;
  readonly report?: boolean;
  /** Scans repeatedly, and serves the findings of the last scan as metrics. */
  readonly exposeMetrics?: { readonly host: string; readonly port: number };
  /** Milliseconds. */
  readonly interval: number;
}

/** Throws UsageError if flags contradict each other or leave nothing to do. */
export function refuseUnclear(flags: ScanFlags): void {
  const { live, context = [], fleet, state = [], event, report, exposeMetrics } = flags;
  if (!live && !fleet && context.length + state.length === 0)
    throw new UsageError('nothing to scan: give --live for a cluster, --context for several, --fleet, or --state PATH');
  refuseUnclearClusters(flags);
  if (state.length > 0 && (event || report))
    throw new UsageError(
      `--${event ? 'event' : 'report'} needs a cluster, not --state: it writes into what is scanned`,
    );
  if (exposeMetrics !== undefined && state.some((text) => pathIn(text) === '-'))
    throw new UsageError('standard input is read once: --expose-metrics needs files, or --live');
}

function refuseUnclearClusters({ context = [], fleet, providerFile, state = [] }: ScanFlags): void {
  const named = state.flatMap((text) => namedPath(text) ?? []);
  refuseUnclearInput(state.map(pathIn));
  if (named.length > 0 && named.length < state.length)
    throw new UsageError(
      '--state has paths with and without a name: give each cluster a name, as in --state NAME=PATH',
    );
  if (state.length > named.length && context.length > 0)
    throw new UsageError('--context and --state exclude each other, unless the files have a name: --state NAME=PATH');
  if (context.includes('')) throw new UsageError('a context is empty: name one of the kubeconfig');
  const twice = context.find((name, index) => context.indexOf(name) < index || named.some((one) => one.name === name));
  if (twice !== undefined) throw new UsageError(`the cluster "${twice}" is named twice: give it once`);
  if (!fleet) return;
  if (context.length > 1)
    throw new UsageError('--fleet takes one --context, the hub whose ClusterProfiles name the clusters');
  if (!providerFile)
    throw new UsageError('--fleet needs --provider-file: the exec plugins that may run for its clusters');
}

function pathIn(text: string): string {
  return namedPath(text)?.path ?? text;
}

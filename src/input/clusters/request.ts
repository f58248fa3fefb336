/** Reads from the flags which clusters a run has, and what each of them has of its own. */
import { join } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';
import type { ClusterChart } from './charts.ts';
import type { ClusterRoot } from './find.ts';
import { type Glob, parseGlob } from './glob.ts';

/** The flags that name clusters, and those that set something for a cluster. */
export interface ClusterFlags {
  readonly cluster?: readonly string[];
  readonly clusters?: readonly string[];
  readonly config?: string;
  readonly state?: readonly string[];
  readonly deleted?: readonly string[];
  /** Empty: the one cluster of the run. */
  readonly live?: readonly string[];
}

/** Values by the name of a cluster. */
type ByName = ReadonlyMap<string, readonly string[]>;

/** The clusters of a run as the user names them. */
export interface ClusterRequest {
  readonly named: readonly ClusterRoot[];
  readonly globs: readonly Glob[];
  readonly state: ByName;
  readonly deleted: ByName;
  /** One context each. */
  readonly contexts: ByName;
  /** The configuration file, which may lie among the clusters. */
  readonly config: string | undefined;
  /** Charts of the configuration; of clusters that are not in the run, too. */
  readonly charts: readonly ClusterChart[];
  /** What names the clusters: flags, `check.clusters`, or only `check.charts`. */
  readonly namedBy: 'flags' | 'globs' | 'charts';
}

/**
 * Returns the clusters that flags name, else those of the configuration; undefined if neither names any.
 * @throws UsageError for what only one cluster can have
 */
export function clusterRequest(
  paths: readonly string[],
  flags: ClusterFlags,
  configured: readonly Glob[],
  charts: readonly ClusterChart[] = [],
): ClusterRequest | undefined {
  const named = (flags.cluster ?? []).map(namedRoot);
  const ofFlags = (flags.clusters ?? []).map((text) => parseGlob(text, `--clusters '${text}'`));
  const isByFlags = named.length + ofFlags.length > 0;
  const globs = isByFlags ? ofFlags : configured;
  const namedBy = isByFlags ? 'flags' : globs.length > 0 ? 'globs' : 'charts';
  if (namedBy === 'charts' && charts.length === 0) return undefined;
  const ofConfiguration = globs[0]?.source ?? `${flags.config}: check.charts`;
  const source = named.length > 0 ? '--cluster' : ofFlags.length > 0 ? '--clusters' : ofConfiguration;
  if (paths.length > 0) {
    const quoted = ofFlags.length > 0 ? ' (and quote a glob, so that the shell does not expand it)' : '';
    throw new UsageError(
      `${source} names what is checked, so paths can't be given beside it: leave out ${paths[0]}${quoted}`,
    );
  }
  const byName = (flag: string, values: readonly string[] = [], what = 'PATH') => assigned(flag, what, values);
  const state = byName('--state', flags.state);
  const contexts = byName('--live', flags.live, 'CONTEXT');
  if (flags.live?.length === 0)
    throw new UsageError('--live reads one cluster: beside clusters give --live NAME=CONTEXT');
  for (const [name, values] of contexts) {
    if (values.length > 1) throw new UsageError(`--live names two contexts for "${name}": give one`);
    if (!state.has(name)) continue;
    throw new UsageError(`--live and --state both name the previous state of "${name}": give one of them`);
  }
  const deleted = byName('--deleted', flags.deleted);
  return { named, globs, state, deleted, contexts, config: flags.config, charts, namedBy };
}

/** Returns the clusters that charts of the configuration add to a run. If flags name the clusters, charts add none. */
export function chartClusters({ charts, namedBy }: ClusterRequest): readonly string[] {
  return namedBy === 'flags' ? [] : charts.map(({ cluster }) => cluster);
}

/** Returns paths that may be in the folders of clusters, but are read as something else. */
export function otherPaths({ state, deleted, config, charts }: ClusterRequest): readonly string[] {
  const ofCharts = charts.flatMap(({ path, values }) => [path, ...values]);
  return [...[...state.values(), ...deleted.values()].flat(), ...ofCharts, ...(config === undefined ? [] : [config])];
}

/** Returns the names of clusters in flags, each with its flag. */
export function namesIn({ state, deleted, contexts }: ClusterRequest): readonly (readonly [string, string])[] {
  const of = (flag: string, values: ByName) => [...values.keys()].map((name) => [name, flag] as const);
  return [...of('--state', state), ...of('--deleted', deleted), ...of('--live', contexts)];
}

/** Refuses a name that no cluster has. */
export function refuseUnknown(request: ClusterRequest, names: ReadonlySet<string>): void {
  const [name, flag] = namesIn(request).find(([one]) => !names.has(one)) ?? [];
  if (name === undefined) return;
  const [first, ...others] = names;
  const known = others.length > 8 ? `${first} and ${others.length} more` : [...names].join(', ');
  throw new UsageError(`${flag} ${name}=…: no cluster is called "${name}"; the clusters are ${known || 'none'}`);
}

function namedRoot(text: string): ClusterRoot {
  const { name, value } = split('--cluster', 'PATH', text);
  if (value === '-')
    throw new UsageError(`--cluster ${text}: standard input can't be a cluster: name a file or folder`);
  return { name, path: join(value).replace(/(?<=.)\/$/, '') };
}

function assigned(flag: string, what: string, values: readonly string[]): ByName {
  const pairs = values.map((text) => split(flag, what, text));
  const byName = Map.groupBy(pairs, ({ name }) => name);
  return new Map([...byName].map(([name, of]) => [name, of.map(({ value }) => value)]));
}

function split(flag: string, what: string, text: string): { readonly name: string; readonly value: string } {
  const [name = '', ...rest] = text.split('=');
  const value = rest.join('=');
  if (name !== '' && value !== '') return { name, value };
  const context = flag === '--cluster' ? '' : 'beside clusters ';
  throw new UsageError(
    `${flag} ${text}: ${context}write NAME=${what}, such as east=${what === 'PATH' ? 'clusters/east' : 'admin@east'}`,
  );
}

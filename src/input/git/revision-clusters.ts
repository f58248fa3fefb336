/**
 * Reads the clusters of the run as they were at the revision: writes the files that the ordinary reader needs into the
 * private folder, and reads them like any others. What can't be read is a note.
 */

import { realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ancestorsOf, isInside, isThere, pathIn, statOf } from '../../documents/files.ts';
import { type ClusterChart, chartsIn } from '../clusters/charts.ts';
import { foldersMatching } from '../clusters/find.ts';
import { type Glob, isLiteral } from '../clusters/glob.ts';
import type { ReadCluster } from '../clusters/inputs.ts';
import type { ClusterRequest } from '../clusters/request.ts';
import { DESCRIPTION_NAMES } from '../layouts/layout.ts';
import { workingTree } from '../layouts/tree.ts';
import { type InputObject, withCluster } from '../objects.ts';
import { noteLine } from '../place.ts';
import { type Renderer, readObjects } from '../sources.ts';
import { joinedSupporting, NO_SUPPORTING, type SupportingDocuments } from '../supporting.ts';
import { isManifestPath } from '../walk.ts';
import { pathWithin } from './repository.ts';
import { modulesNow, type RevisionFile, type RevisionTree } from './revision-tree.ts';

/** What the revision is compared with: the clusters in the working tree. */
export interface RevisionRequest {
  readonly ref: string;
  /** Some of their paths may be gone from the working tree. */
  readonly clusters: readonly ReadCluster[];
  /** How the user named them, if there are several. Matches of globs at the revision are clusters too. */
  readonly several: ClusterRequest | undefined;
  /** Whether a cluster exports a service: then Services are read too, since they may have changed. */
  readonly isExporting: boolean;
  /** Renders charts and kustomizations, if the run does. */
  readonly render?: Renderer | undefined;
}

/** A path to check as the user named it, with its cluster if there are several. */
export interface NamedPath {
  readonly path: string;
  readonly cluster: string | undefined;
  /** Where it led at the revision; undefined outside of the repository. */
  readonly before: string | undefined;
  /** Where it leads in the working tree; undefined outside of the repository. */
  readonly now: string | undefined;
}

/** What the clusters held at the revision. */
export interface RevisionClusters {
  /** A `file` is `REF:path`; in a submodule that did not change, a file of the working tree. */
  readonly objects: readonly InputObject[];
  /** The Services, by cluster. */
  readonly supporting: ReadonlyMap<string | undefined, SupportingDocuments>;
  /** The paths of the clusters. */
  readonly paths: readonly string[];
  /** The clusters that globs match there, and those that only charts of the configuration name. */
  readonly clusterNames: ReadonlySet<string>;
  /** Globs that match no folder. */
  readonly unmatched: readonly Glob[];
  /** The paths at REF of files that could not be read completely in the working tree. */
  readonly broken: ReadonlySet<string>;
  /** The clusters of which a part could not be read: a missing object may still exist. */
  readonly incomplete: ReadonlySet<string | undefined>;
  /** For people, one line each. */
  readonly notes: readonly string[];
}

/** Finds where the paths of the run lead, at the revision and now. */
export function namedPaths({ clusters }: RevisionRequest, tree: RevisionTree): readonly NamedPath[] {
  return clusters.flatMap(({ name, named }) =>
    named.map((path) => {
      const now = pathWithin(tree.repository.top, path);
      return { path, cluster: name, before: tree.pathBefore(path), now };
    }),
  );
}

/** Reads each cluster at the revision. @throws GitError */
export async function readRevisionClusters(
  request: RevisionRequest,
  tree: RevisionTree,
  named: readonly NamedPath[],
): Promise<RevisionClusters> {
  await tree.write(neededFiles(request, tree, named));
  const clusters = clustersAt(request.several?.globs ?? [], tree, named);
  const fileBefore = fileFinder(tree, named);
  const unreadable = request.clusters.flatMap(({ errors }) => errors.flatMap(({ file }) => file ?? []));
  const broken = new Set(unreadable.map(fileBefore));
  const incomplete = new Set([...broken].map(clusters.around));
  for (const chart of request.clusters.flatMap((one) => one.charts)) {
    const before = chartBefore(chart, tree);
    if (before === undefined || broken.has(tree.pathOf(before.path))) incomplete.add(chart.cluster);
  }
  const notes: string[] = [];
  const note = (where: string, cluster: string | undefined, message: string) => {
    notes.push(noteLine(where, `${message}; so no object counts as deleted`));
    incomplete.add(cluster);
  };

  const config = request.several?.config === undefined ? undefined : tree.pathBefore(request.several.config);
  const charts = await chartsAt(request, tree, clusters.matched, config).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'ConfigError')) throw error;
    const [problem] = error.message.split('\n');
    for (const cluster of request.clusters.filter((one) => one.charts.length > 0))
      note(tree.nameOf(config ?? ''), cluster.name, `can't read which charts it lists: ${problem}`);
    return [];
  });
  const chartsOf = Map.groupBy(charts, ({ cluster }) => cluster);
  const pathsOf = Map.groupBy(clusters.byPath.keys(), (path) => clusters.byPath.get(path));

  const objects: InputObject[] = [];
  const supporting = new Map<string | undefined, SupportingDocuments>();
  const { render } = request;
  const options = {
    nameOf: (file: string) => tree.nameOf(tree.pathOf(file) || '.'),
    bounds: tree.folder,
    render: render && ((one: Parameters<Renderer>[0]) => render({ ...one, repository: tree.repository.top })),
  };
  for (const cluster of new Set([...pathsOf.keys(), ...chartsOf.keys()])) {
    const existing = (pathsOf.get(cluster) ?? []).filter((path) => tree.has(path));
    const paths = existing.map((path) => join(tree.folder, path));
    const read = await readObjects(paths, { ...options, charts: cluster === undefined ? [] : chartsOf.get(cluster) });
    supporting.set(cluster, read.supporting);
    for (const input of read.objects) objects.push(withCluster(cluster, input));
    for (const { file, line, column, message } of read.errors) {
      const path = tree.pathNamed(file);
      // If the file did not change, the error in the working tree says the same.
      if (!(broken.has(path) && tree.isUnchanged(path))) note(`${file}:${line}:${column}`, cluster, message);
    }
  }

  const isNamed = namedBy([...clusters.byPath.keys()]);
  for (const { path } of tree.files.filter((file) => file.kind === 'module' && isNamed(file.path, true))) {
    if (tree.changes.has(path)) {
      note(tree.nameOf(path), clusters.around(path), SUBMODULE);
      continue;
    }
    const isInModule = (file: string) => fileBefore(file).startsWith(`${path}/`);
    for (const cluster of request.clusters) {
      for (const input of cluster.objects) if (isInModule(input.file)) objects.push(input);
      const services = withUnchanged(supporting.get(cluster.name), cluster.supporting, isInModule);
      supporting.set(cluster.name, services);
    }
  }

  const ofCharts = request.several?.namedBy === 'charts' ? chartsOf.keys() : [];
  const { matched, unmatched } = clusters;
  return {
    objects,
    supporting,
    paths: [...clusters.byPath.keys()],
    clusterNames: new Set([...matched, ...ofCharts]),
    unmatched,
    broken,
    incomplete,
    notes,
  };
}

const SUBMODULE = 'a submodule that changed since: its files at that revision are not read';

/**
 * Returns the files that the ordinary reader needs: manifests under the named paths, files that describe charts and
 * kustomizations, links and their targets. Unchanged files without an object of ours in the working tree are left out.
 * A program that renders may read any file, so then all are needed.
 */
function neededFiles(
  { clusters, several, isExporting, render }: RevisionRequest,
  tree: RevisionTree,
  named: readonly NamedPath[],
): readonly RevisionFile[] {
  if (render !== undefined) return tree.files;
  const { top } = tree.repository;
  // A folder that is named without a wildcard may be a link.
  const bases = (several?.globs ?? []).map((glob) =>
    isLiteral(glob) ? join(glob.base, glob.names[0] ?? '') : glob.base,
  );
  const before = [...named.map((one) => one.before), ...bases.map((base) => tree.pathBefore(base))];
  const isNamed = namedBy(before.flatMap((path) => path ?? []));
  // Files with Services count as empty only if the run exports none.
  const empty = clusters.flatMap(({ withoutObjects, supporting: { sources } }) =>
    isExporting ? withoutObjects.filter((file) => !sources.has(file)) : withoutObjects,
  );
  const emptyNow = new Set(empty.map(workingTree(top).pathOf));
  const links = tree.files.filter(({ kind, path }) => kind === 'link' && isManifestPath(path));
  const targets = new Set(links.map(({ path }) => tree.targetOf(path)));
  return tree.files.filter(({ path, kind }) => {
    if (kind !== 'file' || targets.has(path) || DESCRIPTION_NAMES.includes(basename(path))) return true;
    return isNamed(path) && !(emptyNow.has(join(top, path)) && tree.isUnchanged(path));
  });
}

/** Returns a test for files under the named paths: named itself, or a manifest in a named folder. */
export function namedBy(named: readonly string[]): (path: string, isFolder?: boolean) => boolean {
  const exact = new Set(named);
  return (path, isFolder = false) =>
    exact.has(path) ||
    [...ancestorsOf(path).slice(1), ''].some((folder) => {
      const below = folder === '' ? path : path.slice(folder.length + 1);
      return exact.has(folder) && (isFolder || isManifestPath(below));
    });
}

/**
 * Returns a function that says where a file of the run was at the revision; of one outside of the repository, the file
 * itself.
 */
function fileFinder({ repository }: RevisionTree, named: readonly NamedPath[]): (file: string) => string {
  const known = named.map(({ path, before }) => ({ at: resolve(path), before }));
  return (file) => {
    const full = resolve(file);
    const around = known.find(({ at, before }) => before !== undefined && isInside(full, at));
    if (around === undefined) return pathWithin(repository.top, file) ?? file;
    return [around.before, pathIn(around.at, full)].filter(Boolean).join('/');
  };
}

/** Finds the clusters at the revision. */
function clustersAt(globs: readonly Glob[], tree: RevisionTree, named: readonly NamedPath[]) {
  const found = globs.map((glob) => {
    const base = tree.pathBefore(glob.base);
    return base === undefined ? [] : foldersMatching({ ...glob, base: join(tree.folder, base) }).roots;
  });
  const byPath = new Map<string, string | undefined>();
  for (const { before, cluster } of named) if (before !== undefined) byPath.set(before, cluster);
  for (const { name, path } of found.flat()) {
    const at = tree.pathOf(path);
    byPath.set(tree.targetOf(at) ?? at, name);
  }
  return {
    /** The clusters by path: those that were named, and those that globs match at the revision. */
    byPath,
    /** The clusters that globs match. */
    matched: found.flat().map(({ name }) => name),
    unmatched: globs.filter((_, index) => found[index]?.length === 0),
    /** Returns the cluster that a path lies in. */
    around: (path: string) => [...ancestorsOf(path), ''].map((at) => byPath.get(at)).find(Boolean),
  };
}

/**
 * Returns the charts that the configuration of the revision lists for clusters of the run: a chart may have had other
 * values, or another folder. If it listed none, they are those of the configuration now. The renderer reports values
 * files that did not exist.
 * @throws ConfigError if that configuration can't be read
 */
async function chartsAt(
  { render, several, clusters }: RevisionRequest,
  tree: RevisionTree,
  matched: readonly string[],
  config: string | undefined,
): Promise<readonly ClusterChart[]> {
  if (render === undefined || several === undefined) return [];
  const listed = config === undefined ? [] : await chartsListedIn(config, tree);
  const current = clusters.flatMap(({ charts }) => charts.flatMap((chart) => chartBefore(chart, tree) ?? []));
  const existing = (listed.length > 0 ? listed : current).filter(({ path }) => isThere(path));
  if (listed.length === 0 || several.namedBy === 'charts') return existing;
  // If flags name the clusters, charts for other clusters are left out.
  const here = clusters.filter(({ named, charts }) => named.length + charts.length > 0);
  const known = new Set([...here.map(({ name }) => name), ...(several.namedBy === 'globs' ? matched : [])]);
  return existing.filter(({ cluster }) => known.has(cluster));
}

/** Returns the charts that a configuration at the revision lists; none if there is no such file. */
async function chartsListedIn(config: string, tree: RevisionTree): Promise<readonly ClusterChart[]> {
  const file = join(tree.folder, config);
  if (statOf(file)?.isFile() !== true || !isInside(realpathSync(file), tree.folder)) return [];
  const { configurationOf, readConfigurationText } = await import('../../config/load.ts');
  const { ruleIds } = await import('../../rules/index.ts');
  const text = await readConfigurationText(file);
  return chartsIn(configurationOf(text, tree.nameOf(config), ruleIds, Date.now()), file);
}

/**
 * Returns a chart of the working tree as it was at the revision, where it may not exist; undefined if it or its values
 * are outside of the repository.
 */
export function chartBefore(chart: ClusterChart, tree: RevisionTree): ClusterChart | undefined {
  const [path, ...values] = [chart.path, ...chart.values].flatMap((file) => {
    const before = tree.pathBefore(file);
    return before === undefined ? [] : join(tree.folder, before);
  });
  const isOutside = path === undefined || values.length < chart.values.length;
  return isOutside ? undefined : { ...chart, path, values, bounds: tree.folder };
}

interface AbsentModule {
  /** As the user named the folder around it. */
  readonly path: string;
  readonly cluster?: string | undefined;
}

/** Returns the submodules that are new or changed, and not checked out: their content is unknown. */
export async function absentModules(
  { repository, changes }: RevisionTree,
  named: readonly NamedPath[],
): Promise<readonly AbsentModule[]> {
  const all = await modulesNow(repository);
  const absent = all.filter(({ path }) => changes.has(path) && !isThere(join(repository.top, path, '.git')));
  return absent.flatMap(({ path }) => {
    const around = named.find(({ now }) => now !== undefined && namedBy([now])(path, true));
    return around ? { path: join(around.path, path.slice(around.now?.length)), cluster: around.cluster } : [];
  });
}

/** Returns the Services at REF, with those of the working tree whose file did not change. */
function withUnchanged(
  base: SupportingDocuments = NO_SUPPORTING,
  now: SupportingDocuments,
  isUnchanged: (file: string) => boolean,
): SupportingDocuments {
  const unchanged: SupportingDocuments = {
    sources: new Set(),
    read(kind) {
      const { objects, isIncomplete } = now.read(kind);
      return { objects: objects.filter(({ file }) => isUnchanged(file)), isIncomplete };
    },
  };
  return joinedSupporting([base, unchanged]);
}

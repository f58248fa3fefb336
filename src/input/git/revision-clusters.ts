/**
 * Reads the clusters of the run as they were at the revision: writes the files that the ordinary reader needs into the
 * checkout, and reads them like any others. What can't be read is a note.
 */

import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ancestorsOf, isInside, isThere, statOf } from '../../documents/files.ts';
import { type ClusterChart, chartsIn } from '../clusters/charts.ts';
import { foldersMatching } from '../clusters/find.ts';
import { type Glob, isLiteral } from '../clusters/glob.ts';
import { DESCRIPTION_NAMES } from '../layouts/layout.ts';
import { type InputObject, withCluster } from '../objects.ts';
import { noteLine } from '../place.ts';
import { type Renderer, readObjects } from '../sources.ts';
import { joinedSupporting, NO_SUPPORTING, type SupportingDocuments } from '../supporting.ts';
import type { Checkout, Links } from './checkout.ts';
import type { PlacedChart, Places, RevisionRequest } from './places.ts';
import type { Repository } from './repository.ts';
import { modulesNow, namedBy, type RevisionFile, type RevisionFiles } from './revision-files.ts';

/** The revision, before its files are read. */
interface OpenRevision {
  readonly repository: Repository;
  readonly files: RevisionFiles;
  readonly checkout: Checkout;
  readonly links: Links;
  readonly places: Places;
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
  /** Submodules that are new or changed, and not checked out: their content is unknown. */
  readonly absent: readonly AbsentModule[];
  /** For people, one line each. */
  readonly notes: readonly string[];
}

interface AbsentModule {
  /** As the user named the folder around it. */
  readonly path: string;
  readonly cluster?: string | undefined;
}

/** Reads each cluster at the revision. @throws GitError */
export async function readRevisionClusters(
  request: RevisionRequest,
  revision: OpenRevision,
): Promise<RevisionClusters> {
  const { repository, files, checkout, places } = revision;
  await checkout.write(neededFiles(request, revision));
  const clusters = clustersAt(request.several?.globs ?? [], revision);
  const unreadable = request.clusters.flatMap(({ errors }) => errors.flatMap(({ file }) => file ?? []));
  const broken = new Set(unreadable.map(places.fileBefore));
  const incomplete = new Set([...broken].map(clusters.around));
  for (const { chart, before } of places.charts)
    if (before === undefined || broken.has(before.path)) incomplete.add(chart.cluster);
  const notes: string[] = [];
  const note = (where: string, cluster: string | undefined, message: string) => {
    notes.push(noteLine(where, `${message}; so no object counts as deleted`));
    incomplete.add(cluster);
  };

  const charts = await chartsAt(request, revision, clusters).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'ConfigError')) throw error;
    const [problem] = error.message.split('\n');
    for (const cluster of request.clusters.filter((one) => one.charts.length > 0))
      note(files.nameOf(places.config ?? ''), cluster.name, `can't read which charts it lists: ${problem}`);
    return [];
  });
  const chartsOf = Map.groupBy(charts, ({ cluster }) => cluster);
  const pathsOf = Map.groupBy(clusters.byPath.keys(), (path) => clusters.byPath.get(path));

  const objects: InputObject[] = [];
  const supporting = new Map<string | undefined, SupportingDocuments>();
  const { folder, pathOf } = checkout;
  const { render } = request;
  const options = {
    nameOf: (file: string) => files.nameOf(pathOf(file) || '.'),
    bounds: folder,
    render: render && ((one: Parameters<Renderer>[0]) => render({ ...one, repository: repository.top })),
  };
  for (const cluster of new Set([...pathsOf.keys(), ...chartsOf.keys()])) {
    const paths = (pathsOf.get(cluster) ?? []).filter(files.has).map((path) => join(folder, path));
    const read = await readObjects(paths, { ...options, charts: cluster === undefined ? [] : chartsOf.get(cluster) });
    supporting.set(cluster, read.supporting);
    for (const input of read.objects) objects.push(withCluster(cluster, input));
    for (const { file, line, column, message } of read.errors) {
      const path = files.pathOf(file);
      // If the file did not change, the error in the working tree says the same.
      if (!(broken.has(path) && files.isUnchanged(path))) note(`${file}:${line}:${column}`, cluster, message);
    }
  }

  for (const path of submodulesIn(files, clusters)) {
    if (files.changes.has(path)) {
      note(files.nameOf(path), clusters.around(path), SUBMODULE);
      continue;
    }
    const isInModule = (file: string) => places.fileBefore(file).startsWith(`${path}/`);
    for (const cluster of request.clusters) {
      for (const input of cluster.objects) if (isInModule(input.file)) objects.push(input);
      const services = withUnchanged(supporting.get(cluster.name), cluster.supporting, isInModule);
      supporting.set(cluster.name, services);
    }
  }

  const ofCharts = request.several?.namedBy === 'charts' ? chartsOf.keys() : [];
  return {
    objects,
    supporting,
    paths: [...clusters.byPath.keys()],
    clusterNames: new Set([...clusters.matched, ...ofCharts]),
    unmatched: clusters.unmatched,
    broken,
    incomplete,
    absent: await absentModules(revision),
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
  { files, links, places }: OpenRevision,
): RevisionFile[] {
  // A folder that is named without a wildcard may be a link.
  const bases = (several?.globs ?? []).map((glob) =>
    isLiteral(glob) ? join(glob.base, glob.names[0] ?? '') : glob.base,
  );
  const named = [...places.paths.map(({ before }) => before), ...bases.map(places.pathBefore)];
  const isNamed = namedBy(named.flatMap((path) => path ?? []));
  // Unchanged files without objects need not be read again, except those with Services: the run exports some.
  const withoutObjects = clusters.flatMap(({ withoutObjects, supporting: { sources } }) =>
    isExporting ? withoutObjects.filter((file) => !sources.has(file)) : withoutObjects,
  );
  const empty = new Set(withoutObjects.flatMap((file) => places.sameFileBefore(file) ?? []));
  const isNeeded = ({ path, kind }: RevisionFile) => {
    if (kind !== 'file' || render !== undefined || DESCRIPTION_NAMES.includes(basename(path))) return true;
    return isNamed(path) && !(empty.has(path) && files.isUnchanged(path));
  };
  return [...files.all.filter(isNeeded), ...links.targets];
}

interface BaseClusters {
  /** The clusters by path: those that were named, and those that globs match at the revision. */
  readonly byPath: ReadonlyMap<string, string | undefined>;
  /** The clusters that globs match. */
  readonly matched: readonly string[];
  readonly unmatched: readonly Glob[];
  /** Returns the cluster that a path lies in. */
  around(path: string): string | undefined;
}

/** Finds the clusters at the revision. */
function clustersAt(globs: readonly Glob[], { checkout, links, places }: OpenRevision): BaseClusters {
  const { folder, pathOf } = checkout;
  const found = globs.map((glob) => {
    const base = places.pathBefore(glob.base);
    return base === undefined ? [] : foldersMatching({ ...glob, base: join(folder, base) }).roots;
  });
  const matched = found.flat();
  const byPath = new Map<string, string | undefined>();
  for (const { before, cluster } of places.paths) if (before !== undefined) byPath.set(before, cluster);
  for (const { name, path } of matched) byPath.set(links.resolve(pathOf(path)) ?? pathOf(path), name);
  return {
    byPath,
    matched: matched.map(({ name }) => name),
    unmatched: globs.filter((_, index) => found[index]?.length === 0),
    around: (path) => [...ancestorsOf(path), ''].map((at) => byPath.get(at)).find(Boolean),
  };
}

/**
 * Returns the charts that the configuration of the revision lists for clusters of the run: a chart may have had other
 * values, or another folder. If it listed none, they are those of the configuration now.
 * @throws ConfigError if that configuration can't be read
 */
async function chartsAt(
  request: RevisionRequest,
  { files, checkout: { folder }, places }: OpenRevision,
  clusters: BaseClusters,
): Promise<readonly ClusterChart[]> {
  if (request.render === undefined || request.several === undefined) return [];
  const { namedBy } = request.several;
  const { config } = places;
  const listed =
    config === undefined ? undefined : await chartsListedIn(join(folder, config), files.nameOf(config), folder);
  if (listed === undefined) return places.charts.flatMap((chart) => chartAt(chart, folder));
  const existing = listed.filter(({ path }) => isThere(path));
  if (namedBy === 'charts') return existing;
  // If flags name the clusters, charts for other clusters are left out.
  const atBase = namedBy === 'globs' ? clusters.matched : [];
  const here = request.clusters.filter(({ named, charts }) => named.length + charts.length > 0);
  const known = new Set([...here.map(({ name }) => name), ...atBase]);
  return existing.filter(({ cluster }) => known.has(cluster));
}

/**
 * Returns the charts that a configuration in the checkout lists; undefined if it lists none, or if there is no such
 * file.
 * @param name of the file in messages
 */
async function chartsListedIn(file: string, name: string, checkout: string) {
  if (statOf(file)?.isFile() !== true || !isInside(realpathSync(file), checkout)) return undefined;
  const { configurationOf, readConfigurationText } = await import('../../config/load.ts');
  const { ruleIds } = await import('../../rules/index.ts');
  const loaded = configurationOf(await readConfigurationText(file), name, ruleIds, Date.now());
  return loaded.charts.length === 0 ? undefined : chartsIn(loaded, file);
}

/** Returns a chart as it was at the revision, if it existed. The renderer reports values files that did not exist. */
function chartAt({ chart, before, isAtRevision }: PlacedChart, folder: string): ClusterChart[] {
  if (before === undefined || !isAtRevision) return [];
  const values = before.values.map((file) => join(folder, file));
  return [{ ...chart, path: join(folder, before.path), values, bounds: folder }];
}

/** Returns the paths of submodules in the clusters. */
function submodulesIn(files: RevisionFiles, { byPath }: BaseClusters): string[] {
  const isNamed = namedBy([...byPath.keys()]);
  return files.all.flatMap(({ path, kind }) => (kind === 'module' && isNamed(path, true) ? path : []));
}

/** Returns the submodules that are new or changed, and not checked out. */
async function absentModules({ repository, files, places }: OpenRevision): Promise<readonly AbsentModule[]> {
  const all = await modulesNow(repository);
  const absent = all.filter((path) => files.changes.has(path) && !isThere(join(repository.top, path, '.git')));
  return absent.flatMap((path) => {
    const around = places.paths.find(({ now }) => now !== undefined && namedBy([now])(path, true));
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

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
import type { Supporting } from '../supporting.ts';
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
  readonly absolute: string;
  readonly cluster: string | undefined;
  /** Where it led at the revision; undefined outside of the repository. */
  readonly before: string | undefined;
  /** Where it leads in the working tree; undefined outside of the repository. */
  readonly now: string | undefined;
}

/** The clusters of the run, as they were at the revision. */
export class RevisionClusters {
  /** The paths of the run. */
  readonly named: readonly NamedPath[];
  /** A `file` is `REF:path`; in a submodule that did not change, a file of the working tree. */
  readonly objects: InputObject[] = [];
  /** The Services, by cluster. */
  readonly supporting = new Map<string | undefined, readonly Supporting[]>();
  /** The clusters by path: those that were named, and those that globs match at the revision. */
  readonly byPath = new Map<string, string | undefined>();
  /** The clusters that globs match there, and those that only charts of the configuration name. */
  readonly names = new Set<string>();
  /** Globs that match no folder. */
  readonly unmatched: Glob[] = [];
  /** The paths at REF of files that could not be read completely in the working tree. */
  readonly broken: ReadonlySet<string>;
  /** The clusters of which a part could not be read: a missing object may still exist. */
  readonly incomplete = new Set<string | undefined>();
  /** For people, one line each. */
  readonly notes: string[] = [];
  readonly #request: RevisionRequest;
  readonly #tree: RevisionTree;

  private constructor(request: RevisionRequest, tree: RevisionTree) {
    this.#request = request;
    this.#tree = tree;
    const { top } = tree.repository;
    this.named = request.clusters.flatMap(({ name: cluster, named }) =>
      named.map((path) => {
        const places = { before: tree.pathBefore(path), now: pathWithin(top, path) };
        return { path, absolute: resolve(path), cluster, ...places };
      }),
    );
    const unreadable = request.clusters.flatMap(({ errors }) => errors.flatMap(({ file }) => file ?? []));
    this.broken = new Set(unreadable.map((file) => this.#fileBefore(file)));
  }

  /** Reads each cluster at the revision. @throws GitError */
  static async read(request: RevisionRequest, tree: RevisionTree): Promise<RevisionClusters> {
    const clusters = new RevisionClusters(request, tree);
    await tree.write(clusters.#neededFiles());
    clusters.#find();
    await clusters.#readAll(await clusters.#charts());
    clusters.#addModules();
    return clusters;
  }

  /** Returns where a file of the run was at the revision; of one outside of the repository, the file itself. */
  #fileBefore(file: string): string {
    const full = resolve(file);
    const around = this.named.find((one) => one.before !== undefined && isInside(full, one.absolute));
    if (around === undefined) return pathWithin(this.#tree.repository.top, file) ?? file;
    return [around.before, pathIn(around.absolute, full)].filter(Boolean).join('/');
  }

  #note(where: string, cluster: string | undefined, message: string): void {
    this.notes.push(noteLine(where, `${message}; so no object counts as deleted`));
    this.incomplete.add(cluster);
  }

  /**
   * Returns the files that the ordinary reader needs: manifests under the named paths, files that describe charts and
   * kustomizations, links and their targets. Unchanged files without an object of ours in the working tree are left
   * out. A program that renders may read any file, so then all are needed.
   */
  #neededFiles(): readonly RevisionFile[] {
    const { clusters, several, isExporting, render } = this.#request;
    const tree = this.#tree;
    if (render !== undefined) return tree.files;
    const { top } = tree.repository;
    // A folder that is named without a wildcard may be a link.
    const bases = (several?.globs ?? []).map((glob) =>
      isLiteral(glob) ? join(glob.base, glob.names[0] ?? '') : glob.base,
    );
    const before = [...this.named.map((one) => one.before), ...bases.map((base) => tree.pathBefore(base))];
    const isNamed = namedBy(before.flatMap((path) => path ?? []));
    // Files with Services count as empty only if the run exports none.
    const empty = clusters.flatMap(({ withoutObjects, supporting }) => {
      const sources = new Set(isExporting ? supporting.map(({ file }) => file) : []);
      return withoutObjects.filter((file) => !sources.has(file));
    });
    const emptyNow = new Set(empty.map(workingTree(top).pathOf));
    const links = tree.files.filter(({ kind, path }) => kind === 'link' && isManifestPath(path));
    const targets = new Set(links.map(({ path }) => tree.targetOf(path)));
    return tree.files.filter(({ path, kind }) => {
      if (kind !== 'file' || targets.has(path) || DESCRIPTION_NAMES.includes(basename(path))) return true;
      return isNamed(path) && !(emptyNow.has(join(top, path)) && tree.isUnchanged(path));
    });
  }

  /** Finds the clusters, and those of which a part can't be known. */
  #find(): void {
    const tree = this.#tree;
    for (const { before, cluster } of this.named) if (before !== undefined) this.byPath.set(before, cluster);
    for (const glob of this.#request.several?.globs ?? []) {
      const base = tree.pathBefore(glob.base);
      const roots = base === undefined ? [] : foldersMatching({ ...glob, base: join(tree.folder, base) }).roots;
      if (roots.length === 0) this.unmatched.push(glob);
      for (const { name, path } of roots) {
        const at = tree.pathOf(path);
        this.byPath.set(tree.targetOf(at) ?? at, name);
        this.names.add(name);
      }
    }
    for (const path of this.broken) this.incomplete.add(this.#around(path));
    for (const chart of this.#request.clusters.flatMap((one) => one.charts)) {
      const before = chartBefore(chart, tree);
      if (before === undefined || this.broken.has(tree.pathOf(before.path))) this.incomplete.add(chart.cluster);
    }
  }

  /** Returns the cluster that a path lies in. */
  #around(path: string): string | undefined {
    return [...ancestorsOf(path), ''].map((at) => this.byPath.get(at)).find(Boolean);
  }

  /**
   * Returns the charts that the configuration of the revision lists for clusters of the run: a chart may have had other
   * values, or another folder. If it listed none, they are those of the configuration now. The renderer reports values
   * files that did not exist.
   */
  async #charts(): Promise<readonly ClusterChart[]> {
    const { render, several, clusters } = this.#request;
    if (render === undefined || several === undefined) return [];
    const listed = await this.#listedCharts(several.config);
    if (listed === undefined) return [];
    const ofRun = clusters.flatMap(({ charts }) => charts.flatMap((chart) => chartBefore(chart, this.#tree) ?? []));
    const existing = (listed.length > 0 ? listed : ofRun).filter(({ path }) => isThere(path));
    if (listed.length === 0 || several.namedBy === 'charts') return existing;
    // If flags name the clusters, charts for other clusters are left out.
    const here = clusters.filter(({ named, charts }) => named.length + charts.length > 0);
    const known = new Set([...here.map(({ name }) => name), ...(several.namedBy === 'globs' ? this.names : [])]);
    return existing.filter(({ cluster }) => known.has(cluster));
  }

  /**
   * Returns the charts that the configuration lists at the revision; none if it was not there, undefined if it can't be
   * read.
   */
  async #listedCharts(config: string | undefined): Promise<readonly ClusterChart[] | undefined> {
    const { folder } = this.#tree;
    const path = config === undefined ? undefined : this.#tree.pathBefore(config);
    const file = join(folder, path ?? '');
    if (path === undefined || statOf(file)?.isFile() !== true || !isInside(realpathSync(file), folder)) return [];
    const { configurationOf, readConfigurationText } = await import('../../config/load.ts');
    const { ruleIds } = await import('../../rules/index.ts');
    const name = this.#tree.nameOf(path);
    try {
      return chartsIn(configurationOf(await readConfigurationText(file), name, ruleIds, Date.now()), file);
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ConfigError')) throw error;
      const [problem] = error.message.split('\n');
      for (const cluster of this.#request.clusters.filter((one) => one.charts.length > 0))
        this.#note(name, cluster.name, `can't read which charts it lists: ${problem}`);
      return undefined;
    }
  }

  async #readAll(charts: readonly ClusterChart[]): Promise<void> {
    const { render, several } = this.#request;
    const tree = this.#tree;
    const chartsOf = Map.groupBy(charts, ({ cluster }) => cluster);
    const pathsOf = Map.groupBy(this.byPath.keys(), (path) => this.byPath.get(path));
    if (several?.namedBy === 'charts') for (const { cluster } of charts) this.names.add(cluster);
    const options = {
      nameOf: (file: string) => tree.nameOf(tree.pathOf(file) || '.'),
      bounds: tree.folder,
      render: render && ((one: Parameters<Renderer>[0]) => render({ ...one, repository: tree.repository.top })),
    };
    for (const cluster of new Set([...pathsOf.keys(), ...chartsOf.keys()])) {
      // Of a folder without a needed file nothing is written: it has no object of ours.
      const paths = (pathsOf.get(cluster) ?? []).map((path) => join(tree.folder, path)).filter(isThere);
      const read = await readObjects(paths, { ...options, charts: cluster === undefined ? [] : chartsOf.get(cluster) });
      this.supporting.set(cluster, read.supporting);
      for (const input of read.objects) this.objects.push(withCluster(cluster, input));
      for (const { file, line, column, message } of read.errors) {
        const path = tree.pathNamed(file);
        // If the file did not change, the error in the working tree says the same.
        if (!(this.broken.has(path) && tree.isUnchanged(path)))
          this.#note(`${file}:${line}:${column}`, cluster, message);
      }
    }
  }

  /** Adds what is in submodules: in one that did not change, the same as now. */
  #addModules(): void {
    const { changes, files, repository } = this.#tree;
    for (const { path } of files.filter(({ kind }) => kind === 'module')) {
      const isIn = (before: string) => before.startsWith(`${path}/`);
      const reached = (before: string) => isIn(before) || namedBy([before])(path, true);
      const around = [...this.byPath].flatMap(([before, cluster]) => (reached(before) ? [cluster] : []));
      if (around.length === 0) continue;
      const isChanged = changes.has(path);
      // A link that led into it leads to other files now.
      const led = this.named.filter(({ before, now }) => before !== undefined && before !== now && reached(before));
      const why = isChanged ? 'that changed since' : 'into which a link led';
      for (const cluster of new Set(isChanged ? around : led.map((one) => one.cluster)))
        this.#note(this.#tree.nameOf(path), cluster, `a submodule ${why}: its files at that revision are not read`);
      if (isChanged) continue;
      const isInModule = (file: string) => {
        const before = this.#fileBefore(file);
        return isIn(before) && before === pathWithin(repository.top, file);
      };
      for (const { name, objects, supporting } of this.#request.clusters) {
        for (const input of objects) if (isInModule(input.file)) this.objects.push(input);
        const unchanged = supporting.filter(({ file }) => isInModule(file));
        this.supporting.set(name, [...(this.supporting.get(name) ?? []), ...unchanged]);
      }
    }
  }

  /**
   * Returns the submodules that are new or changed, and not checked out: their content is unknown. The folder around
   * each is as the user named it.
   */
  async absentModules() {
    const { repository, changes } = this.#tree;
    const all = await modulesNow(repository);
    const absent = all.filter(({ path }) => changes.has(path) && !isThere(join(repository.top, path, '.git')));
    return absent.flatMap(({ path }) => {
      const around = this.named.find(({ now }) => now !== undefined && namedBy([now])(path, true));
      return around ? { path: join(around.path, path.slice(around.now?.length)), cluster: around.cluster } : [];
    });
  }
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

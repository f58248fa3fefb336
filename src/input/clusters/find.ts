/** Finds the clusters of a run in the working tree: each a file or a folder with a name. */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { shellQuoted } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { ancestorsOf, isFolder, isThere, reasonOf } from '../../documents/files.ts';
import { isManifestPath } from '../walk.ts';
import { type Glob, isLiteral, matchedPart } from './glob.ts';

/** A file or folder that is a cluster. */
export interface ClusterRoot {
  readonly name: string;
  /** As reports show it. */
  readonly path: string;
}

export interface FoundClusters {
  /** In the order in which they were named, those of a glob by path. */
  readonly roots: readonly ClusterRoot[];
  /** Globs that match no folder in the working tree. */
  readonly unmatched: readonly Glob[];
  /** Manifests below the base of a glob that lie in no cluster. */
  readonly outside: readonly string[];
  /** Links that match a glob, each to a folder that is a cluster of the run by itself. */
  readonly links: readonly string[];
}

/**
 * Finds the clusters.
 * @param others paths that the run reads as something else
 * @throws UsageError if two clusters have one name or overlap, if a link leads to a folder that is no cluster, or if a
 * folder can't be read
 */
export function findClusters(
  named: readonly ClusterRoot[],
  globs: readonly Glob[],
  others: readonly string[],
): FoundClusters {
  const walks = globs.map(foldersMatching);
  const roots = [...named, ...walks.flatMap((one) => one.roots)];
  const real = new Map(
    roots.map((root) => [root, isThere(root.path) ? requireRealPath(root.path) : resolve(root.path)]),
  );
  refuseOverlap(real);
  refuseSameName(roots);
  const known = new Set([...roots.map(({ path }) => path), ...others].map((path) => resolve(path)));
  const isOutside = (file: string) => !ancestorsOf(resolve(file), sep).some((at) => known.has(at));
  const outside = new Set(walks.flatMap(({ files }) => files.filter(isOutside)));
  const links = walks.flatMap((one) => one.links);
  refuseLinks(links, new Set(real.values()));
  const unmatched = globs.filter((_, index) => walks[index]?.roots.length === 0);
  return { roots, unmatched, outside: [...outside], links };
}

/** Refuses a link to a folder that nothing else names: a delivery tool may follow it, and the check would not. */
function refuseLinks(links: readonly string[], known: ReadonlySet<string>): void {
  const unnamed = links.find((path) => !known.has(requireRealPath(path)));
  if (unnamed === undefined) return;
  const flag = `--cluster ${shellQuoted(`${basename(unnamed)}=${unnamed}`)}`;
  throw new UsageError(`${unnamed}: links to folders are not followed: move the folder there, or name it with ${flag}`);
}

/** Refuses clusters whose paths do not exist. */
export function refuseMissing(roots: readonly ClusterRoot[]): void {
  const missing = roots.find(({ path }) => !isThere(path));
  if (missing) throw new UsageError(`--cluster ${missing.name}=${missing.path}: no such file or folder`);
}

/** Refuses globs that name nothing. `where` says which trees have no match. */
export function refuseUnmatched([glob]: readonly Glob[], where = ''): void {
  if (glob === undefined) return;
  const files = 'a file is named by --cluster NAME=PATH; wildcards are *, ? and **';
  throw new UsageError(`${glob.source}: no folder matches${where} (${files})`);
}

interface MatchingFolders {
  readonly roots: ClusterRoot[];
  /** All manifests that lie in none of them. */
  readonly files: string[];
  /** Links to folders that match, too; they are not followed. */
  readonly links: string[];
}

/** Lists the folders that match, by path. */
export function foldersMatching(glob: Glob): MatchingFolders {
  const roots: ClusterRoot[] = [];
  const files: string[] = [];
  const links: string[] = [];
  if (isLiteral(glob)) return { roots: literalRoot(glob), files, links };
  const isDeep = glob.names.includes('**');
  const visit = (folder: string, below: readonly string[], isInside: boolean): void => {
    for (const entry of entriesOf(folder, glob)) {
      const path = join(folder, entry.name);
      const names = [...below, entry.name];
      if (!entry.isDirectory()) {
        if (!isInside && isManifestPath(entry.name)) files.push(path);
        if (entry.isSymbolicLink() && matchedPart(glob, names) !== undefined && isFolder(path)) links.push(path);
        continue;
      }
      if (!isManifestPath(`${entry.name}/x.yaml`)) continue;
      const name = matchedPart(glob, names);
      if (name !== undefined) roots.push({ name, path });
      // Only with `**` a cluster can hold another, which is an error.
      if ((!isInside && name === undefined) || isDeep) visit(path, names, isInside || name !== undefined);
    }
  };
  visit(glob.base, [], false);
  return { roots, files, links };
}

/** A folder that is named without a wildcard may be a link. */
function literalRoot({ base, names: [name = ''] }: Glob): ClusterRoot[] {
  const path = join(base, name);
  return isFolder(path) ? [{ name, path }] : [];
}

function entriesOf(folder: string, { source, base }: Glob) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (folder === base && !isThere(folder)) return [];
    throw new UsageError(`${source}: can't read ${folder}: ${reasonOf(error)}`);
  }
}

function refuseSameName(roots: readonly ClusterRoot[]): void {
  const byName = new Map<string, ClusterRoot>();
  for (const root of roots) {
    const other = byName.get(root.name);
    if (other) throw new UsageError(`two clusters are called "${root.name}": ${other.path} and ${root.path}`);
    byName.set(root.name, root);
  }
}

/** @param real the real path of each cluster */
function refuseOverlap(real: ReadonlyMap<ClusterRoot, string>): void {
  const byPath = new Map<string, ClusterRoot>();
  for (const [root, at] of real) {
    const same = byPath.get(at);
    if (same) throw new UsageError(samePath(same, root));
    byPath.set(at, root);
  }
  for (const [root, at] of real) {
    const [, ...folders] = ancestorsOf(at, sep);
    const around = folders.map((folder) => byPath.get(folder)).find(Boolean);
    if (around === undefined) continue;
    const fix = "name folders that don't contain each other";
    throw new UsageError(`the cluster "${root.name}" (${root.path}) lies in "${around.name}" (${around.path}): ${fix}`);
  }
}

function samePath(one: ClusterRoot, { name, path }: ClusterRoot): string {
  const paths = one.path === path ? path : `${one.path} and ${path}`;
  if (one.name === name) return `the cluster "${name}" is named twice: ${paths}`;
  return `the clusters "${one.name}" and "${name}" are the same path: ${paths}`;
}

/** @throws UsageError for a path that does not resolve */
function requireRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`can't read ${path}: ${reasonOf(error)}`);
  }
}

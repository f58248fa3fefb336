/** Finds the clusters of a revision: the folders there that globs match. */
import { isManifestPath } from '../../../cluster/files/walk.ts';
import { ancestorsOf, type Glob, matchedPart } from '../clusters/glob.ts';
import type { BaseFile } from './files.ts';
import { pathWithin } from './repository.ts';

export interface BaseClusters {
  /** The names by folder, within the repository. */
  readonly clusters: ReadonlyMap<string, string>;
  readonly unmatched: readonly Glob[];
}

/** Finds them. `top` is the real path of the working tree. */
export function clustersAt(files: readonly BaseFile[], globs: readonly Glob[], top: string): BaseClusters {
  const folders = globs.length === 0 ? [] : foldersIn(files);
  const clusters = new Map<string, string>();
  const unmatched = globs.filter((glob) => {
    const base = pathWithin(top, glob.base);
    const before = base ? `${base}/` : '';
    const names = folders.flatMap((folder): [string, string][] => {
      const inside = base !== undefined && folder.startsWith(before) ? folder.slice(before.length) : undefined;
      const name = inside && matchedPart(glob, inside.split('/'));
      return name ? [[folder, name]] : [];
    });
    for (const [folder, name] of names) clusters.set(folder, name);
    return names.length === 0;
  });
  return { clusters, unmatched };
}

function foldersIn(files: readonly BaseFile[]): string[] {
  const folders = new Set(files.flatMap(({ path, kind }) => ancestorsOf(path).slice(kind === 'module' ? 0 : 1)));
  return [...folders].filter((folder) => isManifestPath(`${folder}/x.yaml`)).sort();
}

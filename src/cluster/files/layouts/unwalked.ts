/** Finds the parts of charts and kustomizations that a walk does not find, for their names are not those of manifests. */
import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, type SourceFolder } from './layout.ts';
import { type Plan, referredBy } from './plan.ts';
import type { Tree } from './tree.ts';

export interface UnwalkedPart {
  /** An absolute path. */
  readonly file: string;
  /** Why it is no manifest. */
  readonly part: string;
}

/**
 * Returns the files of folders that no program renders: templates, and what a kustomization lists in its own folder.
 * @param roots the folders that were named; charts of the configuration are, too
 * @param walked the paths of the files in them that were found
 */
export function unwalkedParts(
  { unrendered, layout }: Plan,
  roots: readonly string[],
  walked: ReadonlySet<string>,
  tree: Tree,
): readonly UnwalkedPart[] {
  const configured = unrendered.flatMap(({ path, release }) => (release ? path : []));
  const named = [...roots.map((root) => layout.folderAt(root)), ...configured];
  const found = unrendered.flatMap((folder) =>
    folder.type === 'chart' || folder.type === 'library' ? templatesOf(folder, tree) : listedBy(folder),
  );
  const byFile = new Map(found.map((one) => [one.file, one]));
  return [...byFile.values()].filter(
    ({ file }) => !walked.has(file) && named.some((root) => isWithin(root, file)) && tree.typeOf(file) === 'file',
  );

  function listedBy({ path }: SourceFolder): UnwalkedPart[] {
    return referredBy(path, layout).flatMap(({ folder, field, target }) => {
      const part = `a kustomization lists it as ${field}`;
      return isWithin(folder, target) ? { file: target, part } : [];
    });
  }
}

/** Helm renders every file of the folder, whatever its name, and through links; also those of the charts in `charts/`. */
function templatesOf({ path, name }: SourceFolder, tree: Tree): UnwalkedPart[] {
  const part = `it is a template of the Helm chart ${name}`;
  const charts = [path];
  const subchartsIn = folderReader(tree);
  for (const chart of charts) charts.push(...subchartsIn(join(chart, 'charts')));
  const found = charts.map((chart) => join(chart, 'templates'));
  // Links may lead to a folder again, or in a circle: it is read once.
  const entriesIn = folderReader(tree);
  for (const entry of found) found.push(...entriesIn(entry));
  return found.map((file) => ({ file, part }));
}

/** Returns a function that lists the paths in a folder, once for each folder; none for a file, or where nothing can be read. */
function folderReader(tree: Tree): (folder: string) => string[] {
  const seen = new Set<string>();
  return (folder) => {
    if (tree.typeOf(folder) !== 'folder') return [];
    try {
      const real = realpathSync(folder);
      if (seen.has(real)) return [];
      seen.add(real);
      return readdirSync(real).map((name) => join(folder, name));
    } catch {
      return [];
    }
  };
}

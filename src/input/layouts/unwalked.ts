/**
 * Finds the parts of charts and kustomizations that a walk does not find, because they are not named like manifests.
 */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isInside } from '../../documents/bytes.ts';
import type { SourceFolder } from './layout.ts';
import { type ReadPlan, referredBy } from './read-plan.ts';
import type { Tree } from './tree.ts';

interface UnwalkedPart {
  /** An absolute path. */
  readonly file: string;
  /** Why it is no manifest. */
  readonly part: string;
}

/**
 * Returns the files of folders that no program renders: templates, files that templates may read, and those that a
 * kustomization lists in its own folder.
 * @param roots the folders that were named, and the charts of the configuration
 * @param walked the paths of the files in them that were found
 */
export function unwalkedParts(
  { unrendered, layout }: ReadPlan,
  roots: readonly string[],
  walked: ReadonlySet<string>,
  tree: Tree,
): readonly UnwalkedPart[] {
  const configured = unrendered.flatMap(({ path, release }) => (release ? path : []));
  const named = [...roots.map((root) => layout.folderAt(root)), ...configured];
  const found = unrendered.flatMap((folder) =>
    folder.type === 'chart' || folder.type === 'library' ? filesOfChart(folder, tree) : listedBy(folder),
  );
  const byFile = new Map(found.map((one) => [one.file, one]));
  return [...byFile.values()].filter(
    ({ file }) => !walked.has(file) && named.some((root) => isInside(file, root)) && tree.typeOf(file) === 'file',
  );

  function listedBy({ path }: SourceFolder): UnwalkedPart[] {
    return referredBy(path, layout).flatMap(({ folder, field, target }) => {
      const part = `a kustomization lists it as ${field}`;
      return isInside(target, folder) ? { file: target, part } : [];
    });
  }
}

/**
 * Helm renders every file in `templates/`, whatever its name, and through links; also those of the charts in `charts/`.
 * A template may print any other file of the chart by `.Files`.
 */
function filesOfChart({ path, name }: SourceFolder, tree: Tree): UnwalkedPart[] {
  const charts = [path];
  const subchartsIn = folderReader(tree);
  for (const chart of charts) charts.push(...subchartsIn(join(chart, 'charts')));
  const templates = withAllBelow(
    charts.map((chart) => join(chart, 'templates')),
    tree,
  );
  const found = templates.map((file) => ({ file, part: `it is a template of the Helm chart ${name}` }));
  if (!templates.some((file) => readsFiles(file, tree))) return found;
  const entriesIn = folderReader(tree);
  const others = charts.flatMap(entriesIn).filter((entry) => !NO_FILES.test(basename(entry)));
  const part = `a template of the Helm chart ${name} may read it by .Files`;
  return [...withAllBelow(others, tree).map((file) => ({ file, part })), ...found];
}

/** What `.Files` does not have, and documentation, in the folder of a chart. */
const NO_FILES = /^(templates|charts|Chart\.(yaml|lock)|requirements\.(yaml|lock)|.*\.md)$/i;

function readsFiles(template: string, tree: Tree): boolean {
  const description = tree.read(template);
  // Of a template that is too long to read it is not known.
  return description !== undefined && ('problem' in description || description.text.includes('.Files'));
}

/** Returns the paths and all below them. Links may lead to a folder again, or in a circle: it is read once. */
function withAllBelow(paths: readonly string[], tree: Tree): string[] {
  const found = [...paths];
  const entriesIn = folderReader(tree);
  for (const entry of found) found.push(...entriesIn(entry));
  return found;
}

/**
 * Returns a function that lists the paths in a folder, once for each folder; none for a file or an unreadable folder.
 */
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

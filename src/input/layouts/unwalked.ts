/**
 * Finds the parts of charts and kustomizations that a walk misses: those that are not named like manifests, and changes
 * that name no kind of muster.
 */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addAll, getOrInsert } from '../../base/collections.ts';
import { isInside, upwardSearch } from '../../documents/files.ts';
import { couldNameOurs } from '../../documents/index.ts';
import { APPLIED, type Kustomization } from './kustomization.ts';
import type { SourceFolder } from './layout.ts';
import { type ReadPlan, referredBy } from './read-plan.ts';
import type { Tree } from './tree.ts';

interface UnwalkedPart {
  /** An absolute path. */
  readonly file: string;
  /** Why it is not evaluated. */
  readonly part: string;
  /** Whether it holds objects as they are applied. */
  readonly isManifest?: boolean;
}

/**
 * Returns the files of folders that no program renders: templates, files that templates may read, those that a
 * kustomization lists in its own folder, and what it applies of files outside of the named folders, such as a base.
 * @param walked the paths of the files in the named folders that were found
 */
export function unwalkedParts(
  { roots, unrendered, layout }: ReadPlan,
  walked: ReadonlySet<string>,
): readonly UnwalkedPart[] {
  const { tree } = layout;
  const configured = unrendered.flatMap(({ path, release }) => (release ? path : []));
  const isNamed = namedTest([...roots, ...configured]);
  const found = unrendered.flatMap((folder) =>
    folder.type === 'chart' || folder.type === 'library'
      ? filesOfChart(folder, tree).filter(({ file }) => isNamed(file))
      : listedBy(folder),
  );
  const byFile = new Map(found.map((one) => [one.file, one]));
  return [...byFile.values()].filter(({ file }) => !walked.has(file) && tree.typeOf(file) === 'file');

  function listedBy({ path }: SourceFolder): UnwalkedPart[] {
    const isOfNamed = isNamed(path);
    return referredBy(path, layout).flatMap(({ folder, field, target }) => {
      const part = `a kustomization lists it as ${field}`;
      const file = tree.pathOf(target);
      if (isNamed(file)) return isInside(target, folder) ? { file: target, part } : [];
      return isOfNamed && APPLIED.includes(field) ? { file, part, isManifest: field === 'resources' } : [];
    });
  }
}

/** Changes that kustomizations may make to the files that they list. */
interface UnnamedChanges {
  /** The kustomizations, in the named folders. */
  readonly kustomizations: readonly Kustomization[];
  /** The files with resources that may be changed. */
  readonly resources: readonly string[];
}

/** Returns the changes that unrendered kustomizations may make without naming a kind of muster. */
export function unnamedChanges({ roots, unrendered, layout }: ReadPlan): readonly UnnamedChanges[] {
  const { tree } = layout;
  const isNamed = namedTest(roots);
  const files = new Map<string, readonly string[]>();
  /** Kustomizations that list one base share its files, which are looked at once. */
  const fileAt = (target: string) =>
    getOrInsert(files, target, () => {
      const file = tree.pathOf(target);
      return tree.typeOf(file) === 'file' ? [file] : [];
    });
  return unrendered.flatMap(({ type, path }) => {
    if (type === 'chart' || type === 'library') return [];
    const referred = referredBy(path, layout);
    const built = new Set([path, ...referred.map(({ target }) => tree.folderAt(target))]);
    const kustomizations = [...built].flatMap((folder) => {
      const kustomization = layout.kustomizationIn(folder);
      if (kustomization === undefined || !isNamed(folder)) return [];
      if (!kustomization.mayChangeOurs && kustomization.namespace === undefined) return [];
      // A kustomization that names a kind is reported as a part anyway.
      return couldNameOurs(JSON.stringify(kustomization.value)) ? [] : kustomization;
    });
    if (kustomizations.length === 0) return [];
    const resources = referred.flatMap(({ field, target }) => (field === 'resources' ? fileAt(target) : []));
    return { kustomizations, resources };
  });
}

/** Returns a test whether a path lies in one of the folders, whose cost does not grow with their number. */
function namedTest(folders: readonly string[]): (path: string) => boolean {
  const named = new Set(folders);
  const namedAround = upwardSearch((folder) => named.has(folder));
  return (path) => namedAround(path) !== undefined;
}

/**
 * Returns the files that may be in the rendering of a chart. Helm renders every file in `templates/`, whatever its
 * name, and through links; also those of the charts in `charts/`. A template may print any other file by `.Files`.
 */
function filesOfChart({ path, name }: SourceFolder, tree: Tree): UnwalkedPart[] {
  const charts = [path];
  const subchartsIn = folderReader(tree);
  for (const chart of charts) addAll(charts, subchartsIn(join(chart, 'charts')));
  const templates = withAllBelow(
    charts.map((chart) => join(chart, 'templates')),
    tree,
  ).filter((file) => !file.endsWith(NOTES));
  const found = templates.map((file) => ({ file, part: `it is a template of the Helm chart ${name}` }));
  if (!templates.some((file) => readsFiles(file, tree))) return found;
  const entriesIn = folderReader(tree);
  const others = charts.flatMap(entriesIn).filter((entry) => !NO_FILES.test(basename(entry)));
  const part = `a template of the Helm chart ${name} may read it by .Files`;
  return [...withAllBelow(others, tree).map((file) => ({ file, part })), ...found];
}

/** The end of the name of a template that Helm shows to the user, and never applies. */
const NOTES = 'NOTES.txt';

/** Files and folders of a chart that `.Files` does not have, and documentation. */
const NO_FILES = /^(templates|charts|Chart\.(yaml|lock)|requirements\.(yaml|lock)|.*\.md)$/i;

function readsFiles(template: string, tree: Tree): boolean {
  const description = tree.read(template);
  // A template that is too long to read may use it.
  return description !== undefined && ('message' in description || description.text.includes('.Files'));
}

/** Returns the paths and all files and folders below them. A folder that links lead to again is read once. */
function withAllBelow(paths: readonly string[], tree: Tree): string[] {
  const found = [...paths];
  const entriesIn = folderReader(tree);
  for (const entry of found) addAll(found, entriesIn(entry));
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

/** Reports parts of charts and kustomizations that are not evaluated, but may hold or change objects of our kinds. */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addAll, getOrInsert } from '../../base/collections.ts';
import { textAt } from '../../base/json.ts';
import { errorAbout, isInside, pathIn, readText, type TextRead, upwardSearch } from '../../documents/files.ts';
import { couldNameOurs, LINE_BREAK, readManifests, type SourceError } from '../../documents/index.ts';
import { dialectOfObject, evaluatedIn, type InputObject } from '../objects.ts';
import type { Place } from '../place.ts';
import { crdsPart, isAppliedAsIs } from './chart.ts';
import { APPLIED, type Kustomization } from './kustomization.ts';
import type { SourceFolder } from './layout.ts';
import type { ReadPlan } from './read-plan.ts';
import type { Tree } from './tree.ts';

/** Called with each part of a chart or kustomization that names a kind of muster, and is not evaluated. */
export type OnUnevaluated = (part: SourceError & Pick<Place, 'cluster'>) => void;

/** Reports a part that may name a kind of muster. A file that can't be decoded may, too. */
export function reportUnevaluated(read: TextRead, file: string, part: string, report?: OnUnevaluated): void {
  const text = 'text' in read ? read.text : '';
  if (report === undefined || ('text' in read && !couldNameOurs(text))) return;
  const line = text.split(LINE_BREAK).findIndex(couldNameOurs) + 1 || 1;
  report({ file, line, column: 1, message: part });
}

/**
 * Reports the parts of unrendered folders that a walk does not find, since they are not named like manifests or lie
 * outside of the named folders, and changes by kustomizations that name no kind of muster.
 */
export function reportUnwalked(plan: ReadPlan, files: readonly string[], report: OnUnevaluated): void {
  if (plan.unrendered.length === 0) return;
  const { tree } = plan.kustomizations;
  const walked = new Set(files.map((file) => tree.pathOf(file)));
  const held = new Map<string, HeldObjects>();
  /** Several kustomizations may list one file, which is read once. */
  const heldIn = (file: string) => getOrInsert(held, file, () => readOurs(file, tree));
  const parts = new Map(unwalkedParts(plan).map((one) => [one.file, one]));
  for (const { file, part, isManifest } of parts.values()) {
    if (walked.has(file) || tree.typeOf(file) !== 'file') continue;
    const read = readText(file);
    const isEmpty = ({ objects, isUnclear }: HeldObjects) => objects.length === 0 && !isUnclear;
    if (isManifest && 'text' in read && isEmpty(heldIn(file))) continue;
    reportUnevaluated(read, tree.nameOf(file), part, report);
  }
  for (const file of new Set(changingFiles(plan, heldIn)))
    report(errorAbout(tree.nameOf(file), 'it may change objects in the files that it lists'));
}

interface UnwalkedPart {
  readonly file: string;
  /** Why it is not evaluated. */
  readonly part: string;
  /** Whether it holds objects as they are applied. */
  readonly isManifest?: boolean;
}

/**
 * Returns the files of unrendered folders: templates, files that templates may read, `crds/`, those that a
 * kustomization lists in its own folder, and what it applies of files elsewhere, such as a base.
 */
function unwalkedParts({ roots, unrendered, kustomizations }: ReadPlan): UnwalkedPart[] {
  const { tree } = kustomizations;
  const configured = unrendered.flatMap(({ path, release }) => (release ? path : []));
  const isNamed = namedTest([...roots, ...configured]);
  return unrendered.flatMap((one) => {
    if (isOfHelm(one)) return filesOfChart(one, tree).filter(({ file }) => isNamed(file));
    const isOfNamed = isNamed(one.path);
    return kustomizations.referredBy(one.path).flatMap(({ folder, field, target }): UnwalkedPart[] => {
      const part = `a kustomization lists it as ${field}`;
      const file = tree.pathOf(target);
      if (isNamed(file) && isInside(target, folder)) return [{ file: target, part }];
      // Flux lets a kustomization list files outside of its folder.
      return isOfNamed && APPLIED.includes(field) ? [{ file, part, isManifest: field === 'resources' }] : [];
    });
  });
}

/**
 * Returns the files of kustomizations that may change objects without naming a kind of muster: those in the named
 * folders, and what they are built of elsewhere, such as a component.
 */
function changingFiles(
  { roots, unrendered, kustomizations }: ReadPlan,
  heldIn: (file: string) => HeldObjects,
): string[] {
  const { tree } = kustomizations;
  const isNamed = namedTest(roots);
  return unrendered.flatMap((one) => {
    if (isOfHelm(one)) return [];
    const isOfNamed = isNamed(one.path);
    const referred = kustomizations.referredBy(one.path);
    const built = new Set([one.path, ...referred.map(({ target }) => tree.folderAt(target))]);
    const changing = [...built].flatMap((folder) => {
      const kustomization = kustomizations.in(folder);
      if (kustomization === undefined || !(isOfNamed || isNamed(folder))) return [];
      const namesOurs = couldNameOurs(JSON.stringify(kustomization.value));
      // In the named folders, one that names a kind is reported as a part anyway.
      if (namesOurs && isNamed(folder)) return [];
      const mayChangeOurs = kustomization.mayChangeOurs || namesOurs;
      return mayChangeOurs || kustomization.namespace !== undefined ? { ...kustomization, mayChangeOurs } : [];
    });
    if (changing.length === 0) return [];
    const resources = referred.filter(({ field }) => field === 'resources');
    const listed = resources.map(({ target }) => heldIn(tree.pathOf(target)));
    return changing.flatMap((each) => (listed.some((objects) => mayChange(each, objects)) ? each.file : []));
  });
}

function isOfHelm({ type }: SourceFolder): boolean {
  return type === 'chart' || type === 'library';
}

/** The objects of muster's kinds in a manifest. */
interface HeldObjects {
  readonly objects: readonly InputObject[];
  /** Whether a document can't be read, which may hold more of them. */
  readonly isUnclear: boolean;
}

/** Reads the objects of muster's kinds in a manifest; none if it is no file, or can't be read. */
function readOurs(file: string, tree: Tree): HeldObjects {
  const read = tree.typeOf(file) === 'file' ? readText(file) : undefined;
  const batches = read && 'text' in read ? [...readManifests(read.text, file)] : [];
  return {
    objects: batches.flatMap(({ documents }) => documents.flatMap(evaluatedIn)),
    isUnclear: batches.some(({ errors }) => errors.length > 0),
  };
}

/** Returns whether a kustomization may change one of the objects. One that already has its namespace stays as it is. */
function mayChange({ mayChangeOurs, namespace }: Kustomization, { objects, isUnclear }: HeldObjects): boolean {
  const isMoved = ({ object }: InputObject) =>
    dialectOfObject(object)?.scope === 'Namespaced' && textAt(object, ['metadata', 'namespace']) !== namespace;
  return isUnclear || objects.some((one) => mayChangeOurs || isMoved(one));
}

/** Returns a test whether a path lies in one of the folders, whose cost does not grow with their number. */
function namedTest(folders: readonly string[]): (path: string) => boolean {
  const named = new Set(folders);
  const namedAround = upwardSearch((folder) => named.has(folder));
  return (path) => namedAround(path) !== undefined;
}

/**
 * Returns the files that may be in the rendering of a chart. Helm renders every file in `templates/`, whatever its
 * name, and through links; also those of the charts in `charts/`. It applies the manifests in `crds/`, whose extension
 * may be in any case. A template may print any other file by `.Files`.
 */
function filesOfChart({ path, name }: SourceFolder, tree: Tree): UnwalkedPart[] {
  const charts = [path];
  const subchartsIn = folderReader(tree);
  for (const chart of charts) addAll(charts, subchartsIn(join(chart, 'charts')));
  const templates = withAllBelow(
    charts.map((chart) => join(chart, 'templates')),
    tree,
  ).filter((file) => !file.endsWith(NOTES));
  const crds = withAllBelow(
    charts.map((chart) => join(chart, 'crds')),
    tree,
  ).filter((file) => isAppliedAsIs(pathIn(path, file) ?? ''));
  const found = [
    ...crds.map((file) => ({ file: tree.pathOf(file), part: crdsPart(name), isManifest: true })),
    ...templates.map((file) => ({ file, part: `it is a template of the Helm chart ${name}` })),
  ];
  if (!templates.some((file) => readsFiles(file, tree))) return found;
  const entriesIn = folderReader(tree);
  const others = charts.flatMap(entriesIn).filter((entry) => !NO_FILES.test(basename(entry)));
  const part = `a template of the Helm chart ${name} may read it by .Files`;
  return [...found, ...withAllBelow(others, tree).map((file) => ({ file, part }))];
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

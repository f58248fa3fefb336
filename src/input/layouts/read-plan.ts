/** Plans how the files of a run are read: as manifests, not at all, or by rendering their folder. */
import { addAll, getOrInsert } from '../../base/collections.ts';
import { isInside, pathIn } from '../../documents/files.ts';
import type { SourceError } from '../../documents/index.ts';
import { isRenderedPart } from './chart.ts';
import { APPLIED } from './kustomization.ts';
import { type ConfiguredChart, type Layout, layoutOf, type SourceFolder } from './layout.ts';
import type { Tree } from './tree.ts';

/** How one file is read, or a folder rendered. */
export type ReadStep =
  | { readonly as: 'manifests'; readonly file: string }
  /** It is no manifest; `part` says why. */
  | { readonly as: 'part'; readonly file: string; readonly part: string }
  /** It describes a layout: only documents after its first are manifests. `part` says why the first is none. */
  | { readonly as: 'description'; readonly file: string; readonly part: string; readonly isRendered: boolean }
  /**
   * A rendering replaces it; `part` says what it is. Objects that the rendering lacks are reported. If kustomize may
   * have changed the objects (`isChanged`), only those are that it always leaves out.
   */
  | { readonly as: 'rendered'; readonly file: string; readonly part: string; readonly isChanged: boolean }
  | { readonly as: 'rendering'; readonly folder: SourceFolder };

export interface ReadPlan {
  /** The paths of the folders that were named. */
  readonly roots: readonly string[];
  readonly steps: readonly ReadStep[];
  /** Why descriptions can't be read. */
  readonly errors: readonly SourceError[];
  /** Folders that could be rendered, but are not in this run. */
  readonly unrendered: readonly SourceFolder[];
  readonly layout: Layout;
}

/**
 * Plans the reading of files; `-` is standard input. A folder is read where the first file that it replaces would be.
 * @param folders those that were named
 * @param charts rendered as listed here, and not with their default values
 */
export function planReading(
  files: readonly string[],
  folders: readonly string[],
  tree: Tree,
  charts: readonly ConfiguredChart[],
  isRendering: boolean,
): ReadPlan {
  const roots = folders.map(tree.folderAt);
  const onDisk = files.filter((file) => file !== '-');
  const layout = layoutOf(onDisk, roots, tree);
  const configured = charts.map((chart) => configuredFolder(chart, tree));
  const listed = new Set(configured.map(({ path }) => path));
  const isListed = ({ type, path }: SourceFolder) => (type === 'chart' || type === 'library') && listed.has(path);
  const found = [...layout.folders.filter((folder) => !isListed(folder)), ...configured];
  const valuesOf = new Map(configured.flatMap(({ name, release }) => release.values.map(({ path }) => [path, name])));
  const partOf = (file: string) => {
    const chart = valuesOf.get(tree.pathOf(file));
    return chart === undefined ? layout.partOf(file) : `it is values of the Helm chart ${chart}`;
  };
  const rendered = found.filter(({ type }) => isRendering && type !== 'library');
  const waiting = new Set(rendered);
  const { ownersOf, isApplied } = replacing(rendered, layout);
  const steps: ReadStep[] = [];
  const errors: SourceError[] = [];
  for (const file of files) {
    if (file === '-') {
      steps.push({ as: 'manifests', file });
      continue;
    }
    const own = layout.errorsOf(file);
    addAll(errors, own);
    const owners = ownersOf(file);
    for (const folder of owners) if (waiting.delete(folder)) steps.push({ as: 'rendering', folder });
    // A description that can't be read is only an error.
    if (own.length > 0) continue;
    const isRendered = owners.length > 0;
    const part = partOf(file);
    if (part !== undefined && layout.isDescription(file)) steps.push({ as: 'description', file, part, isRendered });
    else if (part !== undefined && !isRendered) steps.push({ as: 'part', file, part });
    else if (isRendered)
      steps.push({ as: 'rendered', file, part: part ?? 'a kustomization lists it', isChanged: isApplied(file) });
    else steps.push({ as: 'manifests', file });
  }
  for (const folder of waiting) steps.push({ as: 'rendering', folder });
  return { roots, steps, errors, unrendered: found.filter((folder) => !rendered.includes(folder)), layout };
}

function configuredFolder({ path, values, namespace, bounds }: ConfiguredChart, tree: Tree) {
  const folder = tree.folderAt(path);
  const files = values.map((file) => ({ path: tree.pathOf(file), name: tree.nameOf(tree.pathOf(file)) }));
  const release = { values: files, namespace, bounds };
  return { type: 'chart', path: folder, name: tree.nameOf(folder), release } as const;
}

/**
 * Returns which renderings replace a file, and whether a kustomization applies its objects or changes others with it.
 */
function replacing(rendered: readonly SourceFolder[], { tree, kustomizations, partOf }: Layout) {
  const byFile = new Map<string, SourceFolder[]>();
  const applied = new Set<string>();
  const add = (file: string, folder: SourceFolder) => {
    const owners = getOrInsert(byFile, file, () => []);
    if (!owners.includes(folder)) owners.push(folder);
  };
  for (const folder of rendered.filter(({ type }) => type !== 'chart')) {
    const referred = kustomizations.referredBy(folder.path);
    // A kustomization replaces no files outside of its folder, which kustomize does not read either.
    for (const { folder: from, field, target } of referred) {
      const file = tree.pathOf(target);
      if (!isInside(file, from)) continue;
      add(file, folder);
      if (APPLIED.includes(field)) applied.add(file);
    }
    for (const from of [folder.path, ...referred.map((one) => one.folder)]) {
      const file = kustomizations.in(from)?.file;
      if (file !== undefined) add(file, folder);
    }
  }
  const charts = rendered.filter(({ type }) => type === 'chart');
  for (const chart of charts) for (const { path } of chart.release?.values ?? []) add(path, chart);
  const isPartOf = (path: string, chart: SourceFolder) => isRenderedPart(pathIn(chart.path, path) ?? '');
  return {
    ownersOf(file: string): readonly SourceFolder[] {
      if (rendered.length === 0) return [];
      const path = tree.pathOf(file);
      const around = charts.filter((chart) => isPartOf(path, chart) && partOf(file) !== undefined);
      return [...(byFile.get(path) ?? []), ...around];
    },
    isApplied: (file: string) => applied.has(tree.pathOf(file)),
  };
}

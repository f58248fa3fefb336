/** Plans how the files of a run are read: as manifests, not at all, or by rendering their folder. */
import { getOrInsert } from '../../base/collections.ts';
import { isInside, pathIn } from '../../documents/files.ts';
import type { SourceError } from '../../documents/index.ts';
import { crdsPart, isAppliedAsIs, isRenderedPart } from './chart.ts';
import { APPLIED } from './kustomization.ts';
import type { Kustomizations } from './kustomizations.ts';
import { type ConfiguredChart, type Layout, layoutOf, type SourceFolder } from './layout.ts';
import type { Tree } from './tree.ts';

/** How one file is read, or a folder rendered. */
export type ReadStep =
  /** If `mayBeTemplate`, it is none if its text has template actions. */
  | { readonly as: 'manifests'; readonly file: string; readonly mayBeTemplate?: boolean }
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
  readonly kustomizations: Kustomizations;
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
  const layout = layoutOf(onDisk.map(tree.pathOf), roots, tree);
  const configured = charts.map((chart) => configuredFolder(chart, tree));
  const listed = new Set(configured.map(({ path }) => path));
  const isListed = ({ type, path }: SourceFolder) => (type === 'chart' || type === 'library') && listed.has(path);
  const found = [...layout.folders.filter((folder) => !isListed(folder)), ...configured];
  const valuesOf = new Map(configured.flatMap(({ name, release }) => release.values.map(({ path }) => [path, name])));
  const rendered = found.filter(({ type }) => isRendering && type !== 'library');
  const waiting = new Set(rendered);
  const { ownersOf, isApplied } = replacing(rendered, layout);
  const stepOf = (file: string, path: string): ReadStep => {
    const owners = ownersOf(path);
    const isRendered = owners.length > 0;
    const chart = valuesOf.get(path);
    const part = chart === undefined ? layout.partOf(path) : `it is values of the Helm chart ${chart}`;
    if (part !== undefined && layout.isDescription(path)) return { as: 'description', file, part, isRendered };
    const [owner] = owners;
    const listed = owner?.type === 'chart' ? crdsPart(owner.name) : 'a kustomization lists it';
    const ofRendering = { file, part: part ?? listed, isChanged: isApplied(path) };
    if (isRendered) return { as: 'rendered', ...ofRendering };
    return part === undefined
      ? { as: 'manifests', file, mayBeTemplate: layout.mayBeTemplate(path) }
      : { as: 'part', file, part };
  };
  const steps: ReadStep[] = [];
  for (const file of files) {
    const path = tree.pathOf(file);
    for (const folder of file === '-' ? [] : ownersOf(path))
      if (waiting.delete(folder)) steps.push({ as: 'rendering', folder });
    // A description that can't be read is only an error.
    if (file === '-') steps.push({ as: 'manifests', file });
    else if (!tree.broken.has(path)) steps.push(stepOf(file, path));
  }
  for (const folder of waiting) steps.push({ as: 'rendering', folder });
  return {
    roots,
    steps,
    errors: onDisk.flatMap((file) => tree.broken.get(tree.pathOf(file)) ?? []),
    unrendered: found.filter((folder) => !rendered.includes(folder)),
    kustomizations: layout.kustomizations,
  };
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
function replacing(rendered: readonly SourceFolder[], { kustomizations, partOf }: Layout) {
  const { tree } = kustomizations;
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
  const isPartOf = (path: string, chart: SourceFolder) => {
    const inside = pathIn(chart.path, path) ?? '';
    return isAppliedAsIs(inside) || (isRenderedPart(inside) && partOf(path) !== undefined);
  };
  return {
    ownersOf(path: string): readonly SourceFolder[] {
      if (rendered.length === 0) return [];
      const around = charts.filter((chart) => isPartOf(path, chart));
      return [...(byFile.get(path) ?? []), ...around];
    },
    isApplied: (path: string) => applied.has(path),
  };
}

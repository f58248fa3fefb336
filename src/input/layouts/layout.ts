/**
 * Recognizes the Helm charts and kustomizations of a repository. Their templates, values and patches are parts, not
 * objects. A resource that a kustomization lists is an object.
 */
import { basename, dirname, join, sep } from 'node:path';
import { isInside, pathIn } from '../../documents/files.ts';
import { CHART_NAME, chartIn, chartPart, isSubchart } from './chart.ts';
import { KUSTOMIZATION_NAMES } from './kustomization.ts';
import { Kustomizations, type LayoutPart } from './kustomizations.ts';
import type { Tree } from './tree.ts';

/** The names of the files that make a folder a chart or a kustomization. */
export const DESCRIPTION_NAMES: readonly string[] = [CHART_NAME, ...KUSTOMIZATION_NAMES];

/** A folder that a program renders: a chart or a kustomization. */
export interface SourceFolder {
  readonly type: 'chart' | 'library' | 'kustomization' | 'component';
  /** The path in the tree. */
  readonly path: string;
  /** As reports show it. */
  readonly name: string;
  /** Set for a folder of a revision: the repository that it was copied from. */
  readonly repository?: string;
  /** How the chart is rendered; undefined: with its default values. */
  readonly release?: HelmRelease;
}

/** What a chart is rendered with. */
interface HelmRelease extends Pick<ConfiguredChart, 'namespace' | 'bounds'> {
  /** Values files, of which later ones win. The names are as reports show them. */
  readonly values: readonly { readonly path: string; readonly name: string }[];
}

/** A chart that is rendered with values of its own. */
export interface ConfiguredChart {
  readonly path: string;
  /** Values files. */
  readonly values: readonly string[];
  readonly namespace: string | undefined;
  /** The real path of the folder in which the chart and its values must be; undefined: anywhere. */
  readonly bounds: string | undefined;
}

/** The charts and kustomizations around files. */
export interface Layout {
  readonly kustomizations: Kustomizations;
  /** Charts and kustomizations that no other of them refers to, by path. */
  readonly folders: readonly SourceFolder[];
  /** Returns why a file is no manifest, such as `it is a template of …`; undefined if it may be one. */
  partOf(path: string): string | undefined;
  /** Returns whether a file describes a chart or a kustomization. Documents after its first one are read as usual. */
  isDescription(path: string): boolean;
  /** Returns whether a file of a chart may have template actions. */
  mayBeTemplate(path: string): boolean;
}

/** The charts that a folder lies in, the nearest first. */
type Charts = readonly { readonly folder: string; readonly type: 'chart' | 'library' }[];

/**
 * Recognizes the layout around files. All paths are those of the tree.
 * @param roots the folders that were named, with everything in them. Of the charts and kustomizations
 * above them in the same repository, only those count that the files are parts of
 */
export function layoutOf(paths: readonly string[], roots: readonly string[], tree: Tree): Layout {
  const around = new Map<string, Charts>();
  const kustomizations = new Kustomizations(tree);
  const isNamed = (folder: string) => roots.some((root) => isInside(folder, root));

  /** Returns the charts around a folder. Folders above the named ones count within the same repository only. */
  function chartsAround(folder: string): Charts {
    const known = around.get(folder);
    if (known !== undefined) return known;
    const type = chartIn(folder, tree);
    kustomizations.follow(folder);
    const parent = dirname(folder);
    const repository = tree.repositoryOf(folder);
    const isTop = parent === folder || repository === folder || (repository === undefined && !isNamed(parent));
    const above = isTop ? [] : chartsAround(parent);
    const charts = type ? [{ folder, type }, ...above] : above;
    around.set(folder, charts);
    return charts;
  }
  function isDescription(path: string): boolean {
    const folder = dirname(path);
    if (basename(path) === CHART_NAME) return chartsAround(folder)[0]?.folder === folder;
    return kustomizations.in(folder)?.file === path;
  }
  function partIn(path: string): LayoutPart | undefined {
    const folder = dirname(path);
    if (kustomizations.resources.has(path)) return undefined;
    if (basename(path) !== CHART_NAME && isDescription(path))
      return { reason: 'it says how to build a kustomization', folder };
    for (const { folder: chart } of chartsAround(folder)) {
      const part = chartPart(pathIn(chart, path) ?? '');
      if (part !== undefined) return { reason: `it is ${part} of the Helm chart ${tree.nameOf(chart)}`, folder: chart };
    }
    return kustomizations.parts.get(path);
  }

  // All kustomizations are read before the parts are determined: one may list a file in the folder of another.
  for (const path of paths) chartsAround(dirname(path));
  const owners = new Set(paths.flatMap((path) => partIn(path)?.folder ?? []));
  const isInRun = (folder: string) => owners.has(folder) || isNamed(folder);
  const folders = [...around.keys()].toSorted().flatMap((path): SourceFolder[] => {
    if (!isInRun(path)) return [];
    const name = tree.nameOf(path);
    const [nearest, next] = around.get(path) ?? [];
    const isChart = nearest?.folder === path && !(next && isSubchart(path, next.folder));
    const kustomization = kustomizations.isReferred(path, isInRun) ? undefined : kustomizations.in(path);
    const types: SourceFolder['type'][] = isChart ? [nearest.type] : [];
    if (kustomization) types.push(kustomization.isComponent ? 'component' : 'kustomization');
    return types.map((type) => ({ type, path, name }));
  });
  return {
    kustomizations,
    folders,
    partOf: (path) => partIn(path)?.reason,
    isDescription,
    mayBeTemplate(path) {
      const [nearest] = chartsAround(dirname(path));
      return nearest !== undefined && !path.startsWith(join(nearest.folder, 'crds', sep));
    },
  };
}

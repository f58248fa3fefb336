/**
 * Recognizes the Helm charts and kustomizations of a repository. Their templates, values and patches are parts, not
 * objects. A resource that a kustomization lists is an object.
 */
import { basename, dirname, join, relative, sep } from 'node:path';
import { isInside } from '../../documents/files.ts';
import type { SourceError } from '../../documents/index.ts';
import { CHART_NAME, type Chart, chartIn, chartPart, isSubchart } from './chart.ts';
import type { Unclear } from './description.ts';
import { KUSTOMIZATION_NAMES, type Kustomization, type KustomizeReference, kustomizationAt } from './kustomization.ts';
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

export interface Layout {
  /** Returns why a file is no manifest, such as `it is a template of …`; undefined if it may be one. */
  partOf(file: string): string | undefined;
  /** Returns whether the text of a file in a chart has template actions. */
  isTemplate(file: string, text: string): boolean;
  /** Charts and kustomizations that no other of them refers to, by path. */
  readonly folders: readonly SourceFolder[];
  /** Returns the kustomization in a folder, also one outside of what was named. */
  kustomizationIn(folder: string): Kustomization | undefined;
  /** Returns whether a file describes a chart or a kustomization. Documents after its first one are read as usual. */
  isDescription(file: string): boolean;
  /** Returns why the description of a layout can't be read; none for any other file. */
  errorsOf(file: string): readonly SourceError[];
  /** Returns the path of a folder in the tree. */
  folderAt(folder: string): string;
}

/** A kustomization whose references are followed. */
interface Visit {
  readonly folder: string;
  /** If the resources that it lists are parts, too: the folder of the kustomization that they are parts of. */
  readonly owner: string | undefined;
}

/** The charts that a folder lies in, the nearest first. */
type Charts = readonly { readonly folder: string; readonly chart: Chart }[];

/**
 * Recognizes the layout around files.
 * @param roots the folders that were named, with everything in them. Of the charts and kustomizations above them in the
 * same repository, only those count that the files are parts of
 */
export function layoutOf(files: readonly string[], roots: readonly string[], tree: Tree): Layout {
  const around = new Map<string, Charts>();
  const kustomizations = new Map<string, Kustomization | undefined>();
  const parts = new Map<string, LayoutPart>();
  const resources = new Set<string>();
  /** By the folder of a kustomization, the folders of those that refer to it. */
  const referrers = new Map<string, Set<string>>();
  const visited = new Set<string>();
  const broken = new Map<string, readonly SourceError[]>();
  const named = roots.map((root) => pathOfFolder(root, tree));
  const isNamed = (folder: string) => named.some((root) => isInside(folder, root));

  function ifClear<T extends object>(read: T | Unclear | undefined): T | undefined {
    if (read === undefined || !('errors' in read)) return read;
    broken.set(read.file, read.errors);
    return undefined;
  }
  function kustomizationIn(folder: string): Kustomization | undefined {
    if (!kustomizations.has(folder)) kustomizations.set(folder, ifClear(kustomizationAt(folder, tree)));
    return kustomizations.get(folder);
  }
  /**
   * Marks the files that the kustomization of a folder refers to, directly or through others: as resources, or as parts
   * if they are never applied by themselves.
   */
  function visit(first: string): void {
    const waiting: Visit[] = [{ folder: first, owner: undefined }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { folder } = next;
      const kustomization = kustomizationIn(folder);
      if (kustomization === undefined) continue;
      const owner = next.owner ?? (kustomization.isComponent ? folder : undefined);
      if (visited.has(`${owner}\n${folder}`)) continue;
      visited.add(`${owner}\n${folder}`);
      for (const reference of kustomization.resources) refer(folder, reference, owner, waiting);
      for (const reference of kustomization.parts) refer(folder, reference, owner ?? folder, waiting);
    }
  }
  /** Returns whether a kustomization is the other one, or refers to it, directly or through others. */
  function refersTo(folder: string, other: string): boolean {
    const seen = new Set([other]);
    for (const one of seen) for (const from of referrers.get(one) ?? []) seen.add(from);
    return seen.has(folder);
  }
  /** Follows a reference. Only files in its folder can be parts of a kustomization, so it hides no other manifests. */
  function refer(folder: string, { field, path }: KustomizeReference, owner: string | undefined, waiting: Visit[]) {
    const target = join(folder, path);
    const inner = pathOfFolder(target, tree);
    if (kustomizationIn(inner) !== undefined) {
      referrers.set(inner, (referrers.get(inner) ?? new Set()).add(folder));
      if (owner === undefined || isInside(inner, owner)) waiting.push({ folder: inner, owner });
      return;
    }
    const file = tree.pathOf(target);
    if (owner === undefined) resources.add(file);
    else if (isInside(file, owner))
      parts.set(file, { reason: `the kustomization in ${tree.nameOf(folder)} lists it as ${field}`, folder });
  }
  /** Returns the charts around a folder. Folders above the named ones count within the same repository only. */
  function chartsAround(folder: string): Charts {
    const known = around.get(folder);
    if (known !== undefined) return known;
    const chart = ifClear(chartIn(folder, tree));
    visit(folder);
    const parent = dirname(folder);
    const repository = tree.repositoryOf(folder);
    const isTop = parent === folder || repository === folder || (repository === undefined && !isNamed(parent));
    const above = isTop ? [] : chartsAround(parent);
    const charts = chart ? [{ folder, chart }, ...above] : above;
    around.set(folder, charts);
    return charts;
  }
  function isDescription(path: string): boolean {
    const folder = dirname(path);
    if (basename(path) === CHART_NAME) return chartsAround(folder)[0]?.folder === folder;
    return kustomizationIn(folder)?.file === path;
  }
  function partIn(path: string): LayoutPart | undefined {
    const folder = dirname(path);
    if (resources.has(path)) return undefined;
    if (basename(path) !== CHART_NAME && isDescription(path))
      return { reason: 'it says how to build a kustomization', folder };
    for (const { folder: chart } of chartsAround(folder)) {
      const part = chartPart(relative(chart, path).split(sep).join('/'));
      if (part !== undefined) return { reason: `it is ${part} of the Helm chart ${tree.nameOf(chart)}`, folder: chart };
    }
    return parts.get(path);
  }

  // All kustomizations are read before the parts are determined: one may list a file in the folder of another.
  for (const folder of new Set(files.map((file) => dirname(file)))) chartsAround(pathOfFolder(folder, tree));
  const isPlain = visited.size === 0 && [...around.values()].every((charts) => charts.length === 0);
  const owners = new Set(isPlain ? [] : files.flatMap((file) => partIn(tree.pathOf(file))?.folder ?? []));
  const isInRun = (folder: string) => owners.has(folder) || isNamed(folder);
  // A kustomization in a cycle counts as not referred to: it is rendered, and the program reports the cycle.
  const isReferred = (folder: string) =>
    [...(referrers.get(folder) ?? [])].some((from) => isInRun(from) && !refersTo(folder, from));
  const folders = [...around.keys()].toSorted().flatMap((path): SourceFolder[] => {
    if (!isInRun(path)) return [];
    const name = tree.nameOf(path);
    const [nearest, next] = around.get(path) ?? [];
    const isChart = nearest?.folder === path && !(next && isSubchart(path, next.folder));
    const kustomization = isReferred(path) ? undefined : kustomizationIn(path);
    return [
      ...(isChart ? [{ type: nearest.chart.isLibrary ? 'library' : 'chart', path, name } as const] : []),
      ...(kustomization
        ? [{ type: kustomization.isComponent ? 'component' : 'kustomization', path, name } as const]
        : []),
    ];
  });
  return {
    partOf: (file) => (isPlain ? undefined : partIn(tree.pathOf(file))?.reason),
    isTemplate: (file, text) => {
      if (isPlain || !text.includes('{{')) return false;
      const path = tree.pathOf(file);
      const [nearest] = chartsAround(dirname(path));
      return nearest !== undefined && !path.startsWith(join(nearest.folder, 'crds', sep));
    },
    folders,
    kustomizationIn,
    isDescription: (file) => !isPlain && isDescription(tree.pathOf(file)),
    errorsOf: (file) => (broken.size === 0 ? [] : (broken.get(tree.pathOf(file)) ?? [])),
    folderAt: (folder) => pathOfFolder(folder, tree),
  };
}

/** Why a file is no manifest, and the folder of the chart or kustomization that it is a part of. */
interface LayoutPart {
  readonly reason: string;
  readonly folder: string;
}

function pathOfFolder(folder: string, tree: Tree): string {
  return dirname(tree.pathOf(join(folder, 'file')));
}

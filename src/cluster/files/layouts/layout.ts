/**
 * Recognizes what a repository holds besides manifests: Helm charts and kustomizations. Their templates, values and patches are
 * parts, not objects. What a kustomization lists as a resource is an object in its own right.
 */
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Chart, chartIn, chartPart, isSubchart } from './chart.ts';
import {
  KUSTOMIZATION_NAMES,
  type Kustomization,
  type KustomizeReference,
  readKustomization,
} from './kustomization.ts';
import type { Tree } from './tree.ts';

/** A folder whose objects a program makes of its files. */
export interface SourceFolder {
  readonly type: 'chart' | 'library' | 'kustomization' | 'component';
  /** In the form of the tree. */
  readonly path: string;
  /** As reports show it. */
  readonly name: string;
  /** The repository that it was copied from. */
  readonly repository?: string;
}

export interface Layout {
  /** Returns why a file is not to be evaluated, as the end of a sentence; undefined if it may be a manifest. */
  partOf(file: string): string | undefined;
  /** Returns whether the text of a file in a chart has template actions. */
  isTemplate(file: string, text: string): boolean;
  /** Charts and kustomizations that no other of them refers to, by path. */
  readonly folders: readonly SourceFolder[];
  /** Returns the kustomization in a folder, also one outside of what was named. */
  kustomizationIn(folder: string): Kustomization | undefined;
  /** Returns whether a path of the tree is such a file itself. */
  isKustomization(path: string): boolean;
}

interface Visit {
  readonly folder: string;
  readonly isPart: boolean;
}

/** The charts that a folder lies in, the nearest first. */
type Charts = readonly { readonly folder: string; readonly chart: Chart }[];

/**
 * Recognizes the layout around files.
 * @param roots the folders that were named: all in them belongs to the run; of what lies above them in the same
 * repository, only what the files are parts of
 */
export function layoutOf(files: readonly string[], roots: readonly string[], tree: Tree): Layout {
  const named = roots.map((root) => pathOfFolder(root, tree));
  const around = new Map<string, Charts>();
  const kustomizations = new Map<string, Kustomization | undefined>();
  const parts = new Map<string, { readonly reason: string; readonly folder: string }>();
  const resources = new Set<string>();
  /** Kustomizations that others refer to. */
  const referred = new Set<string>();
  const visited = new Set<string>();

  function kustomizationIn(folder: string): Kustomization | undefined {
    if (!kustomizations.has(folder)) kustomizations.set(folder, readFolder(folder, tree));
    return kustomizations.get(folder);
  }
  /** Marks what the kustomization of a folder refers to, also through others; as parts, if nothing of it is applied by itself. */
  function visit(first: string): void {
    const waiting: Visit[] = [{ folder: first, isPart: false }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { folder, isPart } = next;
      const kustomization = kustomizationIn(folder);
      if (kustomization === undefined || visited.has(`${isPart} ${folder}`)) continue;
      visited.add(`${isPart} ${folder}`);
      const asParts = isPart || kustomization.isComponent;
      for (const reference of kustomization.resources) refer(folder, reference, asParts, waiting);
      for (const reference of kustomization.parts) refer(folder, reference, true, waiting);
    }
  }
  function refer(folder: string, { field, path }: KustomizeReference, isPart: boolean, waiting: Visit[]): void {
    const target = join(folder, path);
    if (kustomizationIn(target) !== undefined) {
      referred.add(target);
      waiting.push({ folder: target, isPart });
    } else if (!isPart) resources.add(tree.pathOf(target));
    else
      parts.set(tree.pathOf(target), {
        reason: `the kustomization in ${tree.nameOf(folder)} lists it as ${field}`,
        folder,
      });
  }
  function chartsAround(folder: string): Charts {
    const known = around.get(folder);
    if (known !== undefined) return known;
    if (!tree.isInRepository(folder) && !named.some((root) => isWithin(root, folder))) return [];
    const chart = chartIn(folder, tree);
    visit(folder);
    const parent = dirname(folder);
    const above = parent === folder || tree.isTop(folder) ? [] : chartsAround(parent);
    const charts = chart ? [{ folder, chart }, ...above] : above;
    around.set(folder, charts);
    return charts;
  }
  function isKustomization(path: string): boolean {
    return KUSTOMIZATION_NAMES.includes(basename(path)) && kustomizationIn(dirname(path)) !== undefined;
  }
  function partIn(path: string): { readonly reason: string; readonly folder: string } | undefined {
    const folder = dirname(path);
    if (resources.has(path)) return undefined;
    if (isKustomization(path)) return { reason: 'it says how to build a kustomization', folder };
    for (const { folder: chart } of chartsAround(folder)) {
      const part = chartPart(relative(chart, path).split(sep).join('/'));
      if (part !== undefined) return { reason: `it is ${part} of the Helm chart ${tree.nameOf(chart)}`, folder: chart };
    }
    return parts.get(path);
  }

  // First all kustomizations, then their parts: one may list a file in the folder of another.
  for (const folder of new Set(files.map((file) => dirname(file)))) chartsAround(pathOfFolder(folder, tree));
  const isPlain = visited.size === 0 && [...around.values()].every((charts) => charts.length === 0);
  const owners = new Set(isPlain ? [] : files.flatMap((file) => partIn(tree.pathOf(file))?.folder ?? []));
  const isInRun = (folder: string) => owners.has(folder) || named.some((root) => isWithin(root, folder));
  const folders = [...around.keys()].toSorted().flatMap((path): SourceFolder[] => {
    if (!isInRun(path)) return [];
    const name = tree.nameOf(path);
    const [nearest, next] = around.get(path) ?? [];
    const isChart = nearest?.folder === path && !(next && isSubchart(path, next.folder));
    const kustomization = referred.has(path) ? undefined : kustomizationIn(path);
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
    isKustomization,
  };
}

function readFolder(folder: string, tree: Tree): Kustomization | undefined {
  const name = KUSTOMIZATION_NAMES.find((one) => tree.hasFile(join(folder, one)));
  const text = name === undefined ? undefined : tree.read(join(folder, name));
  return text === undefined ? undefined : readKustomization(text);
}

function pathOfFolder(folder: string, tree: Tree): string {
  return dirname(tree.pathOf(join(folder, 'file')));
}

/** Returns whether a path is a folder or lies in it. */
export function isWithin(root: string, folder: string): boolean {
  return folder === root || folder.startsWith(root.endsWith(sep) ? root : root + sep);
}

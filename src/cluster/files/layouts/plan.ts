/** Plans how the files of a run are read: as manifests, not at all, or by rendering the folder that they are parts of. */
import { join } from 'node:path';
import { KUSTOMIZATION_NAMES } from './kustomization.ts';
import { isWithin, type Layout, layoutOf, type SourceFolder } from './layout.ts';
import type { Tree } from './tree.ts';

/** A file to read, a file that is no manifest, or a folder to render. */
export type Step = { readonly file: string; readonly part?: string } | { readonly folder: SourceFolder };

export interface Plan {
  readonly steps: readonly Step[];
  /** Files that are not read as manifests. */
  readonly leftOut: readonly string[];
  /** Folders that a program could render, and none does in this run. */
  readonly unrendered: readonly SourceFolder[];
  readonly layout: Layout;
}

/** A file or folder that a kustomization refers to. */
export interface Referred {
  /** The folder of the kustomization. */
  readonly folder: string;
  readonly field: string;
  /** As it is written. */
  readonly path: string;
  /** Where it is in the tree, if it is a path at all. */
  readonly target: string;
}

/**
 * Plans the reading of files; `-` is standard input. A folder is read where the first file that it replaces would be.
 * @param roots the folders that were named
 */
export function planOf(files: readonly string[], roots: readonly string[], tree: Tree, isRendering: boolean): Plan {
  const layout = layoutOf(
    files.filter((file) => file !== '-'),
    roots,
    tree,
  );
  const { folders, partOf } = layout;
  const rendered = folders.filter(({ type }) => isRendering && (type === 'chart' || type === 'kustomization'));
  const waiting = new Set(rendered);
  const ownersOf = replacing(rendered, layout, tree);
  const steps: Step[] = [];
  const leftOut: string[] = [];
  for (const file of files) {
    if (file === '-') {
      steps.push({ file });
      continue;
    }
    const owners = ownersOf(file);
    for (const folder of owners) if (waiting.delete(folder)) steps.push({ folder });
    const part = owners.length > 0 ? undefined : partOf(file);
    if (owners.length > 0 || part !== undefined) leftOut.push(file);
    if (owners.length === 0) steps.push(part === undefined ? { file } : { file, part });
  }
  for (const folder of waiting) steps.push({ folder });
  return { steps, leftOut, unrendered: folders.filter((folder) => !rendered.includes(folder)), layout };
}

/** Returns all that the kustomization of a folder refers to, also through other kustomizations. */
export function referredBy(folder: string, layout: Layout): Referred[] {
  const found: Referred[] = [];
  const seen = new Set<string>();
  const waiting = [folder];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const kustomization = layout.kustomizationIn(from);
    if (kustomization === undefined || seen.has(from)) continue;
    seen.add(from);
    for (const { field, path } of [...kustomization.resources, ...kustomization.parts]) {
      const target = join(from, path);
      found.push({ folder: from, field, path, target });
      waiting.push(target);
    }
  }
  return found;
}

const NOBODY: readonly SourceFolder[] = [];

/** Returns which renderings have the objects of a file, or parts of them. */
function replacing(rendered: readonly SourceFolder[], layout: Layout, tree: Tree) {
  const byFile = new Map<string, SourceFolder[]>();
  const add = (file: string, folder: SourceFolder) => {
    const owners = byFile.get(file) ?? [];
    byFile.set(file, owners);
    if (!owners.includes(folder)) owners.push(folder);
  };
  for (const folder of rendered.filter(({ type }) => type === 'kustomization')) {
    const referred = referredBy(folder.path, layout);
    for (const { target } of referred) add(tree.pathOf(target), folder);
    for (const at of [folder.path, ...referred.map((one) => one.folder)])
      for (const name of KUSTOMIZATION_NAMES) add(join(at, name), folder);
  }
  const charts = rendered.filter(({ type }) => type === 'chart');
  return (file: string): readonly SourceFolder[] => {
    if (rendered.length === 0) return NOBODY;
    const path = tree.pathOf(file);
    const around = charts.filter((chart) => isWithin(chart.path, path) && layout.partOf(file) !== undefined);
    return [...(byFile.get(path) ?? NOBODY), ...around];
  };
}

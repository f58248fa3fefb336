/** Plans how the files of a run are read: as manifests, not at all, or by rendering the folder that they are parts of. */
import { dirname, join, sep } from 'node:path';
import { type Layout, layoutOf, type SourceFolder } from './layout.ts';
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
  const waiting = new Map(rendered.map((folder) => [folder, replacedBy(folder, layout, tree)]));
  const replacing = [...waiting];
  const steps: Step[] = [];
  const leftOut: string[] = [];
  for (const file of files) {
    if (file === '-') {
      steps.push({ file });
      continue;
    }
    const owners = replacing.filter(([, replaces]) => replaces(file));
    for (const [folder] of owners) if (waiting.delete(folder)) steps.push({ folder });
    const part = owners.length > 0 ? undefined : partOf(file);
    if (owners.length > 0 || part !== undefined) leftOut.push(file);
    if (owners.length === 0) steps.push(part === undefined ? { file } : { file, part });
  }
  for (const folder of waiting.keys()) steps.push({ folder });
  return { steps, leftOut, unrendered: folders.filter((folder) => !rendered.includes(folder)), layout };
}

/** Returns all that the kustomization of a folder refers to, also through other kustomizations. */
export function referredBy(folder: string, layout: Layout): Referred[] {
  const found: Referred[] = [];
  const seen = new Set<string>();
  const visit = (from: string) => {
    const kustomization = layout.kustomizationIn(from);
    if (kustomization === undefined || seen.has(from)) return;
    seen.add(from);
    for (const { field, path } of [...kustomization.resources, ...kustomization.parts]) {
      const target = join(from, path);
      found.push({ folder: from, field, path, target });
      visit(target);
    }
  };
  visit(folder);
  return found;
}

/** Returns a test for the files whose objects, or parts of them, the rendering of a folder has. */
function replacedBy({ type, path }: SourceFolder, layout: Layout, tree: Tree): (file: string) => boolean {
  if (type === 'chart') {
    const inside = path.endsWith(sep) ? path : path + sep;
    return (file) => tree.pathOf(file).startsWith(inside) && layout.partOf(file) !== undefined;
  }
  const referred = referredBy(path, layout);
  const folders = new Set([path, ...referred.map(({ folder }) => folder)]);
  const files = new Set(referred.map(({ target }) => tree.pathOf(target)));
  return (file) => {
    const at = tree.pathOf(file);
    return files.has(at) || (folders.has(dirname(at)) && layout.isKustomization(at));
  };
}

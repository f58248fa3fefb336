/** Tells which objects of the working tree keep those of the revision: nothing deletes them. */
import { dirname, join } from 'node:path';
import { isFolder, isInside, upwardSearch } from '../../documents/paths.ts';
import { chartIn } from '../layouts/chart.ts';
import { kustomizationAt } from '../layouts/kustomization.ts';
import { workingTree } from '../layouts/tree.ts';
import type { InputObject } from '../objects.ts';
import type { Checkout } from './checkout.ts';
import type { RevisionFiles } from './revision-files.ts';

/**
 * Returns whether an object keeps that of the revision. An object that came of a rendering there is gone where only a
 * file in or below the folder of a chart or a kustomization is left of it: nobody applies that file by itself.
 * @param top the real path of the working tree
 */
export function keeping(
  top: string,
  checkout: Checkout,
  files: RevisionFiles,
): (now: InputObject, before: InputObject) => boolean {
  const tree = workingTree(top, [top]);
  const builtFolder = upwardSearch(
    (folder) => isInside(folder, top) && (kustomizationAt(folder, tree) ?? chartIn(folder, tree)) !== undefined,
  );
  return (now, before) => {
    // The source of a rendering is its folder.
    if (!isFolder(join(checkout.folder, files.pathOf(before.source))) || isFolder(now.source)) return true;
    return builtFolder(dirname(tree.pathOf(now.source))) === undefined;
  };
}

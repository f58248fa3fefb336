/** Finds the parts of charts and kustomizations that a walk does not find, for their names are not those of manifests. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, type SourceFolder } from './layout.ts';
import { type Plan, referredBy } from './plan.ts';

export interface UnwalkedPart {
  /** An absolute path. */
  readonly file: string;
  /** Why it is no manifest. */
  readonly part: string;
}

/**
 * Returns the files of folders that no program renders: templates, and what a kustomization lists in its own folder.
 * @param roots the folders that were named; charts of the configuration are, too
 * @param walked the paths of the files in them that were found
 */
export function unwalkedParts(
  { unrendered, layout }: Plan,
  roots: readonly string[],
  walked: ReadonlySet<string>,
): readonly UnwalkedPart[] {
  const configured = unrendered.flatMap(({ path, release }) => (release ? path : []));
  const named = [...roots.map((root) => layout.folderAt(root)), ...configured];
  const found = unrendered.flatMap((folder) =>
    folder.type === 'chart' || folder.type === 'library' ? templatesOf(folder) : listedBy(folder),
  );
  const byFile = new Map(found.map((one) => [one.file, one]));
  return [...byFile.values()].filter(({ file }) => !walked.has(file) && named.some((root) => isWithin(root, file)));

  function listedBy({ path }: SourceFolder): UnwalkedPart[] {
    return referredBy(path, layout).flatMap(({ folder, field, target }) => {
      const part = `a kustomization lists it as ${field}`;
      return isWithin(folder, target) && isFile(target) ? { file: target, part } : [];
    });
  }
}

/** Helm renders every file of the folder, whatever its name. */
function templatesOf({ path, name }: SourceFolder): UnwalkedPart[] {
  const folder = join(path, 'templates');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ file: join(entry.parentPath, entry.name), part: `it is a template of the Helm chart ${name}` }));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

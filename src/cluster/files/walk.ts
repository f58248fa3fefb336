/**
 * Finds the files of paths: a file itself, and in a folder all `.yaml`, `.yml`, `.json` and `Kustomization`, by name. Links to folders are not followed;
 * links to files only inside of the named paths, so that a foreign manifest can't make a check read the rest of the machine.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { reasonOf } from '../../documents/bytes.ts';

/** Finds the files, in order, each once, and which paths are folders; `-` is standard input. Never throws. */
export function filesUnder(paths: readonly string[]) {
  /** By where they are without links. */
  const files = new Map<string, string>();
  const problems: { path: string; message: string }[] = [];
  const roots = paths.flatMap(realPath);
  const folders: string[] = [];

  function add(path: string, real: string): void {
    if (!files.has(real)) files.set(real, path);
  }
  function attempt(path: string, visit: () => void): void {
    try {
      visit();
    } catch (error) {
      problems.push({ path, message: `can't read it: ${reasonOf(error)}` });
    }
  }
  function visitFolder(folder: string, realFolder: string): void {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      attempt(path, () => visitEntry(entry, path, join(realFolder, entry.name)));
    }
  }
  function visitEntry(entry: Dirent, path: string, realPlace: string): void {
    if (entry.isDirectory() && !SKIPPED.test(entry.name)) visitFolder(path, realPlace);
    if (entry.isDirectory() || !isManifest(entry.name)) return;
    if (entry.isFile()) add(path, realPlace);
    else visitOther(path);
  }
  function visitOther(path: string): void {
    const stat = statSync(path);
    if (stat.isDirectory()) return;
    const real = realpathSync(path);
    if (!roots.some((root) => isInside(real, root)))
      problems.push({ path, message: 'is a link to outside of what was named: name its target too, or remove it' });
    else if (stat.isFile()) add(path, real);
    else problems.push({ path, message: 'is neither a file nor a folder' });
  }

  for (const path of paths) {
    attempt(path, () => {
      if (path !== '-' && statSync(path).isDirectory()) {
        folders.push(path);
        visitFolder(path, realpathSync(path));
      } else add(path, path === '-' ? path : (realPath(path)[0] ?? path));
    });
  }
  return { files: [...files.values()], folders, problems };
}

/** Whether a walk of a folder would find the file at a path in it, written with `/`. */
export function isManifestPath(path: string): boolean {
  const [name = '', ...folders] = path.split('/').reverse();
  return isManifest(name) && !folders.some((folder) => SKIPPED.test(folder));
}

/** No manifests of the user: version control, installed packages, and the folders that a mounted ConfigMap swaps (`..data`). */
const SKIPPED = /^(\.git|node_modules|\.\..*)$/;

function isManifest(name: string): boolean {
  return /\.(yaml|yml|json)$|^Kustomization$/.test(name);
}

/** Empty where the path does not resolve (a pipe of the shell's, or nothing at all). */
function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** Returns whether a path is a folder or lies in it; both without links. */
export function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Which files the named paths stand for. A named path is taken as it is. In a folder: `.yaml`, `.yml` and `.json`, by name;
 * links to folders are not followed (their targets, where inside, are met on their own), links to files only where they
 * stay inside of what was named: a manifest from a stranger must not make a check read the rest of the machine.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { reasonOf } from './bytes.ts';

export interface Walk {
  /** In the order given, each once; `-` stands for standard input. */
  readonly files: readonly string[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Finds the files. Never throws. */
export function filesUnder(paths: readonly string[]): Walk {
  const walk: Walking = { files: [], problems: [], seen: new Set(), roots: paths.flatMap(realPath) };
  for (const path of paths) visitNamed(path, walk);
  return walk;
}

/** Whether a walk of a folder would read the file at a path in it, written with `/`. */
export function isManifestPath(path: string): boolean {
  const [name = '', ...folders] = path.split('/').reverse();
  return isManifest(name) && !folders.some((folder) => SKIPPED.test(folder));
}

function isManifest(name: string): boolean {
  return EXTENSIONS.some((extension) => name.endsWith(extension));
}

interface Walking {
  readonly files: string[];
  readonly problems: { path: string; message: string }[];
  /** Real paths of what was met. */
  readonly seen: Set<string>;
  readonly roots: readonly string[];
}

const EXTENSIONS = ['.yaml', '.yml', '.json'];
/** Not the user's manifests: version control, installed packages, and the folders a mounted ConfigMap swaps (`..data`). */
const SKIPPED = /^(\.git|node_modules|\.\..*)$/;

function visitNamed(path: string, walk: Walking): void {
  try {
    if (path === '-') addFile(path, path, walk);
    else if (statSync(path).isDirectory()) visitFolder(path, walk);
    else addFile(path, realPath(path)[0] ?? path, walk);
  } catch (error) {
    walk.problems.push({ path, message: `can't read it: ${reasonOf(error)}` });
  }
}

function visitFolder(folder: string, walk: Walking): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    try {
      visitEntry(entry, path, walk);
    } catch (error) {
      walk.problems.push({ path, message: `can't read it: ${reasonOf(error)}` });
    }
  }
}

function visitEntry(entry: Dirent, path: string, walk: Walking): void {
  if (entry.isDirectory()) {
    if (!SKIPPED.test(entry.name)) visitFolder(path, walk);
    return;
  }
  if (!isManifest(entry.name)) return;
  const stat = statSync(path);
  if (stat.isDirectory()) return;
  const real = realpathSync(path);
  if (!walk.roots.some((root) => isInside(real, root))) {
    walk.problems.push({ path, message: 'is a link to outside of what was named: name its target too, or remove it' });
  } else if (stat.isFile()) addFile(path, real, walk);
  else walk.problems.push({ path, message: 'is neither a file nor a folder' });
}

function addFile(path: string, real: string, walk: Walking): void {
  if (walk.seen.has(real)) return;
  walk.seen.add(real);
  walk.files.push(path);
}

/** None where the path does not resolve (a pipe of the shell's, or nothing at all). */
function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

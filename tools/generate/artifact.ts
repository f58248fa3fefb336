/** Compares the files that `npm run generate` makes with those of the checkout, and writes them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Artifact {
  /** From the root of the checkout, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Difference {
  readonly path: string;
  readonly state: 'missing' | 'stale' | 'extra';
}

/** Folders with generated files only. */
const OWNED: readonly string[] = ['docs/rules', 'docs/public/schemas'];
/** Folders with generated files, which have the mark below, and files written by hand. */
const SHARED: readonly string[] = ['docs/reference', 'manifests', 'charts/kube-muster/files'];
const MARK = 'by `npm run generate`. Do not edit.';

/** Returns the files that have to change so that the checkout has exactly these artifacts. */
export function differences(root: string, artifacts: readonly Artifact[]): readonly Difference[] {
  const found = artifacts.flatMap(({ path, text }): Difference[] => {
    const current = readIfThere(join(root, path));
    return current === text ? [] : [{ path, state: current === undefined ? 'missing' : 'stale' }];
  });
  const wanted = new Set(artifacts.map(({ path }) => path));
  const marked = SHARED.flatMap((folder) => filesIn(root, folder)).filter((path) =>
    readFileSync(join(root, path), 'utf8').includes(MARK),
  );
  const owned = OWNED.flatMap((folder) => filesIn(root, folder));
  const extra = [...owned, ...marked].filter((path) => !wanted.has(path));
  return [...found, ...extra.map((path) => ({ path, state: 'extra' as const }))];
}

/** Writes the artifacts, and removes generated files that are not among them. Returns what changed. */
export function writeArtifacts(root: string, artifacts: readonly Artifact[]): readonly Difference[] {
  const changes = differences(root, artifacts);
  const texts = new Map(artifacts.map(({ path, text }) => [path, text]));
  for (const { path, state } of changes) {
    const file = join(root, path);
    if (state === 'extra') rmSync(file);
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, texts.get(path) ?? '');
    }
  }
  return changes;
}

/** Returns the text of a file, or undefined if there is none. */
export function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Returns a document with another content between the lines `begin` and `end`. @throws Error if it lacks them */
export function withContent(document: string, text: string, [begin, end]: readonly [string, string], content: string) {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`${document} has no place for its tables: add the lines "${begin}" and "${end}"`);
  return `${text.slice(0, from)}${begin}\n\n${content}\n\n${text.slice(to)}`;
}

/** Returns the files in and below a folder, sorted, as paths from the root; none if there is no folder. */
export function filesIn(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((file) => relative(root, file).replaceAll('\\', '/')).sort();
}

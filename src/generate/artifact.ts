/** The files that `npm run generate` writes, and how they differ from those of the checkout. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Artifact {
  /** From the root of the checkout, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Difference {
  readonly path: string;
  readonly state: 'missing' | 'stale' | 'extra';
}

/** Folders that contain generated files alone. */
export const OWNED: readonly string[] = [
  'manifests/crds',
  'manifests/base',
  ...['cert-manager', 'first-rollout', 'ha', 'scan', 'url'].map((overlay) => `manifests/overlays/${overlay}`),
  'manifests/policies',
  'docs/rules',
];

/** What would have to change for the checkout to hold exactly these artifacts. */
export function differences(root: string, artifacts: readonly Artifact[]): readonly Difference[] {
  const found: Difference[] = [];
  for (const { path, text } of artifacts) {
    const current = readIfThere(join(root, path));
    if (current === undefined) found.push({ path, state: 'missing' });
    else if (current !== text) found.push({ path, state: 'stale' });
  }
  const wanted = new Set(artifacts.map(({ path }) => path));
  const standing = OWNED.flatMap((folder) => filesIn(root, folder));
  return [...found, ...standing.filter((path) => !wanted.has(path)).map((path) => ({ path, state: 'extra' as const }))];
}

/** Makes the checkout hold exactly these artifacts; answers what changed. */
export function write(root: string, artifacts: readonly Artifact[]): readonly Difference[] {
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

/** The text of a file, or undefined where there is none. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The files of a folder (not of those below it), sorted, as paths from the root; none where there is no folder. */
export function filesIn(root: string, folder: string): readonly string[] {
  try {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    return files.sort().map((name) => `${folder}/${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

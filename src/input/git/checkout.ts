/** Writes files of a revision into a private folder, as git stores them, where they are read like any other files. */
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { escapeControls } from '../../base/text.ts';
import { ancestorsOf, pathIn } from '../../documents/files.ts';
import { isManifestPath } from '../walk.ts';
import { GitError, gitOutput, parts } from './process.ts';
import type { Repository } from './repository.ts';
import type { RevisionFile } from './revision-files.ts';

export interface Checkout {
  /** Without links. */
  readonly folder: string;
  /** Writes files that are not written yet. @throws GitError for a content that is missing, or if the disk is full */
  write(files: readonly RevisionFile[]): Promise<void>;
  /** Returns the path of a file in the folder within the repository, with `/`. */
  pathOf(file: string): string;
}

/** Opens the checkout of the revision. Nothing is written yet. */
export async function openCheckout(repository: Repository): Promise<Checkout> {
  const { git, commit } = repository;
  const { checkout } = git;
  const written = new Set<RevisionFile>();
  await gitOutput(checkout, ['read-tree', commit]);
  return {
    folder: checkout.folder,
    async write(files) {
      const missing = new Set(files.filter((file) => !written.has(file)));
      if (missing.size === 0) return;
      for (const file of missing) written.add(file);
      await refuseReencoded(repository, [...missing]);
      const list = [...missing].map(({ bytes }) => `${bytes}\0`).join('');
      const args = ['checkout-index', `--prefix=${checkout.folder}/`, '-z', '--stdin'];
      await gitOutput(checkout, args, Buffer.from(list, 'latin1'));
    },
    pathOf: (file) => pathIn(checkout.folder, file) ?? file,
  };
}

/**
 * Refuses manifests that git checks out in another encoding than it stores. The characters in the working tree then
 * differ from those that are read of the revision, so an object there could be a comment here.
 * @throws GitError
 */
async function refuseReencoded({ git, ref }: Repository, files: readonly RevisionFile[]): Promise<void> {
  const paths = files.filter(({ kind, path }) => kind === 'file' && isManifestPath(path));
  if (paths.length === 0) return;
  // The attributes are those of the revision, since its index is used.
  const context = { ...git, env: { ...git.env, GIT_INDEX_FILE: git.checkout.env['GIT_INDEX_FILE'] } };
  const input = Buffer.from(paths.map(({ bytes }) => `${bytes}\0`).join(''), 'latin1');
  const found = parts(await gitOutput(context, ['check-attr', '--cached', '-z', '--stdin', ENCODING], input));
  // Three for each file: its path, the attribute, the value.
  for (let at = 0; at + 2 < found.length; at += 3) {
    if (found[at + 2] === 'unspecified' || found[at + 2] === 'unset') continue;
    const file = escapeControls(`${ref}:${found[at]}`);
    throw new GitError(`.gitattributes says a ${ENCODING} for ${file}: store manifests as UTF-8, without it`);
  }
}

const ENCODING = 'working-tree-encoding';

/** The symbolic links of a revision. */
export interface Links {
  /** The files to which links lead that are named like manifests. */
  readonly targets: readonly RevisionFile[];
  /** Returns where a path within the repository leads through links; undefined if it leads out of the repository. */
  resolve(path: string): string | undefined;
  /** Returns the first link within a path of the revision; undefined if it has none. */
  linkIn(path: string): string | undefined;
}

/** Writes the links of the revision, and reads where they lead. */
export async function linksOf(checkout: Checkout, all: readonly RevisionFile[]): Promise<Links> {
  // A path that is not UTF-8 can't be named, so it is not read.
  const links = all.filter(({ kind, path }) => kind === 'link' && !path.includes('\ufffd'));
  await checkout.write(links);
  const targets = new Map(links.map(({ path }) => [path, readlinkSync(join(checkout.folder, path))]));
  const wanted = new Set(links.flatMap(({ path }) => (isManifestPath(path) ? (targetOf(path, targets) ?? []) : [])));
  return {
    targets: all.filter(({ path }) => wanted.has(path)),
    resolve: (path) => targetOf(path, targets),
    linkIn: (path) => ancestorsOf(path).findLast((at) => targets.has(at)),
  };
}

/** The most links that may follow one another, as on Linux. */
const MOST_LINKS = 40;

/** Returns where a path leads within the repository, through links; undefined if it leads out of it. */
function targetOf(path: string, targets: ReadonlyMap<string, string>): string | undefined {
  const waiting = path.split('/').reverse();
  const found: string[] = [];
  let count = 0;
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (found.pop() === undefined) return undefined;
      continue;
    }
    const target = targets.get([...found, name].join('/'));
    if (target === undefined) found.push(name);
    else if (target.startsWith('/') || ++count > MOST_LINKS) return undefined;
    else waiting.push(...target.split('/').reverse());
  }
  return found.join('/');
}

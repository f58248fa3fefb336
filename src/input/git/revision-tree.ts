/**
 * The files of a revision: which it has, which differ in the working tree, and where paths led. Those that are needed
 * are written into a private folder, as git stores them, and read there like any other files. A path at the revision is
 * within the repository, with `/`; `''` is its top.
 */
import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { escapeControls } from '../../base/text.ts';
import { ancestorsOf, isThere, pathIn, upwardSearch } from '../../documents/files.ts';
import { DESCRIPTION_NAMES } from '../layouts/layout.ts';
import type { ProgramContext } from '../run-program.ts';
import { isManifestPath } from '../walk.ts';
import { GitError, gitOutput, parts } from './process.ts';
import { pathWithin, type Repository } from './repository.ts';

export interface RevisionFile {
  /** Bytes that are not UTF-8 are U+FFFD, as in names of the file system. */
  readonly path: string;
  /** The path as git has it: each character is a byte. */
  readonly bytes: string;
  /** `link` is a symbolic link, `module` a submodule. */
  readonly kind: 'file' | 'link' | 'module';
}

export class RevisionTree {
  readonly repository: Repository;
  readonly files: readonly RevisionFile[];
  /** The paths that differ between the revision and the working tree. Untracked files are not among them. */
  readonly changes: ReadonlySet<string>;
  /** The private folder, without links. */
  readonly folder: string;
  readonly #paths: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;
  /** The targets of links, by their paths. */
  readonly #links = new Map<string, string>();
  readonly #written = new Set<RevisionFile>();

  private constructor(repository: Repository, files: readonly RevisionFile[], changes: ReadonlySet<string>) {
    this.repository = repository;
    this.files = files;
    this.changes = changes;
    this.folder = repository.git.checkout.folder;
    this.#paths = new Set(files.map(({ path }) => path));
    this.#folders = new Set(['', ...files.flatMap(({ path }) => ancestorsOf(path).slice(1))]);
  }

  /** Lists the files, and writes the links, which say where paths lead. */
  static async open(repository: Repository): Promise<RevisionTree> {
    const { git, commit } = repository;
    const listed = gitOutput(git.checkout, ['read-tree', commit]).then(() => filesIn(git.checkout));
    const [files, changes] = await Promise.all([listed, changesSince(repository)]);
    const tree = new RevisionTree(repository, files, changes);
    // A path that is not UTF-8 can't be named, so it is not read.
    const links = files.filter(({ kind, path }) => kind === 'link' && !path.includes('\ufffd'));
    await tree.write(links);
    for (const { path } of links) tree.#links.set(path, readlinkSync(join(tree.folder, path)));
    return tree;
  }

  /** Writes files that are not written yet. @throws GitError for a content that is missing, or if the disk is full */
  async write(files: readonly RevisionFile[]): Promise<void> {
    const missing = files.filter((file) => !this.#written.has(file));
    if (missing.length === 0) return;
    for (const file of missing) this.#written.add(file);
    await refuseReencoded(this.repository, missing);
    const args = ['checkout-index', `--prefix=${this.folder}/`, '-z', '--stdin'];
    await gitOutput(this.repository.git.checkout, args, listOf(missing));
  }

  /** Returns whether the revision has a file or a folder at a path. */
  has(path: string): boolean {
    return this.#paths.has(path) || this.#folders.has(path);
  }

  /** Returns whether a file is in the working tree, unchanged. */
  isUnchanged(path: string): boolean {
    return !this.changes.has(path) && isThere(join(this.repository.top, path));
  }

  /** Returns whether a file, or what describes a folder, is unchanged, but not checked out, as in a sparse checkout. */
  isOmitted(path: string): boolean {
    return [path, ...DESCRIPTION_NAMES.map((name) => posix.join(path, name))].some((file) => {
      return this.#paths.has(file) && !this.changes.has(file) && !isThere(join(this.repository.top, file));
    });
  }

  /** Returns the path of a file in the private folder. */
  pathOf(file: string): string {
    return pathIn(this.folder, file) ?? file;
  }

  /** Returns a path as reports show it: `REF:path`. */
  nameOf(path: string): string {
    return `${this.repository.ref}:${path}`;
  }

  /** Returns the path of such a name. */
  pathNamed(name: string): string {
    return name.slice(this.repository.ref.length + 1);
  }

  /** Returns where a path leads through the links of the revision; undefined if it leads out of the repository. */
  targetOf(path: string): string | undefined {
    const waiting = path.split('/').reverse();
    const found: string[] = [];
    let count = 0;
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        if (found.pop() === undefined) return undefined;
        continue;
      }
      const target = this.#links.get([...found, name].join('/'));
      if (target === undefined) found.push(name);
      else if (target.startsWith('/') || ++count > MOST_LINKS) return undefined;
      else waiting.push(...target.split('/').reverse());
    }
    return found.join('/');
  }

  /**
   * Returns where a path of the user led at the revision; undefined outside of the repository. Links may have led
   * elsewhere then, and the path may be gone from the working tree since.
   */
  pathBefore(path: string): string | undefined {
    const { top } = this.repository;
    const place = placeWithin(top, path);
    if (place === undefined) return pathWithin(top, path);
    const target = this.targetOf(place);
    if (target !== undefined && this.has(target)) return target;
    const link = ancestorsOf(place).findLast((at) => this.#links.has(at));
    // A link that leads out of the repository at REF is reported when it is read. If REF lacks the link, its target
    // counts.
    return link === undefined ? pathWithin(top, path) : (target ?? link);
  }
}

/** The most links that may follow one another, as on Linux. */
const MOST_LINKS = 40;

/** Returns a path within the repository without following links in it; undefined outside of the repository. */
function placeWithin(top: string, path: string): string | undefined {
  const full = resolve(path);
  const around = upwardSearch((folder) => existsSync(folder) && realpathSync(folder) === top)(full);
  return around === undefined ? undefined : pathIn(around, full);
}

/** Lists the submodules of the working tree. */
export async function modulesNow({ git }: Repository): Promise<readonly RevisionFile[]> {
  return (await filesIn(git)).filter(({ kind }) => kind === 'module');
}

/** Lists files of the working tree that git neither tracks nor ignores. */
export async function untracked({ git }: Repository): Promise<readonly string[]> {
  return parts(await gitOutput(git, ['ls-files', '--others', '--exclude-standard', '-z']));
}

/** Lists the files of an index. */
async function filesIn(context: ProgramContext): Promise<RevisionFile[]> {
  const entries = parts(await gitOutput(context, ['ls-files', '--stage', '-z']), 'latin1');
  // `MODE ID STAGE<tab>PATH`
  return entries.map((entry) => {
    const bytes = entry.slice(entry.indexOf('\t') + 1);
    const kind = entry.startsWith('160000 ') ? 'module' : entry.startsWith('120000 ') ? 'link' : 'file';
    return { path: Buffer.from(bytes, 'latin1').toString('utf8'), bytes, kind };
  });
}

/**
 * Lists the differences between the revision and the working tree, in the whole repository, without untracked files. Of
 * a submodule only the commit is compared: for its files git would start itself with the configuration there.
 */
async function changesSince({ git, commit }: Repository): Promise<ReadonlySet<string>> {
  const options = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-color', '--no-relative'];
  return new Set(parts(await gitOutput(git, ['diff', ...options, '--ignore-submodules=dirty', commit, '--'])));
}

/**
 * Refuses manifests of the revision that git checks out in another encoding than it stores. The characters in the
 * working tree then differ from those that are read of the revision, so an object there could be a comment here.
 * @throws GitError
 */
async function refuseReencoded({ git, ref }: Repository, files: readonly RevisionFile[]): Promise<void> {
  // The attributes are those of the revision, since its index is used.
  const context = { ...git, env: { ...git.env, GIT_INDEX_FILE: git.checkout.env['GIT_INDEX_FILE'] } };
  await refuseEncodings(context, ['--cached'], files, `${ref}:`);
}

/**
 * Refuses such manifests of the working tree. Not every program that applies them checks them out by git: Flux reads
 * them as they are stored.
 * @param isNamed returns whether a path is checked
 * @throws GitError
 */
export async function refuseReencodedNow({ git }: Repository, isNamed: (path: string) => boolean): Promise<void> {
  const named = (await filesIn(git)).filter(({ path }) => isNamed(path));
  await refuseEncodings(git, [], named, '');
}

async function refuseEncodings(
  context: ProgramContext,
  options: readonly string[],
  files: readonly RevisionFile[],
  prefix: string,
): Promise<void> {
  const manifests = files.filter(({ kind, path }) => kind === 'file' && isManifestPath(path));
  if (manifests.length === 0) return;
  const args = ['check-attr', ...options, '-z', '--stdin', ENCODING];
  const found = parts(await gitOutput(context, args, listOf(manifests)));
  // Three for each file: its path, the attribute, the value.
  for (let at = 0; at + 2 < found.length; at += 3) {
    if (found[at + 2] === 'unspecified' || found[at + 2] === 'unset') continue;
    const file = escapeControls(`${prefix}${found[at]}`);
    throw new GitError(`.gitattributes says a ${ENCODING} for ${file}: store manifests as UTF-8, without it`);
  }
}

const ENCODING = 'working-tree-encoding';

/** Returns the paths of files as git reads them with `-z`. */
function listOf(files: readonly RevisionFile[]): Buffer {
  return Buffer.from(files.map(({ bytes }) => `${bytes}\0`).join(''), 'latin1');
}

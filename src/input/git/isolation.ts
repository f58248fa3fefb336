/**
 * Reads a repository without its configuration. Filters, hooks, fsmonitor, external diffs, pagers, helpers and the
 * remotes of a partial clone are programs that a configuration names, by keys that differ between versions of git. So
 * git never reads it: git runs on a private git directory, which borrows objects, refs and index of the real one and
 * has a configuration of its own with a few harmless keys. Attributes in the working tree can then only choose
 * conversions built into git.
 */

import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { escapeControls } from '../../base/text.ts';
import { isInside, reasonOf } from '../../documents/files.ts';
import { openPrivateFolder, type PrivateFolder, unwritableText } from '../private-folder.ts';
import type { ProgramContext } from '../run-program.ts';
import { errorIn, GitError, git, gitOutput, parts } from './process.ts';

/** Closing it removes the private git directory. */
export interface IsolatedGit extends PrivateFolder, ProgramContext {
  /** Whether the repository is a partial clone: missing objects are not fetched. */
  readonly isPartial: boolean;
  /**
   * For writing files of a revision: with an index of its own, and without attributes, which could change the files.
   */
  readonly checkout: ProgramContext;
}

/** All paths are real paths. */
interface GitPaths {
  /** The working tree. */
  readonly top: string;
  /** HEAD and index of this working tree. */
  readonly gitDir: string;
  /** Objects, refs and configuration; not `gitDir` in a linked worktree. */
  readonly commonDir: string;
}

/** Milliseconds for a call that reads the real configuration. */
const TIME_LIMIT_MS = 60_000;

/** The keys that are copied: how files are compared and revisions named. None of them names a program. */
const COPIED = [
  /^core\.(autocrlf|checkstat|eol|filemode|ignorecase|precomposeunicode|symlinks|trustctime)$/,
  /^core\.sparsecheckout(cone)?$/,
  /^extensions\.(objectformat|refstorage)$/,
  // For `@{upstream}`.
  /^branch\..+\.(remote|merge)$/s,
  /^remote\..+\.fetch$/s,
];
const OURS: GitSettings = [
  ['core.bare', 'false'],
  // The commit-graph file may contradict the commits themselves.
  ['core.commitgraph', 'false'],
  ['core.fsmonitor', 'false'],
];
const PARTIAL = /^(extensions\.partialclone|remote\..+\.promisor)$/s;

/** A longer file is not copied; git writes none. */
const LONGEST_COPY = 256 * 1024 * 1024;

type GitSettings = readonly (readonly [key: string, value: string])[];

/**
 * Makes the private git directory.
 * @param top the real path of a folder with a `.git` entry
 * @throws GitError if git does not trust the repository, or does not support its form
 */
export async function isolate(top: string): Promise<IsolatedGit> {
  let own: PrivateFolder | undefined;
  try {
    own = openPrivateFolder('muster-git-');
    const { folder } = own;
    const paths = await trustedPaths(top, own);
    const context = { ...own, env: environment(paths, folder) };
    borrow(paths, folder);
    writeConfiguration(folder, OURS);
    const settings = await configured(paths, context);
    writeConfiguration(folder, [...OURS, ...settings.filter(([key]) => COPIED.some((allowed) => allowed.test(key)))]);
    const isPartial = settings.some(([key]) => PARTIAL.test(key));
    return { ...context, isPartial, checkout: checkoutContext(context, settings) };
  } catch (error) {
    own?.close();
    throw toGitError(error, own?.folder);
  }
}

/**
 * Converts an error of the file system to a GitError that names the private folder, or a file outside of it that can't
 * be read; returns any other error as it is.
 */
export function toGitError(error: unknown, folder = tmpdir()): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const { code, path = folder } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' || isInside(path, folder)) return new GitError(unwritableText(error, folder));
  return new GitError(`${escapeControls(path)} can't be read: ${reasonOf(error)}`);
}

/** Overrides all attributes: files get the content as git stores it, without conversions or filters. */
const AS_STORED = '* -text !eol !crlf -ident -filter !working-tree-encoding\n';

/** Makes a second git directory with the objects only. Its working tree is empty, and has a `.git` of its own. */
function checkoutContext({ folder, env, running }: ProgramContext, settings: GitSettings): ProgramContext {
  const gitDir = join(folder, 'revision.git');
  const tree = join(folder, 'revision');
  for (const made of [join(gitDir, 'refs'), join(gitDir, 'info'), join(tree, '.git')])
    mkdirSync(made, { recursive: true });
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(gitDir, 'info', 'attributes'), AS_STORED);
  writeConfiguration(gitDir, [...OURS, ...settings.filter(([key]) => key === 'extensions.objectformat')]);
  const own = { GIT_DIR: gitDir, GIT_WORK_TREE: tree, GIT_INDEX_FILE: join(gitDir, 'index') };
  return { folder: tree, env: { ...env, ...own }, running };
}

/**
 * Asks git where the repository is, and whether git trusts it (its owner, `safe.directory`), with the operator's
 * configuration. This is the only call that reads the real configuration, and `rev-parse` runs no program.
 */
async function trustedPaths(top: string, own: PrivateFolder): Promise<GitPaths> {
  const env = { ...environmentWithout(LOCATION), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  const question = ['rev-parse', '--absolute-git-dir', '--git-common-dir', '--show-toplevel'];
  const args = ['-C', top, '-c', 'safe.bareRepository=explicit', ...question];
  const { code, stdout, stderr } = await git({ ...own, env }, args, { timeoutMs: TIME_LIMIT_MS });
  const where = escapeControls(top);
  if (/dubious ownership/.test(stderr)) {
    const fix = 'git config --global --add safe.directory PATH';
    throw new GitError(`git does not trust the repository of ${where}, for another user owns it: ${fix}`);
  }
  if (/must be run in a work tree/.test(stderr)) throw new GitError(`${where} is in a bare repository: check it out`);
  if (code !== 0) throw new GitError(errorIn(stderr) || `git finds no repository at ${where}`);
  const lines = stdout.toString('utf8').split('\n');
  // A line for each path, and what follows the last line break.
  if (lines.length > 4)
    throw new GitError(`the repository of ${where} has a line break in its path: rename the folder`);
  const [gitDir = '', commonDir = '', tree] = lines.map((line) => realpathSync(resolve(top, line)));
  const entry = join(top, '.git');
  // Otherwise, an old git may have found a bare repository that a commit put here.
  const isOwn = statSync(entry).isFile() || realpathSync(entry) === gitDir;
  if (isOwn && tree === top) return { top, gitDir, commonDir };
  throw new GitError(`the repository of ${where} says that its working tree is elsewhere (core.worktree): unset it`);
}

/** Variables that name a repository, as git sets them for its hooks. The paths of the command line decide instead. */
const LOCATION =
  /^GIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX)$/i;

/** Returns the operator's environment without these variables. */
function environmentWithout(names: RegExp): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.test(name)));
}

/** Returns the environment in which git reads only our configuration, prompts for nothing and fetches nothing. */
function environment({ top, gitDir, commonDir }: GitPaths, folder: string): NodeJS.ProcessEnv {
  return {
    ...environmentWithout(/^GIT_/i),
    LC_ALL: 'C',
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    GIT_DIR: folder,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: join(gitDir, 'index'),
    GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
    GIT_CONFIG_GLOBAL: join(folder, 'none'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Copies or links into the private git directory the files that name commits or list checked-out files. */
function borrow({ gitDir, commonDir }: GitPaths, folder: string): void {
  // HEAD, FETCH_HEAD, ORIG_HEAD and the like.
  for (const name of readdirSync(gitDir)) if (/^[A-Z_]+$|^sharedindex\./.test(name)) copy(gitDir, folder, name);
  for (const name of ['packed-refs', 'shallow']) copy(commonDir, folder, name);
  link(commonDir, folder, 'refs');
  link(commonDir, folder, 'reftable');
  mkdirSync(join(folder, 'info'));
  copy(commonDir, folder, 'info/exclude');
  if (gitDir === commonDir) link(commonDir, folder, 'logs');
  else {
    mkdirSync(join(folder, 'logs'));
    copy(gitDir, folder, 'logs/HEAD');
    link(commonDir, folder, 'logs/refs');
  }
}

/** Copies a regular file. A HEAD that is a link, as very old versions of git made it, becomes the equivalent text. */
function copy(from: string, to: string, name: string): void {
  const file = join(from, name);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size <= LONGEST_COPY) copyFileSync(file, join(to, name));
  else if (stat?.isSymbolicLink() && name === 'HEAD') writeFileSync(join(to, name), `ref: ${readlinkSync(file)}\n`);
}

function link(from: string, to: string, name: string): void {
  const target = join(from, name);
  if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) symlinkSync(target, join(to, name), 'junction');
  // With a reftable, refs is a file.
  else copy(from, to, name);
}

/** Reads the configuration of a repository as data, without its includes. */
async function configured({ gitDir, commonDir }: GitPaths, context: ProgramContext): Promise<GitSettings> {
  const found: (readonly [string, string])[] = [];
  for (const file of new Set([join(commonDir, 'config'), join(gitDir, 'config.worktree')])) {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    const list = await gitOutput(context, ['config', '--file', file, '--no-includes', '--null', '--list']);
    for (const entry of parts(list)) {
      const end = entry.indexOf('\n');
      found.push(end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)]);
    }
  }
  return found;
}

function writeConfiguration(folder: string, settings: GitSettings): void {
  const format = settings.some(([key]) => key.startsWith('extensions.')) ? '1' : '0';
  const lines = [['core.repositoryformatversion', format] as const, ...settings].map(settingLine);
  writeFileSync(join(folder, 'config'), lines.join(''));
}

/** Formats `section.name` or `section.any text.name`, as git lists keys. */
function settingLine([key, value]: GitSettings[number]): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const section = key.slice(0, first);
  const heading = first === last ? section : `${section} "${key.slice(first + 1, last).replace(/["\\]/g, '\\$&')}"`;
  const text = value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `[${heading}]\n\t${key.slice(last + 1)} = "${text}"\n`;
}

/**
 * Reads a repository without its configuration. Filters, hooks, fsmonitor, external diffs, pagers, helpers and the remotes of
 * a partial clone are all programs that a configuration names, and which keys do so differs from one version of git to the
 * next. So git never reads the configuration: it runs on a private git directory, which borrows the objects, refs and index
 * of the real one and has a configuration of its own. Into that, a list of harmless keys is copied. Attributes in the
 * working tree can then only choose among the conversions built into git.
 */
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plain } from '../../../engine/text.ts';
import type { GitPaths } from './discovery.ts';
import { complaint, type GitContext, GitError, git, gitOutput, parts } from './process.ts';

export interface IsolatedGit extends GitContext {
  /** Whether the repository is a partial clone: what it lacks is not fetched. */
  readonly isPartial: boolean;
  /** Removes the private git directory. */
  close(): void;
}

/** Milliseconds for the questions on which nothing depends but the configuration. */
const TIME_LIMIT_MS = 60_000;

/** What a configuration may say: how files are compared and how revisions are called. None of these names a program. */
const COPIED = [
  /^core\.(autocrlf|checkstat|eol|filemode|ignorecase|precomposeunicode|symlinks|trustctime)$/,
  /^core\.sparsecheckout(cone)?$/,
  /^extensions\.(objectformat|refstorage)$/,
  // For `@{upstream}`.
  /^branch\..+\.(remote|merge)$/s,
  /^remote\..+\.fetch$/s,
];
const OURS: Settings = [
  ['core.bare', 'false'],
  // A file of the repository that may say something else of a commit than the commit itself.
  ['core.commitgraph', 'false'],
  ['core.fsmonitor', 'false'],
];
const PARTIAL = /^(extensions\.partialclone|remote\..+\.promisor)$/s;

/** Longer ones are not copied; git writes none. */
const LONGEST_COPY = 256 * 1024 * 1024;

type Settings = readonly (readonly [key: string, value: string])[];

/** @throws GitError where git does not trust the repository, or it has a form that is not supported */
export async function isolate(paths: GitPaths): Promise<IsolatedGit> {
  const folder = privateFolder();
  try {
    await requireTrust(paths, folder);
    const env = environment(paths, folder);
    borrow(paths, folder);
    writeConfiguration(folder, OURS);
    const settings = await configured(paths, { folder, env });
    writeConfiguration(folder, [...OURS, ...settings.filter(([key]) => COPIED.some((allowed) => allowed.test(key)))]);
    return { folder, env, isPartial: settings.some(([key]) => PARTIAL.test(key)), close: () => remove(folder) };
  } catch (error) {
    remove(folder);
    throw error;
  }
}

function privateFolder(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), 'muster-git-')));
  } catch (error) {
    throw new GitError(`no temporary folder can be made: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
}

function remove(folder: string): void {
  // Links in it are removed, not followed.
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Asks git itself whether it trusts the repository (its owner, `safe.directory`), with the operator's configuration. This is
 * the one call that reads the real configuration, and `rev-parse` runs no program that it names.
 */
async function requireTrust({ top, gitDir }: GitPaths, folder: string): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  for (const name of PLACES) delete env[name];
  const question = ['-c', 'safe.bareRepository=explicit', 'rev-parse', '--absolute-git-dir', '--show-toplevel'];
  const { code, stdout, stderr } = await git({ folder, env }, ['-C', top, ...question], TIME_LIMIT_MS);
  const where = plain(top);
  if (/dubious ownership/.test(stderr)) {
    throw new GitError(
      `git does not trust the repository of ${where}, for another user owns it: git config --global --add safe.directory PATH`,
    );
  }
  if (/must be run in a work tree/.test(stderr)) throw new GitError(`${where} is in a bare repository: check it out`);
  if (code !== 0) throw new GitError(complaint(stderr) || `git finds no repository at ${where}`);
  if (stdout.toString('utf8').trimEnd() === `${gitDir}\n${top}`) return;
  const [dir = '', tree = ''] = stdout.toString('utf8').trimEnd().split('\n');
  if (isSame(dir, gitDir) && isSame(tree, top)) return;
  throw new GitError(`the repository of ${where} says that its working tree is elsewhere (core.worktree): unset it`);
}

function isSame(path: string, real: string): boolean {
  try {
    return realpathSync(path) === real;
  } catch {
    return false;
  }
}

/** With these, whoever started muster says where a repository is (as git does to its hooks). muster takes the paths it is given. */
const PLACES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
];

/** The operator's environment without any variable of git's; and git reads no configuration but ours, asks nobody, and fetches nothing. */
function environment({ top, gitDir, commonDir }: GitPaths, folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(inherited),
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

/** Puts into the private git directory what says which commits there are and which files are checked out. */
function borrow({ gitDir, commonDir }: GitPaths, folder: string): void {
  // HEAD, and what else names a commit: FETCH_HEAD, ORIG_HEAD.
  for (const name of readdirSync(gitDir)) if (/^[A-Z_]+$|^sharedindex\./.test(name)) copy(gitDir, folder, name);
  for (const name of ['packed-refs', 'shallow']) copy(commonDir, folder, name);
  link(commonDir, folder, 'refs');
  link(commonDir, folder, 'reftable');
  mkdirSync(join(folder, 'info'));
  copy(commonDir, folder, 'info/exclude');
  if (gitDir === commonDir) {
    link(commonDir, folder, 'logs');
  } else {
    mkdirSync(join(folder, 'logs'));
    copy(gitDir, folder, 'logs/HEAD');
    link(commonDir, folder, 'logs/refs');
  }
}

/** Copies a regular file. A HEAD that is a link, as very old versions of git made it, becomes the text that says the same. */
function copy(from: string, to: string, name: string): void {
  const file = join(from, name);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size <= LONGEST_COPY) copyFileSync(file, join(to, name));
  else if (stat?.isSymbolicLink() && name === 'HEAD') writeFileSync(join(to, name), `ref: ${readlinkSync(file)}\n`);
}

function link(from: string, to: string, name: string): void {
  const target = join(from, name);
  if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) symlinkSync(target, join(to, name), 'junction');
  // With refs elsewhere (reftable), this is a file that says so.
  else copy(from, to, name);
}

/** What the configuration of a repository says; includes are not followed. */
async function configured({ gitDir, commonDir }: GitPaths, context: GitContext): Promise<Settings> {
  const found: (readonly [string, string])[] = [];
  for (const file of new Set([join(commonDir, 'config'), join(gitDir, 'config.worktree')])) {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    for (const entry of parts(
      await gitOutput(context, ['config', '--file', file, '--no-includes', '--null', '--list']),
    )) {
      const end = entry.indexOf('\n');
      found.push(end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)]);
    }
  }
  return found;
}

function writeConfiguration(folder: string, settings: Settings): void {
  const isExtended = settings.some(([key]) => key.startsWith('extensions.'));
  const lines = settings.map(([key, value]) => settingLine(key, value));
  writeFileSync(
    join(folder, 'config'),
    [`[core]\n\trepositoryformatversion = ${isExtended ? 1 : 0}\n`, ...lines].join(''),
  );
}

/** `section.name` or `section.any text.name`, as git lists it. */
function settingLine(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = key.slice(0, first);
  const heading = first === last ? section : `${section} "${key.slice(first + 1, last).replace(/["\\]/g, '\\$&')}"`;
  const text = value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `[${heading}]\n\t${key.slice(last + 1)} = "${text}"\n`;
}

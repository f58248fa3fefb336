/** Recognizes the charts and kustomizations of a revision, and renders them from a copy of their files. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path/posix';
import {
  MAX_BYTES,
  type Plan,
  planOf,
  type Renderer,
  referredBy,
  type SourceFolder,
  type Tree,
} from '../../../cluster/files/index.ts';
import type { SourceError } from '../../../documents/index.ts';
import type { BaseFile } from './files.ts';
import { blobs, GitError } from './process.ts';
import type { Repository } from './repository.ts';

/** The files that say what others are. */
const DESCRIPTIONS = /(^|\/)(Chart\.yaml|kustomization\.ya?ml|Kustomization)$/;
/** No such file is larger (bytes). */
const LONGEST = 4 * 2 ** 20;

/** Returns the files of a revision as a tree. Its paths begin with `/`. @throws GitError */
export async function treeAt({ git }: Repository, ref: string, all: readonly BaseFile[]): Promise<Tree> {
  const plain = all.filter(({ kind }) => kind === 'file');
  const paths = new Set(plain.map(({ path }) => `/${path}`));
  const described = plain.filter(({ path }) => DESCRIPTIONS.test(path));
  const texts = new Map<string, string>();
  const waiting = described.values();
  for await (const bytes of blobs(
    git,
    described.map(({ id }) => id),
  )) {
    const { path = '' } = waiting.next().value ?? {};
    if (bytes.length <= LONGEST) texts.set(`/${path}`, bytes.toString('utf8'));
  }
  return {
    pathOf: (file) => join('/', file),
    nameOf: (path) => `${ref}:${path.slice(1) || '.'}`,
    hasFile: (path) => paths.has(path),
    read: (path) => texts.get(path),
    isTop: (folder) => folder === '/',
  };
}

/** Plans the reading of files of a revision, of which some are read in the working tree instead. */
export function planAt(files: readonly BaseFile[], roots: readonly string[], tree: Tree, isRendering: boolean): Plan {
  const paths = files.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  return planOf(paths, roots, tree, isRendering);
}

/** Returns the folders of a plan that are to be rendered, by their path in the repository. */
export function renderedIn({ steps }: Plan): SourceFolder[] {
  return steps.flatMap((step) => ('folder' in step ? step.folder : []));
}

export interface RenderedAt {
  /** As reports name it. */
  readonly name: string;
  /** In the repository, with `/`. */
  readonly path: string;
  readonly result: { readonly text: string } | SourceError;
}

/** Renders folders of a revision. @throws GitError if their files can't be had */
export async function renderAt(
  repository: Repository,
  all: readonly BaseFile[],
  plan: Plan,
  render: Renderer,
): Promise<RenderedAt[]> {
  const folders = renderedIn(plan);
  if (folders.length === 0) return [];
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'muster-base-')));
  try {
    // The end of the repository, for references of kustomizations.
    mkdirSync(join(copy, '.git'));
    const needed = folders.map((folder) => neededBy(folder, plan));
    await copyFiles(
      repository,
      all.filter(({ path }) => needed.some((needs) => needs(`/${path}`))),
      copy,
    );
    const one = async ({ type, path, name }: SourceFolder): Promise<RenderedAt> => {
      mkdirSync(join(copy, path), { recursive: true });
      const result = await render({ type, path: join(copy, path), name, repository: repository.top });
      return { name, path: path.slice(1), result };
    };
    return await Promise.all(folders.map(one));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Returns a test for the files that the rendering of a folder reads. */
function neededBy({ type, path }: SourceFolder, { layout }: Plan): (file: string) => boolean {
  if (type === 'chart') return (file) => file.startsWith(path === '/' ? path : `${path}/`);
  const referred = referredBy(path, layout);
  const targets = new Set(referred.map(({ target }) => target));
  const folders = new Set([path, ...referred.map(({ folder }) => folder)]);
  return (file) => targets.has(file) || (folders.has(dirname(file)) && DESCRIPTIONS.test(basename(file)));
}

/** Links are left out, and names that no git writes. */
async function copyFiles({ git }: Repository, files: readonly BaseFile[], to: string): Promise<void> {
  const plain = files.filter(({ kind, path }) => kind === 'file' && !/(^|\/)(\.{0,2}|\.git)(\/|$)/i.test(path));
  const waiting = plain.values();
  let total = 0;
  for await (const bytes of blobs(
    git,
    plain.map(({ id }) => id),
  )) {
    const { path = '' } = waiting.next().value ?? {};
    total += bytes.length;
    if (total > MAX_BYTES) throw new GitError('its charts and kustomizations are too large: check fewer folders');
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), bytes, { flag: 'wx', mode: 0o600 });
  }
}

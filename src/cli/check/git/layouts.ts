/** Recognizes the charts and kustomizations of a revision, and renders them from a copy of their files. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path/posix';
import {
  type Layout,
  LONGEST_DESCRIPTION,
  MAX_BYTES,
  type Plan,
  planOf,
  type Renderer,
  referredBy,
  type SourceFolder,
  TOO_LONG,
  type Tree,
} from '../../../cluster/files/index.ts';
import type { BaseFile, LayoutAt, Rendering } from './files.ts';
import { blobs, GitError } from './process.ts';
import type { Repository } from './repository.ts';

/** The files that say what others are. */
const DESCRIPTIONS = /(^|\/)(Chart\.yaml|kustomization\.ya?ml|Kustomization)$/;

export interface LayoutRequest {
  readonly ref: string;
  /** All files of the revision. */
  readonly all: readonly BaseFile[];
  /** Those under the named paths. */
  readonly files: readonly BaseFile[];
  /** The named paths, each with its cluster. */
  readonly roots: ReadonlyMap<string, string | undefined>;
  readonly clusterOf: (path: string) => string | undefined;
  readonly render: Renderer | undefined;
}

/** Recognizes the layout, of each cluster by itself, and renders it if the run does. @throws GitError */
export async function layoutAt(repository: Repository, request: LayoutRequest): Promise<LayoutAt> {
  const { ref, all, files, roots, clusterOf, render } = request;
  const described = all.filter(({ kind, path }) => kind === 'file' && DESCRIPTIONS.test(path));
  if (described.length === 0) return { isManifest: () => true, isTemplate: () => false, renderings: [] };
  const tree = await treeAt(repository, ref, all, described);
  const plain = files.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const plans = [...Map.groupBy(plain, clusterOf)].map(([cluster, own]) => {
    const named = [...roots].filter(([, name]) => name === cluster).map(([path]) => path);
    return planOf(own, named, tree, render !== undefined);
  });
  const leftOut = new Set(plans.flatMap((plan) => plan.leftOut));
  const planned = new Set(plain);
  const renderings = render ? await renderAt(repository, all, plans, render) : [];
  return {
    // Only a file outside of the named paths can be a part of something that no plan has.
    isManifest: (path) =>
      planned.has(path) ? !leftOut.has(path) : plans.every(({ layout }) => layout.partOf(path) === undefined),
    isTemplate: (path, text) => plans.some(({ layout }) => layout.isTemplate(path, text)),
    renderings,
  };
}

/** Returns the files of a revision as a tree. Its paths begin with `/`. */
async function treeAt(
  { git }: Repository,
  ref: string,
  all: readonly BaseFile[],
  described: readonly BaseFile[],
): Promise<Tree> {
  const paths = new Set(all.filter(({ kind }) => kind === 'file').map(({ path }) => `/${path}`));
  const texts = new Map<string, string>();
  const waiting = described.values();
  for await (const bytes of blobs(
    git,
    described.map(({ id }) => id),
  )) {
    const { path = '' } = waiting.next().value ?? {};
    if (bytes.length <= LONGEST_DESCRIPTION) texts.set(`/${path}`, bytes.toString('utf8'));
  }
  return {
    pathOf: (file) => join('/', file),
    nameOf: (path) => `${ref}:${path.slice(1) || '.'}`,
    read: (path) => {
      const text = texts.get(path);
      if (text !== undefined) return { text };
      return paths.has(path) && DESCRIPTIONS.test(path) ? TOO_LONG : undefined;
    },
    repositoryOf: () => '/',
  };
}

/** Renders folders of a revision. @throws GitError if their files can't be had */
async function renderAt(
  repository: Repository,
  all: readonly BaseFile[],
  plans: readonly Plan[],
  render: Renderer,
): Promise<Rendering[]> {
  const found = plans.flatMap(({ steps, layout }) =>
    steps.flatMap((step) => ('folder' in step ? { folder: step.folder, layout } : [])),
  );
  if (found.length === 0) return [];
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'muster-base-')));
  try {
    // The end of the repository, for references of kustomizations.
    mkdirSync(join(copy, '.git'));
    const needed = found.map(({ folder, layout }) => neededBy(folder, layout));
    await copyFiles(
      repository,
      all.filter(({ path }) => needed.some((needs) => needs(`/${path}`))),
      copy,
    );
    const one = async ({ type, path, name }: SourceFolder): Promise<Rendering> => {
      mkdirSync(join(copy, path), { recursive: true });
      const result = await render({ type, path: join(copy, path), name, repository: repository.top });
      return { name, path: path.slice(1), result };
    };
    return await Promise.all(found.map(({ folder }) => one(folder)));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Returns a test for the files that the rendering of a folder reads. */
function neededBy({ type, path }: SourceFolder, layout: Layout): (file: string) => boolean {
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

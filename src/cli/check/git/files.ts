/** Lists the files of a revision, and those that differ in the working tree. */
import { isManifestPath } from '../../../cluster/files/walk.ts';
import type { SourceError } from '../../../documents/index.ts';
import { gitOutput, parts } from './process.ts';
import type { Repository } from './repository.ts';

export interface BaseFile {
  /** Within the repository. */
  readonly path: string;
  /** A symbolic `link`, or a sub`module`. */
  readonly kind: 'file' | 'link' | 'module';
  /** Of the content; of a submodule the commit. */
  readonly id: string;
}

/** The files that differ from the revision, with the id of the content there of those that were plain files. */
export type Changes = ReadonlyMap<string, string | undefined>;

/** What the files of a revision are. */
export interface LayoutAt {
  /** Returns whether a file is to be read as a manifest, as far as its path says. */
  isManifest(path: string): boolean;
  /** Returns whether the text of a file in a chart has template actions. */
  isTemplate(path: string, text: string): boolean;
  readonly renderings: readonly Rendering[];
}

/** What a folder renders to, or why it does not. */
export interface Rendering {
  /** As reports name it. */
  readonly name: string;
  /** In the repository, with `/`. */
  readonly path: string;
  readonly result: { readonly text: string } | SourceError;
}

/** A repository compared with a revision. */
export interface Comparison {
  readonly repository: Repository;
  readonly ref: string;
  readonly changes: Changes;
  readonly isNamed: (path: string) => boolean;
  /** The cluster of a file under the named paths; undefined in a run of one. */
  readonly clusterOf: (path: string) => string | undefined;
  /** Charts and kustomizations at the revision. */
  readonly layout: LayoutAt;
  /** Whether --state or --deleted names a path: no object moves to an export of a cluster. */
  readonly isOther: (path: string) => boolean;
}

/** Lists all files of the revision. */
export async function filesAt({ git, commit }: Repository): Promise<BaseFile[]> {
  return parts(await gitOutput(git, ['ls-tree', '-r', '-z', '--full-tree', commit])).map(baseFile);
}

/** `MODE TYPE ID<tab>PATH` */
function baseFile(entry: string): BaseFile {
  const tab = entry.indexOf('\t');
  const [mode = '', type = '', id = ''] = entry.slice(0, tab).split(' ');
  const kind = type === 'commit' ? 'module' : mode === '120000' ? 'link' : 'file';
  return { path: entry.slice(tab + 1), kind, id };
}

/** Returns a test for files under the named paths: named itself, or a manifest in a named folder. */
export function namedBy(named: readonly string[]): (path: string, isFolder?: boolean) => boolean {
  const exact = new Set(named);
  return (path, isFolder = false) => {
    if (exact.has(path) || (exact.has('') && (isFolder || isManifestPath(path)))) return true;
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (exact.has(path.slice(0, end)) && (isFolder || isManifestPath(path.slice(end + 1)))) return true;
    }
    return false;
  };
}

/**
 * Lists what differs between the revision and the working tree, in the whole repository. Without untracked files. Of a submodule
 * only the commit is compared: for its files git would start itself with the configuration there.
 */
export async function changesSince({ git, commit }: Repository): Promise<Changes> {
  const options = ['--raw', '-z', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-color', '--no-relative'];
  const fields = parts(await gitOutput(git, ['diff', ...options, '--ignore-submodules=dirty', commit, '--']));
  const changes = new Map<string, string | undefined>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [mode = '', , id] = (fields[index] ?? '').split(' ');
    changes.set(fields[index + 1] ?? '', mode.startsWith(':100') ? id : undefined);
  }
  return changes;
}

/** Lists files of the working tree that git neither tracks nor ignores. */
export async function untracked({ git }: Repository): Promise<string[]> {
  return parts(await gitOutput(git, ['ls-files', '--others', '--exclude-standard', '-z']));
}

/**
 * Compares the named paths with a git revision (`--base-ref REF`): what they held there is the previous state, and what is gone
 * since is deleted. Objects are compared by identity, whatever file they are in.
 */
import { dialectOfObject, type InputObject, type Renderer } from '../../../cluster/files/index.ts';
import { textAt } from '../../../rules/json.ts';
import type { JsonObject } from '../../../rules/rule.ts';
import type { CheckError } from '../../output/report.ts';
import { ancestorsOf, type Glob } from '../clusters/glob.ts';
import { storedFromFile } from '../writes.ts';
import { clustersAt } from './clusters.ts';
import { changesSince, filesAt, namedBy } from './files.ts';
import { layoutAt } from './layouts.ts';
import { type ByIdentity, findMoves } from './moves.ts';
import { identityOf, noteLine, readBaseObjects, type WorkingTree } from './objects.ts';
import { GitError } from './process.ts';
import { isAncestor, isThere, openRepository, pathWithin, type Repository } from './repository.ts';

export interface RevisionRequest extends WorkingTree {
  readonly ref: string;
  /** As the user named them, each with its cluster if there are several; some may be gone from the working tree. */
  readonly roots: readonly { readonly path: string; readonly cluster?: string | undefined }[];
  /** Their matches at REF are clusters too. */
  readonly globs: readonly Glob[];
  /** Paths of --state and --deleted. */
  readonly otherPaths: readonly string[];
  /** Renders charts and kustomizations, if the run does. */
  readonly render?: Renderer | undefined;
  /** What --deleted names. */
  readonly deletions: readonly InputObject[];
}

/** What a cluster had at REF. */
export interface BaseState {
  readonly state: readonly JsonObject[];
  /** Their file is `REF:path` in reports. Memberships come first: an id can be deleted only after its membership. */
  readonly deletions: readonly InputObject[];
  /** Whether something at REF could not be read, so that absence proves nothing. */
  readonly incomplete: boolean;
}

export interface Revision {
  /** Returns what a cluster had; undefined is the only cluster of a run. */
  readonly of: (cluster: string | undefined) => BaseState;
  /** The clusters that globs name at REF. Undefined if the revision could not be read. */
  readonly clusters: ReadonlySet<string> | undefined;
  /** Globs that match no folder at REF. */
  readonly unmatched: readonly Glob[];
  readonly errors: readonly CheckError[];
  /** For people, one line each. */
  readonly notes: readonly string[];
}

/** What stands for a file in errors of git. */
const GIT = '<git>';
const NOWHERE = "can't read it: no such file or folder, neither here nor at --base-ref";
const NOT_FETCHED =
  '; this is a partial clone, and muster fetches nothing: clone without --filter, or git fetch --refetch --no-filter origin';

/** Reads the revision. What the user can fix is in the errors; then nothing is known of the previous state. */
export async function readRevision(request: RevisionRequest): Promise<Revision> {
  let repository: Repository | undefined;
  try {
    repository = await openRepository(namedIn(request), request.ref);
    return await compare(repository, request);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const message = `--base-ref ${request.ref}: ${error.message}${repository?.git.isPartial ? NOT_FETCHED : ''}`;
    const gone = request.roots.filter(({ path }) => !isThere(path));
    const errors = [errorIn(GIT, message), ...gone.map(({ path }) => errorIn(path, NOWHERE))];
    const nothing = { state: [], deletions: [], incomplete: true };
    return { of: () => nothing, clusters: undefined, unmatched: [], errors, notes: [] };
  } finally {
    repository?.git.close();
  }
}

function namedIn({ roots, globs }: RevisionRequest): readonly string[] {
  return [...roots.map(({ path }) => path), ...globs.map(({ base }) => base)];
}

async function compare(repository: Repository, request: RevisionRequest): Promise<Revision> {
  const { top } = repository;
  const { ref, roots, globs, otherPaths, documents, unreadable } = request;
  const within = roots.map((root) => ({ ...root, inside: pathWithin(top, root.path) }));
  const [all, changes] = await Promise.all([filesAt(repository), changesSince(repository)]);
  const matches = clustersAt(all, globs, top);
  const clusters = new Map([...matches.clusters, ...within.flatMap(rootEntry)]);
  const isNamed = namedBy([...clusters.keys()]);
  const files = all.filter(({ path, kind }) => isNamed(path, kind === 'module'));
  const clusterOf = (path: string) => [...ancestorsOf(path), ''].map((at) => clusters.get(at)).find(Boolean);
  const isOther = namedBy(otherPaths.flatMap((path) => pathWithin(top, path) ?? []));
  const { render } = request;
  const layout = await layoutAt(repository, { ref, all, files, roots: clusters, clusterOf, render });
  const comparison = { repository, ref, changes, isNamed, isOther, clusterOf, layout };
  const base = await readBaseObjects(request, comparison, files);
  const present = new Set([...documents, ...request.deletions].map(identityOf));
  // A file that can't be read may still hold the object.
  const unclear = new Set([...unreadable].map((file) => `${ref}:${pathWithin(top, file)}`));
  const known = new Set([...base.unchanged, ...base.changed].map(identityOf));
  const gone = byIdentity(base.changed.filter((one) => !present.has(identityOf(one)) && !unclear.has(one.source)));
  const fresh = byIdentity(documents.filter((one) => !known.has(identityOf(one))));
  // A cluster whose path is gone has nothing any more, whatever another folder keeps of it.
  const left = new Set(roots.filter(({ path }) => isThere(path)).map(({ cluster }) => cluster));
  const movable = [...gone].filter(([, { cluster }]) => cluster === undefined || left.has(cluster));
  const moves = await findMoves(comparison, new Map(movable), fresh);
  const deletions = [...gone].flatMap(([identity, input]) => (moves.out.has(identity) ? [] : input));
  const errors = within.flatMap(({ path, inside }) => {
    const isOutside = `it lies outside of the repository ${top}: name it in a run of its own`;
    if (inside === undefined) return errorIn(path, isOutside);
    const wasThere = () => files.some((file) => file.path === inside || file.path.startsWith(`${inside}/`));
    return isThere(path) || wasThere() ? [] : errorIn(path, NOWHERE);
  });
  const changed = [...base.changed, ...moves.into];
  const state = new Map<string | undefined, JsonObject[]>();
  const add = (input: InputObject, isChanged: boolean) => listIn(state, input.cluster).push(stored(input, isChanged));
  for (const input of base.unchanged) add(input, false);
  for (const input of changed) add(input, true);
  const sorted = deletions.toSorted((a, b) => Number(isMembership(b)) - Number(isMembership(a)));
  const deletionsOf = Map.groupBy(sorted, ({ cluster }) => cluster);
  for (const { inside, cluster } of within) if (inside === undefined) base.incomplete.add(cluster);
  return {
    of: (cluster) => ({
      state: state.get(cluster) ?? [],
      deletions: deletionsOf.get(cluster) ?? [],
      incomplete: base.incomplete.has(cluster),
    }),
    clusters: new Set(matches.clusters.values()),
    unmatched: matches.unmatched,
    errors,
    notes: [...base.notes, ...moveNotes(gone, moves.out), ...(await ancestryNotes(repository, ref, deletions))],
  };
}

function rootEntry({ inside, cluster }: { inside: string | undefined; cluster?: string | undefined }) {
  return inside === undefined ? [] : [[inside, cluster] as const];
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function stored({ object }: InputObject, isChanged: boolean): JsonObject {
  const dialect = dialectOfObject(object);
  return dialect === undefined ? object : storedFromFile(dialect, object, isChanged);
}

function isMembership({ object }: InputObject): boolean {
  return textAt(object, ['metadata', 'name']) === dialectOfObject(object)?.claim?.membershipName;
}

/** Keeps the first object of each identity. */
function byIdentity(objects: readonly InputObject[]): ByIdentity {
  const found = new Map<string, InputObject>();
  for (const input of objects) {
    const identity = identityOf(input);
    if (identity !== undefined && !found.has(identity)) found.set(identity, input);
  }
  return found;
}

function moveNotes(gone: ByIdentity, moved: ReadonlyMap<string, string>): string[] {
  return [...moved].map(([identity, path]) => {
    const { source, start } = gone.get(identity) as InputObject;
    return noteLine(`${source}:${start.line}:${start.column}`, `moved to ${path}, which is not checked in this run`);
  });
}

/** What was added at REF since this branch began counts as deleted: worth a note if something is. */
async function ancestryNotes(repository: Repository, ref: string, deletions: readonly unknown[]): Promise<string[]> {
  if (deletions.length === 0 || (await isAncestor(repository)) !== false) return [];
  const fix = `--base-ref "$(git merge-base ${ref} HEAD)" leaves that out`;
  const problem = `what is checked out does not build on ${ref}: what was added there since counts as deleted`;
  return [noteLine(GIT, `${problem}; ${fix}`)];
}

function errorIn(file: string, message: string): CheckError {
  return { file, line: 1, column: 1, message };
}

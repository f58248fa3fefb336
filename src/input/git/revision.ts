/**
 * Compares the named paths with a git revision (`--base-ref REF`): their objects there are the previous state, and
 * objects that are gone since are deleted. Objects are compared by identity, in any file.
 *
 * git runs isolated from the repository's configuration (isolation.ts, process.ts). The steps:
 * 1. the commit that REF names (repository.ts);
 * 2. its files, and where the named paths led there (revision-tree.ts);
 * 3. the clusters as they were: git writes the needed files, and the ordinary reader reads them (revision-clusters.ts);
 * 4. which objects are gone, and which of these only moved (moves.ts).
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, textAt } from '../../base/json.ts';
import { quoted } from '../../base/text.ts';
import { errorAbout, isThere } from '../../documents/files.ts';
import { locateProblem } from '../clusters/charts.ts';
import type { ReadCluster } from '../clusters/inputs.ts';
import { dialectOfObject, type InputObject } from '../objects.ts';
import { noteAt, noteLine, type PlacedMessage } from '../place.ts';
import type { Supporting } from '../supporting.ts';
import { storedFromFile } from '../writes.ts';
import { toGitError } from './isolation.ts';
import { type ByIdentity, byIdentity, findMoves, identityOf, keepTest } from './moves.ts';
import { GitError } from './process.ts';
import { isAncestor, openRepository, pathWithin, type Repository } from './repository.ts';
import { chartBefore, type NamedPath, namedBy, RevisionClusters, type RevisionRequest } from './revision-clusters.ts';
import { RevisionTree, refuseReencodedNow } from './revision-tree.ts';

/** What a cluster had at REF. */
export interface RevisionState {
  readonly ref: string;
  readonly state: readonly JsonObject[];
  /** Their file is `REF:path` in reports. Memberships come first: an id can be deleted only after its membership. */
  readonly deletions: readonly InputObject[];
  /** The Services that it had. */
  readonly supporting: readonly Supporting[];
  /** Returns whether a file at REF is not checked out, as in a sparse checkout, and so unchanged. */
  readonly isOmitted: (file: string) => boolean;
  /** Whether something at REF could not be read, so that a missing object may still exist. */
  readonly incomplete: boolean;
}

export interface Revision extends Pick<RevisionClusters, 'unmatched'> {
  /** The clusters that globs match there, and those that only charts of the configuration name. */
  readonly clusterNames: ReadonlySet<string>;
  /** Returns what a cluster had; undefined is the only cluster of a run. */
  readonly stateOf: (cluster: string | undefined) => RevisionState;
  /** Submodules that are new or changed, and not checked out: their content is unknown. */
  readonly absent: Awaited<ReturnType<RevisionClusters['absentModules']>>;
  readonly errors: readonly PlacedMessage[];
  /** For people, one line each. */
  readonly notes: readonly string[];
}

const NOT_FETCHED =
  '; this is a partial clone, and muster fetches nothing: clone without --filter, or git fetch --refetch ' +
  '--no-filter origin';

/** Reads the revision; or returns why it can't be read, as a text to follow its name. */
export async function readRevision(request: RevisionRequest): Promise<Revision | { readonly problem: string }> {
  const { clusters, several } = request;
  const bases = several?.globs.map(({ base }) => base) ?? [];
  const charts = clusters.flatMap((one) => one.charts.map(({ path }) => path));
  const named = [...clusters.flatMap((one) => one.named), ...bases, ...charts];
  let repository: Repository | undefined;
  try {
    repository = await openRepository(named, request.ref);
    return await compare(repository, request);
  } catch (error) {
    const problem = repository ? toGitError(error, repository.git.folder) : error;
    if (!(problem instanceof GitError)) throw error;
    return { problem: `${problem.message}${repository?.git.isPartial ? NOT_FETCHED : ''}` };
  } finally {
    repository?.git.close();
  }
}

async function compare(repository: Repository, request: RevisionRequest): Promise<Revision> {
  const { clusters } = request;
  const { top } = repository;
  const tree = await RevisionTree.open(repository);
  const base = await RevisionClusters.read(request, tree);
  const { named } = base;
  await refuseReencodedNow(repository, namedBy(named.flatMap(({ now }) => now ?? [])));

  const before = base.objects.filter((input) => identityOf(input) !== undefined);
  const objects = clusters.flatMap((one) => one.objects);
  const deleted = new Set(clusters.flatMap((one) => one.deletions));
  const present = Map.groupBy([...objects, ...deleted], identityOf);
  const isOmitted = (file: string) => tree.isOmitted(tree.pathNamed(file));
  const keeps = keepTest(tree);
  const gone = byIdentity(
    before.filter((input) => {
      // A file that can't be read may still hold the object.
      if (isOmitted(input.file) || base.broken.has(tree.pathNamed(input.file))) return false;
      return !present.get(identityOf(input))?.some((now) => deleted.has(now) || keeps(now, input));
    }),
  );
  const known = new Set(before.map(identityOf));
  const fresh = byIdentity(objects.filter((input) => !known.has(identityOf(input))));
  const others = clusters.flatMap(otherPaths).map((path) => pathWithin(top, path));
  const read = [...base.byPath.keys(), ...[...named.map(({ now }) => now), ...others].flatMap((path) => path ?? [])];
  const moves = await findMoves(tree, namedBy(read), movable(gone, clusters), fresh);

  const deletions = [...gone]
    .filter(([identity]) => !moves.out.has(identity))
    .map(([, input]) => ({ ...input, pathNow: () => join(top, tree.pathNamed(input.file)) }))
    .toSorted((a, b) => Number(isMembership(b)) - Number(isMembership(a)));
  const deletionsOf = Map.groupBy(deletions, ({ cluster }) => cluster);
  const stateOf = Map.groupBy([...before, ...moves.into], ({ cluster }) => cluster);
  const outside = named.filter((one) => one.before === undefined);
  const incomplete = new Set([...base.incomplete, ...outside.map(({ cluster }) => cluster)]);
  return {
    stateOf: (cluster) => ({
      ref: repository.ref,
      state: (stateOf.get(cluster) ?? []).map((input) => stored(input, present.get(identityOf(input)))),
      deletions: deletionsOf.get(cluster) ?? [],
      supporting: base.supporting.get(cluster) ?? [],
      isOmitted,
      incomplete: incomplete.has(cluster),
    }),
    clusterNames: base.names,
    unmatched: base.unmatched,
    absent: await base.absentModules(),
    errors: errorsIn(clusters, named, tree),
    notes: [
      ...base.notes,
      ...moveNotes(gone, moves.out),
      ...unlistedNotes(deletions, present),
      ...(await ancestryNotes(repository, deletions)),
    ],
  };
}

/**
 * Returns the objects that may have moved. A cluster whose path is gone is deleted as a whole: its objects did not move
 * to other folders.
 */
function movable(gone: ByIdentity, clusters: readonly ReadCluster[]): ByIdentity {
  const isLeft = ({ named, charts }: ReadCluster) => [...named, ...charts.map(({ path }) => path)].some(isThere);
  const left = new Set(clusters.filter(isLeft).map(({ name }) => name));
  return new Map([...gone].filter(([, { cluster }]) => cluster === undefined || left.has(cluster)));
}

/** Returns the paths of a cluster that are not checked as its manifests: no object moves there. */
function otherPaths({ deleted, state = [], charts }: ReadCluster): readonly string[] {
  return [...deleted, ...state, ...charts.flatMap(({ path, values }) => [path, ...values])];
}

/** Returns the object as the cluster stored it. @param now the same object in the working tree */
function stored({ object }: InputObject, now: readonly InputObject[] = []): JsonObject {
  const dialect = dialectOfObject(object);
  const isChanged = !now.some((one) => isDeepStrictEqual(one.object, object));
  return dialect === undefined ? object : storedFromFile(dialect, object, isChanged);
}

function isMembership({ object }: InputObject): boolean {
  return textAt(object, ['metadata', 'name']) === dialectOfObject(object)?.claim?.membershipName;
}

/** Returns an error for each path and chart that is outside of the repository, or neither here nor at REF. */
function errorsIn(
  clusters: readonly ReadCluster[],
  named: readonly NamedPath[],
  tree: RevisionTree,
): readonly PlacedMessage[] {
  const { top } = tree.repository;
  const ofPaths = named.flatMap(({ path, before }) => {
    if (before === undefined)
      return errorAbout(path, `it is outside of the repository ${top}: name it in a run of its own`);
    const message = "can't read it: no such file or folder, neither here nor at --base-ref";
    return isThere(path) || tree.has(before) ? [] : errorAbout(path, message);
  });
  const ofCharts = clusters.flatMap(({ charts }) =>
    charts.flatMap((chart) => {
      const before = chartBefore(chart, tree);
      if (before && (isThere(chart.path) || tree.has(tree.pathOf(before.path)))) return [];
      const isOutside = `it or its values are outside of the repository ${top}`;
      const message = before === undefined ? isOutside : 'no such folder, neither here nor at --base-ref';
      return { file: chart.config, ...locateProblem(chart, 'chart', `${quoted(chart.path)}: ${message}`) };
    }),
  );
  return [...ofPaths, ...ofCharts];
}

function moveNotes(gone: ByIdentity, moved: ReadonlyMap<string, string>): string[] {
  return [...moved].map(([identity, path]) =>
    noteAt(gone.get(identity) as InputObject, `moved to ${path}, which is not checked in this run`),
  );
}

/** Returns a note for each deleted object that a file has, but no rendering. */
function unlistedNotes(
  deletions: readonly InputObject[],
  present: ReadonlyMap<string | undefined, readonly InputObject[]>,
): string[] {
  return deletions.flatMap((input) => {
    const [now] = present.get(identityOf(input)) ?? [];
    if (now === undefined) return [];
    const message = `${now.file} has it, but no chart or kustomization around that file; so it counts as deleted`;
    return noteAt(input, message);
  });
}

/** Returns a note if objects count as deleted only because REF got them after this branch began. */
async function ancestryNotes(repository: Repository, deletions: readonly unknown[]): Promise<string[]> {
  if (deletions.length === 0 || (await isAncestor(repository)) !== false) return [];
  const { ref } = repository;
  const fix = `--base-ref "$(git merge-base ${ref} HEAD)" avoids that`;
  const problem = `the checkout is not based on ${ref}: files that were added there since count as deleted`;
  return [noteLine(`--base-ref ${ref}`, `${problem}; ${fix}`)];
}

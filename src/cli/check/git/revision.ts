/**
 * Compares the named paths with a git revision (`--base-ref REF`): their objects there are the previous state, and
 * objects that are gone since are deleted. The files of the revision are written into a private folder and read like
 * any others. Objects are compared by identity, in any file.
 */
import { join, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, textAt } from '../../../base/json.ts';
import { plain, quoted } from '../../../base/text.ts';
import {
  type ContextDocuments,
  dialectOfObject,
  type InputObject,
  NO_CONTEXT,
  type Renderer,
  readObjects,
} from '../../../cluster/files/index.ts';
import { isInside } from '../../../documents/bytes.ts';
import type { CheckError } from '../../output/report.ts';
import { type ClusterChart, locateProblem } from '../clusters/charts.ts';
import { foldersMatching } from '../clusters/find.ts';
import { ancestorsOf, type Glob, isLiteral } from '../clusters/glob.ts';
import type { ClusterRequest } from '../clusters/request.ts';
import { isThere } from '../paths.ts';
import { storedFromFile } from '../writes.ts';
import { type BaseFile, changesSince, filesAt, namedBy } from './changed-files.ts';
import { chartsAt } from './charts-at-revision.ts';
import { type Checkout, type Links, linksOf, openCheckout } from './checkout.ts';
import { unwritable } from './isolation.ts';
import { type ByIdentity, findMoves } from './moves.ts';
import { identityOf, inCluster } from './objects.ts';
import { GitError } from './process.ts';
import { isAncestor, openRepository, pathWithin, placeWithin, type Repository } from './repository.ts';

interface RevisionRequest {
  readonly ref: string;
  /** As the user named them, each with its cluster if there are several; some may be gone from the working tree. */
  readonly roots: readonly { readonly path: string; readonly cluster?: string | undefined }[];
  /** Their matches at REF are clusters too. */
  readonly globs: readonly Glob[];
  /** Of the configuration in the working tree. Some may be gone from there. */
  readonly charts: readonly ClusterChart[];
  /** The file of the configuration, which may list other charts at REF. */
  readonly config: string | undefined;
  /** What names the clusters, if there are several. */
  readonly namedBy: ClusterRequest['namedBy'] | undefined;
  /** Paths of --state and --deleted: no object moves to an export of a cluster. */
  readonly otherPaths: readonly string[];
  /** Renders charts and kustomizations, if the run does. */
  readonly render?: Renderer | undefined;
  /** What the working tree holds. */
  readonly documents: readonly InputObject[];
  /** The Services that it holds, by cluster. */
  readonly contexts: ReadonlyMap<string | undefined, ContextDocuments>;
  /** What --deleted names. */
  readonly deletions: readonly InputObject[];
  /** Files in which nothing was found. What did not change need not be read again. */
  readonly barren: readonly string[];
  /** Files that could not be read whole. */
  readonly unreadable: ReadonlySet<string>;
}

/** What a cluster had at REF. */
export interface BaseState {
  readonly state: readonly JsonObject[];
  /** Their file is `REF:path` in reports. Memberships come first: an id can be deleted only after its membership. */
  readonly deletions: readonly InputObject[];
  /** The Services that it had. */
  readonly context: ContextDocuments;
  /** Whether a file at REF is not checked out, so that it did not change. */
  readonly isOmitted: (source: string) => boolean;
  /** Whether something at REF could not be read, so that absence proves nothing. */
  readonly incomplete: boolean;
}

export interface Revision {
  /** Returns what a cluster had; undefined is the only cluster of a run. */
  readonly of: (cluster: string | undefined) => BaseState;
  /** The clusters that globs name at REF. */
  readonly clusters: ReadonlySet<string>;
  /** Globs that match no folder at REF. */
  readonly unmatched: readonly Glob[];
  readonly errors: readonly CheckError[];
  /** For people, one line each. */
  readonly notes: readonly string[];
}

const NOWHERE = "can't read it: no such file or folder, neither here nor at --base-ref";
const NO_CHART = 'no such folder, neither here nor at --base-ref';
const NOT_FETCHED =
  '; this is a partial clone, and muster fetches nothing: clone without --filter, or git fetch --refetch ' +
  '--no-filter origin';
/** The files that say what others are. */
const DESCRIPTIONS = /(^|\/)(Chart\.yaml|kustomization\.ya?ml|Kustomization)$/;

/** Reads the revision; or returns why it can't be read, in words that fit after its name. */
export async function readRevision(request: RevisionRequest): Promise<Revision | { readonly problem: string }> {
  let repository: Repository | undefined;
  try {
    repository = await openRepository(namedIn(request), request.ref);
    return await compare(repository, request);
  } catch (error) {
    const problem = repository ? unwritable(error, repository.git.folder) : error;
    if (!(problem instanceof GitError)) throw error;
    return { problem: `${problem.message}${repository?.git.isPartial ? NOT_FETCHED : ''}` };
  } finally {
    repository?.git.close();
  }
}

function namedIn({ roots, globs, charts }: RevisionRequest): readonly string[] {
  return [...roots.map(({ path }) => path), ...globs.map(({ base }) => base), ...charts.map(({ path }) => path)];
}

async function compare(repository: Repository, request: RevisionRequest): Promise<Revision> {
  const { ref, otherPaths, documents, unreadable } = request;
  const { top } = repository;
  const [all, changes, checkout] = await Promise.all([
    filesAt(repository),
    changesSince(repository),
    openCheckout(repository),
  ]);
  const links = await linksOf(checkout, all);
  const places = placesOf(request, top, new Set(all.flatMap(({ path }) => ancestorsOf(path))), links);
  const isUnchanged = (path: string) => !changes.has(path) && isThere(join(top, path));
  await writeNeeded(checkout, all, links, request, places, isUnchanged);
  const clusters = clustersAt(checkout, links, request.globs, places);
  const base = await readBase({ request, repository, checkout, all, clusters, changes, isUnchanged, places });
  const present = Map.groupBy([...documents, ...request.deletions], identityOf);
  // A file that can't be read may still hold the object.
  const unclear = new Set([...unreadable].map((file) => `${ref}:${places.within(file)}`));
  // A file that is not checked out (in a sparse checkout) did not change.
  const files = new Set(all.map(({ path }) => path));
  const isOmittedFile = (path: string) => files.has(path) && !changes.has(path) && !isThere(join(top, path));
  const isOmitted = (source: string) => {
    const path = source.slice(ref.length + 1);
    return isOmittedFile(path) || isOmittedFile(`${path}/Chart.yaml`);
  };
  const isGone = (one: InputObject) =>
    !present.has(identityOf(one)) && !unclear.has(one.source) && !isOmitted(one.source);
  const known = new Set(base.objects.map(identityOf));
  const gone = byIdentity(base.objects.filter(isGone));
  const fresh = byIdentity(documents.filter((one) => !known.has(identityOf(one))));
  // A cluster whose path is gone has nothing any more, whatever another folder keeps of it.
  const left = new Set([...request.roots, ...request.charts].flatMap((one) => (isThere(one.path) ? one.cluster : [])));
  const movable = [...gone].filter(([, { cluster }]) => cluster === undefined || left.has(cluster));
  const isNamed = namedBy([...clusters.byPath.keys(), ...places.roots.flatMap(({ today }) => today ?? [])]);
  const isOther = namedBy(otherPaths.flatMap((path) => pathWithin(top, path) ?? []));
  const isElsewhere = (path: string) => isNamed(path) || isOther(path);
  const moves = await findMoves({ repository, checkout, all, changes, isElsewhere }, new Map(movable), fresh);
  const pathOf = (source: string) => join(top, source.slice(ref.length + 1));
  const deletions = [...gone].flatMap(([identity, input]) =>
    moves.out.has(identity) ? [] : { ...input, pathNow: () => pathOf(input.source) },
  );
  const errors = places.roots.flatMap(({ path, inside, isAtBase }) => {
    const isOutside = `it is outside of the repository ${top}: name it in a run of its own`;
    if (inside === undefined) return errorIn(path, isOutside);
    return isThere(path) || isAtBase ? [] : errorIn(path, NOWHERE);
  });
  for (const { chart, inside, isAtBase } of places.charts) {
    const message = inside === undefined ? `it or its values are outside of the repository ${top}` : NO_CHART;
    if (inside === undefined || (!isAtBase && !isThere(chart.path)))
      errors.push({ file: chart.config, ...locateProblem(chart, 'chart', `${quoted(chart.path)}: ${message}`) });
  }
  const stateOf = Map.groupBy([...base.objects, ...moves.into], ({ cluster }) => cluster);
  const sorted = deletions.toSorted((a, b) => Number(isMembership(b)) - Number(isMembership(a)));
  const deletionsOf = Map.groupBy(sorted, ({ cluster }) => cluster);
  for (const { inside, cluster } of places.roots) if (inside === undefined) base.incomplete.add(cluster);
  return {
    of: (cluster) => ({
      state: (stateOf.get(cluster) ?? []).map((input) => stored(input, present.get(identityOf(input)))),
      deletions: deletionsOf.get(cluster) ?? [],
      context: base.contexts.get(cluster) ?? NO_CONTEXT,
      isOmitted,
      incomplete: base.incomplete.has(cluster),
    }),
    clusters: new Set([...clusters.names, ...base.chartClusters]),
    unmatched: clusters.unmatched,
    errors,
    notes: [...base.notes, ...moveNotes(gone, moves.out), ...(await ancestryNotes(repository, ref, deletions))],
  };
}

/** A path of the user, in the working tree and at REF. */
interface PathAtBase {
  readonly path: string;
  readonly cluster?: string | undefined;
  /** Where it leads at REF, within the repository, with `/`; undefined outside. */
  readonly inside: string | undefined;
  readonly isAtBase: boolean;
  /** Where it leads in the working tree. A change may let a link lead elsewhere. */
  readonly today: string | undefined;
}

/** A chart of the configuration, in the working tree and at REF. */
interface ChartAtBase {
  readonly chart: ClusterChart;
  /** The paths of the chart and its values within the repository; undefined if one is outside. */
  readonly inside: { readonly path: string; readonly values: readonly string[] } | undefined;
  readonly isAtBase: boolean;
}

interface Places {
  readonly roots: readonly PathAtBase[];
  readonly charts: readonly ChartAtBase[];
  /** The configuration within the repository. */
  readonly config: string | undefined;
  /** Returns where a path leads at REF, within the repository; undefined outside. */
  insideOf(path: string): string | undefined;
  /** Returns where a file in one of the roots was at REF, if it was there. */
  within(file: string): string;
  /** Returns the same for an existing file of the working tree; undefined if its root leads elsewhere than at REF. */
  sameAtBase(file: string): string | undefined;
}

/** @param known all files and folders of the revision */
function placesOf(
  { roots, charts, config }: RevisionRequest,
  top: string,
  known: ReadonlySet<string>,
  links: Links,
): Places {
  const insideOf = (path: string) => {
    const place = placeWithin(top, path);
    const target = place === undefined ? undefined : links.resolve(place);
    if (target === '' || (target !== undefined && known.has(target))) return target;
    const link = place === undefined ? undefined : links.linkIn(place);
    // A link that leads out of the repository at REF is reported when it is read. If REF lacks the link, its target
    // counts.
    return link === undefined ? pathWithin(top, path) : (target ?? link);
  };
  const found = roots.map((root): PathAtBase & { readonly at: string } => {
    const inside = insideOf(root.path);
    const isAtBase = inside === '' || known.has(inside ?? '');
    return { ...root, at: resolve(root.path), inside, isAtBase, today: pathWithin(top, root.path) };
  });
  const rootOf = (full: string) => found.find(({ at, inside }) => inside !== undefined && isInside(full, at));
  const within = (file: string) => {
    const full = resolve(file);
    const root = rootOf(full);
    const rest = root && full.slice(root.at.length).split(sep);
    return rest ? [root.inside, ...rest].filter(Boolean).join('/') : (pathWithin(top, file) ?? file);
  };
  const placeOf = (chart: ClusterChart): ChartAtBase => {
    const path = insideOf(chart.path);
    const values = chart.values.flatMap((file) => insideOf(file) ?? []);
    const isOutside = path === undefined || values.length < chart.values.length;
    return { chart, inside: isOutside ? undefined : { path, values }, isAtBase: path === '' || known.has(path ?? '') };
  };
  return {
    roots: found,
    charts: charts.map(placeOf),
    config: config === undefined ? undefined : insideOf(config),
    insideOf,
    within,
    sameAtBase(file) {
      const root = rootOf(resolve(file));
      return root === undefined || root.inside === root.today ? within(file) : undefined;
    },
  };
}

/**
 * Writes what the ordinary reader needs: manifests under the named paths, files that describe others, links and their
 * targets. Unchanged files in which the working tree had no object of ours are left out. A program that renders may
 * read any file.
 */
async function writeNeeded(
  checkout: Checkout,
  all: readonly BaseFile[],
  links: Links,
  { globs, barren, render }: RevisionRequest,
  places: Places,
  isUnchanged: (path: string) => boolean,
): Promise<void> {
  // A folder that is named without a wildcard may be a link.
  const bases = globs.map((glob) => (isLiteral(glob) ? join(glob.base, glob.names[0] ?? '') : glob.base));
  const paths = [...places.roots.map(({ inside }) => inside), ...bases.map(places.insideOf)];
  const isNamed = namedBy(paths.flatMap((path) => path ?? []));
  const empty = new Set(barren.flatMap((file) => places.sameAtBase(file) ?? []));
  const isNeeded = ({ path, kind }: BaseFile) => {
    if (kind !== 'file' || render !== undefined || DESCRIPTIONS.test(path)) return true;
    return isNamed(path) && !(empty.has(path) && isUnchanged(path));
  };
  await checkout.write(all.filter(isNeeded));
  await checkout.write(links.targets);
}

interface BaseClusters {
  /** The clusters by path within the repository, named roots too. */
  readonly byPath: ReadonlyMap<string, string | undefined>;
  /** Those that globs name at REF. */
  readonly names: readonly string[];
  readonly unmatched: readonly Glob[];
}

/** Finds the clusters that globs name at REF. */
function clustersAt({ folder, pathOf }: Checkout, links: Links, globs: readonly Glob[], places: Places): BaseClusters {
  const found = globs.map((glob) => {
    const base = places.insideOf(glob.base);
    return base === undefined ? [] : foldersMatching({ ...glob, base: join(folder, base) }).roots;
  });
  const whereOf = (path: string) => links.resolve(pathOf(path)) ?? pathOf(path);
  const matched = found.flat().map(({ name, path }) => [whereOf(path), name] as const);
  const named = places.roots.flatMap(({ inside, cluster }) =>
    inside === undefined ? [] : [[inside, cluster] as const],
  );
  return {
    byPath: new Map([...named, ...matched]),
    names: matched.map(([, name]) => name),
    unmatched: globs.filter((_, index) => found[index]?.length === 0),
  };
}

interface BaseReading {
  readonly request: RevisionRequest;
  readonly repository: Repository;
  readonly checkout: Checkout;
  readonly all: readonly BaseFile[];
  readonly clusters: BaseClusters;
  readonly changes: ReadonlySet<string>;
  readonly isUnchanged: (path: string) => boolean;
  readonly places: Places;
}

interface BaseObjects {
  readonly objects: readonly InputObject[];
  readonly notes: readonly string[];
  /** The Services, by cluster. */
  readonly contexts: ReadonlyMap<string | undefined, ContextDocuments>;
  /** The clusters that only charts at REF name. */
  readonly chartClusters: readonly string[];
  /** The clusters of which something could not be read, so that absence proves nothing. */
  readonly incomplete: Set<string | undefined>;
}

/** Reads each cluster at REF. What can't be read is a note. */
async function readBase(reading: BaseReading): Promise<BaseObjects> {
  const { request, repository, checkout, all, clusters, changes, isUnchanged, places } = reading;
  const { ref, render, documents, unreadable } = request;
  const { folder, pathOf } = checkout;
  const clusterOf = (path: string) => {
    return [...ancestorsOf(path), ''].map((at) => clusters.byPath.get(at)).find(Boolean);
  };
  const broken = new Set([...unreadable].map(places.within));
  const incomplete = new Set([...broken].map(clusterOf));
  for (const { chart, inside } of places.charts)
    if (inside === undefined || broken.has(inside.path)) incomplete.add(chart.cluster);
  const notes: string[] = [];
  const note = (where: string, cluster: string | undefined, message: string) => {
    notes.push(noteLine(where, `${message}; so no object counts as deleted`));
    incomplete.add(cluster);
  };
  const objects: InputObject[] = [];
  const contexts = new Map<string | undefined, ContextDocuments>();
  const known = new Set(all.flatMap(({ path }) => ancestorsOf(path)));
  const nameOf = (file: string) => `${ref}:${pathOf(file) || '.'}`;
  const renderHere = render && ((one: Parameters<Renderer>[0]) => render({ ...one, repository: repository.top }));
  const rootsOf = Map.groupBy(clusters.byPath, ([, name]) => name);
  const baseCharts = await chartsIn(reading).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'ConfigError')) throw error;
    for (const cluster of new Set(request.charts.map((chart) => chart.cluster)))
      note(`${ref}:${places.config}`, cluster, `can't read which charts it lists: ${error.message.split('\n')[0]}`);
    return [];
  });
  const chartsOf = Map.groupBy(baseCharts, (chart) => chart.cluster);
  for (const cluster of new Set([...rootsOf.keys(), ...chartsOf.keys()])) {
    const at = rootsOf.get(cluster) ?? [];
    const paths = at.filter(([path]) => path === '' || known.has(path)).map(([path]) => join(folder, path));
    const charts = cluster === undefined ? [] : chartsOf.get(cluster);
    const read = await readObjects(paths, { nameOf, bounds: folder, render: renderHere, charts });
    contexts.set(cluster, read.context);
    for (const input of read.objects) if (identityOf(input) !== undefined) objects.push(inCluster(input, cluster));
    for (const { source, line, column, message } of read.errors) {
      const path = source.slice(ref.length + 1);
      // An error about the file as it is now says the same.
      if (!(broken.has(path) && isUnchanged(path))) note(`${source}:${line}:${column}`, cluster, message);
    }
  }
  const isNamed = namedBy([...clusters.byPath.keys()]);
  for (const { path, kind } of all) {
    if (kind !== 'module' || !isNamed(path, true)) continue;
    const problem = 'a submodule that changed since: its files at that revision are not read';
    if (changes.has(path)) note(`${ref}:${path}`, clusterOf(path), problem);
    else {
      const isInside = (source: string) => places.within(source).startsWith(`${path}/`);
      objects.push(...documents.filter(({ source }) => isInside(source)));
      for (const [cluster, context] of request.contexts)
        contexts.set(cluster, withUnchanged(contexts.get(cluster), context, isInside));
    }
  }
  const chartClusters = request.namedBy === 'charts' ? [...chartsOf.keys()] : [];
  const identified = objects.filter((input) => identityOf(input) !== undefined);
  return { objects: identified, contexts, notes, chartClusters, incomplete };
}

/** Returns the Services at REF with those of the working tree that are in a place which did not change. */
function withUnchanged(
  base: ContextDocuments = NO_CONTEXT,
  now: ContextDocuments,
  isUnchanged: (source: string) => boolean,
): ContextDocuments {
  return {
    sources: base.sources,
    read(kind) {
      const [before, today] = [base.read(kind), now.read(kind)];
      const objects = [...before.objects, ...today.objects.filter(({ source }) => isUnchanged(source))];
      return { objects, isIncomplete: before.isIncomplete || today.isIncomplete };
    },
  };
}

/**
 * Returns the charts that the configuration at REF lists for clusters of the run; those of today, if it lists none.
 * @throws ConfigError if that configuration can't be read
 */
async function chartsIn({ request, checkout, clusters, places }: BaseReading): Promise<readonly ClusterChart[]> {
  const { ref, render, namedBy, roots, charts } = request;
  if (render === undefined || namedBy === undefined) return [];
  const { folder } = checkout;
  const { config } = places;
  const listed = config === undefined ? undefined : await chartsAt(join(folder, config), `${ref}:${config}`, folder);
  if (listed === undefined) return places.charts.flatMap((place) => chartAt(place, folder));
  if (namedBy === 'charts') return listed;
  // Flags leave aside what is listed for a cluster without a folder here.
  const atBase = namedBy === 'globs' ? clusters.names : [];
  const known = new Set([...[...roots, ...charts].map(({ cluster }) => cluster), ...atBase]);
  return listed.filter(({ cluster }) => known.has(cluster));
}

/** Returns a chart as it was at REF. One that was not there held nothing; the renderer reports values that were not. */
function chartAt({ chart, inside, isAtBase }: ChartAtBase, folder: string): ClusterChart[] {
  if (inside === undefined || !isAtBase) return [];
  const [path, ...values] = [inside.path, ...inside.values].map((at) => join(folder, at));
  return path === undefined ? [] : [{ ...chart, path, values, bounds: folder }];
}

function stored({ object }: InputObject, now: readonly InputObject[] = []): JsonObject {
  const dialect = dialectOfObject(object);
  const isChanged = !now.some((one) => isDeepStrictEqual(one.object, object));
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
  const fix = `--base-ref "$(git merge-base ${ref} HEAD)" avoids that`;
  const problem = `the checkout is not based on ${ref}: files that were added there since count as deleted`;
  return [noteLine(`--base-ref ${ref}`, `${problem}; ${fix}`)];
}

/** Returns `location: note: message`, safe to print. */
function noteLine(location: string, message: string): string {
  return plain(`${location}: note: ${message}`);
}

function errorIn(file: string, message: string): CheckError {
  return { file, line: 1, column: 1, message };
}

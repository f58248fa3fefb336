/**
 * `--base-ref REF`: what exists before is what the named paths hold at a git revision; what is there, and no more in the
 * working tree, is deleted. Objects are told by their identity, whatever file they stand in.
 */
import type { GivenObject } from '../../../cluster/files/index.ts';
import { textAt } from '../../../rules/json.ts';
import type { JsonObject } from '../../../rules/rule.ts';
import type { CheckError } from '../../output/report.ts';
import { dialectOfInput } from '../operations.ts';
import { storedFromFile } from '../writes.ts';
import { type Gathered, gather, noteLine, type WorkingTree } from './collect.ts';
import { type BaseFile, changesSince, filesAt, namedBy } from './files.ts';
import { type Border, movedIn, movedOut } from './moves.ts';
import { identityOf } from './objects.ts';
import { GitError } from './process.ts';
import { isAncestor, isThere, openRepository, pathWithin, type Repository } from './repository.ts';

export interface RevisionRequest extends WorkingTree {
  readonly ref: string;
  /** As the user named them; some may be gone from the working tree. */
  readonly paths: readonly string[];
  /** Paths of --state and --deleted. */
  readonly otherPaths: readonly string[];
  /** What --deleted names. */
  readonly deletions: readonly GivenObject[];
}

export interface Revision {
  readonly state: readonly JsonObject[];
  /** As `REF:path` in reports. Memberships first: nobody said an order, and an id can go after its membership only. */
  readonly deletions: readonly GivenObject[];
  readonly errors: readonly CheckError[];
  /** What people should know, one line each. */
  readonly notes: readonly string[];
  /** Whether something at REF could not be read: then absence proves nothing. */
  readonly incomplete: boolean;
}

/** How git is called where an error has no file. */
const GIT = '<git>';

/** Never throws for what the user can fix: that is in the errors, and then nothing is known of what exists. */
export async function readRevision(request: RevisionRequest): Promise<Revision> {
  try {
    return await compare(request);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const message = `--base-ref ${request.ref}: ${error.message}`;
    const gone = request.paths.filter((path) => !isThere(path)).map((path) => errorIn(path, NOWHERE));
    return { state: [], deletions: [], errors: [errorIn(GIT, message), ...gone], notes: [], incomplete: true };
  }
}

const NOWHERE = "can't read it: no such file or folder, neither here nor at --base-ref";

async function compare(request: RevisionRequest): Promise<Revision> {
  const repository = await openRepository(request.paths, request.ref);
  try {
    return await compareWith(repository, request);
  } catch (error) {
    if (error instanceof GitError && repository.git.isPartial) throw new GitError(`${error.message}${NOT_FETCHED}`);
    throw error;
  } finally {
    repository.git.close();
  }
}

const NOT_FETCHED =
  '; this is a partial clone, and muster fetches nothing: clone without --filter, or git fetch --refetch --no-filter origin';

async function compareWith(repository: Repository, request: RevisionRequest): Promise<Revision> {
  const { ref, paths } = request;
  const within = paths.map((path) => ({ path, inside: pathWithin(repository.top, path) }));
  const named = within.flatMap(({ inside }) => inside ?? []);
  const [files, changes] = await Promise.all([filesAt(repository, named), changesSince(repository)]);
  const aside = request.otherPaths.flatMap((path) => pathWithin(repository.top, path) ?? []);
  const border = { repository, ref, changes, isNamed: namedBy(named), isAside: namedBy(aside) };
  const gathered = await gather(request, border, files);
  const [deletions, moved] = await deletionsOf(request, border, gathered);
  const known = new Set([...gathered.kept, ...gathered.changed].map(identityOf));
  const fresh = byIdentity(request.documents.filter((given) => !known.has(identityOf(given))));
  const arrived = await movedIn(border, fresh);
  const outside = within.filter(({ inside }) => inside === undefined).map(({ path }) => path);
  const absent = within.filter(({ path, inside }) => inside !== undefined && !isThere(path) && !isIn(files, inside));
  return {
    state: [
      ...gathered.kept.map((given) => stored(given, false)),
      ...[...gathered.changed, ...arrived].map((given) => stored(given, true)),
    ],
    deletions,
    errors: [
      ...outside.map((path) =>
        errorIn(path, `it lies outside of the repository ${repository.top}: name it in a run of its own`),
      ),
      ...absent.map(({ path }) => errorIn(path, NOWHERE)),
    ],
    notes: [...gathered.notes, ...moved, ...(await noteOnAncestry(repository, ref, deletions))],
    incomplete: gathered.incomplete || outside.length > 0,
  };
}

/** What is gone, and notes on what only went elsewhere. */
async function deletionsOf(
  { ref, documents, deletions: named, unreadable }: RevisionRequest,
  border: Border,
  { changed }: Gathered,
): Promise<[readonly GivenObject[], readonly string[]]> {
  const { top } = border.repository;
  const present = new Set([...documents, ...named].map(identityOf));
  // What can't be read now may hold the object still.
  const unclear = new Set([...unreadable].map((file) => `${ref}:${pathWithin(top, file)}`));
  const gone = byIdentity(changed.filter((given) => !present.has(identityOf(given)) && !unclear.has(given.source)));
  const moved = await movedOut(border, gone);
  const deletions = [...gone].filter(([identity]) => !moved.has(identity)).map(([, given]) => given);
  const notes = [...moved].flatMap(([identity, path]) => {
    const given = gone.get(identity);
    return given === undefined ? [] : noteLine(placeOf(given), `moved to ${path}, which is not checked in this run`);
  });
  return [[...deletions.filter(isMembership), ...deletions.filter((given) => !isMembership(given))], notes];
}

function stored(given: GivenObject, changed: boolean): JsonObject {
  const dialect = dialectOfInput(given);
  return dialect === undefined ? given.object : storedFromFile(dialect, given.object, changed);
}

function isMembership(given: GivenObject): boolean {
  return textAt(given.object, ['metadata', 'name']) === dialectOfInput(given)?.claim?.membershipName;
}

/** The first of each. */
function byIdentity(objects: readonly GivenObject[]): ReadonlyMap<string, GivenObject> {
  const found = new Map<string, GivenObject>();
  for (const given of objects) {
    const identity = identityOf(given);
    if (identity !== undefined && !found.has(identity)) found.set(identity, given);
  }
  return found;
}

/** What was added to a branch since ours began counts as deleted here: worth a word where something is. */
async function noteOnAncestry(repository: Repository, ref: string, deletions: readonly unknown[]): Promise<string[]> {
  if (deletions.length === 0 || (await isAncestor(repository)) !== false) return [];
  const advice = `--base-ref "$(git merge-base ${ref} HEAD)" leaves that out`;
  return [
    noteLine(
      GIT,
      `what is checked out does not build on ${ref}: what was added there since counts as deleted; ${advice}`,
    ),
  ];
}

function isIn(files: readonly BaseFile[], named: string | undefined): boolean {
  return files.some(({ path }) => path === named || path.startsWith(`${named}/`));
}

function placeOf({ source, start }: GivenObject): string {
  return `${source}:${start.line}:${start.column}`;
}

function errorIn(file: string, message: string): CheckError {
  return { file, line: 1, column: 1, message };
}

/** Reads the previous state of a run, by --state, --base-ref and --live, and the deletions that --base-ref adds. */

import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isFolder, isInside, isThere, textOfFile } from '../../documents/files.ts';
import { couldNameOurs } from '../../documents/index.ts';
import type { ServiceSources } from '../../evaluation/exported-services.ts';
import type { ClusterWrites } from '../../evaluation/run-evaluation.ts';
import type { ReadCluster } from '../../input/clusters/inputs.ts';
import { sameObjectFinder } from '../../input/clusters/same-object.ts';
import type { RevisionState } from '../../input/git/revision.ts';
import { type InputObject, keyOf, placeIn, referenceOf } from '../../input/objects.ts';
import type { Place, PlacedMessage } from '../../input/place.ts';
import { readState, type SourcesOptions } from '../../input/sources.ts';
import { isManifestPath } from '../../input/walk.ts';

/** The writes of a cluster with the state before them. */
interface PreviousState extends Pick<ClusterWrites, 'objects' | 'deletions' | 'view' | 'places' | 'services'> {
  /** Errors of the state, not of the objects. */
  readonly errors: readonly PlacedMessage[];
  readonly notes: readonly string[];
}

/**
 * Reads what is known of the previous state of one cluster; for the rest, what `checkCluster` assumes without it holds.
 * @param own the Services of the cluster without that state
 * @param base its deletions count always, its state only without `--state` and `--live`
 */
export async function readPreviousState(
  cluster: ReadCluster,
  own: ServiceSources,
  base: RevisionState | undefined,
  options: SourcesOptions,
): Promise<Partial<PreviousState>> {
  const { objects, live, state } = cluster;
  const deletions = [...cluster.deletions, ...(base?.deletions ?? [])];
  if (live) return live.read(objects, deletions);
  if (state) return { deletions, ...(await readFiles(own, state, options)) };
  return { deletions, ...(base && stateAt(own, base)) };
}

/** Reads `--state`. */
async function readFiles(own: ServiceSources, state: readonly string[], options: SourcesOptions) {
  const places = new Map<string, Place>();
  const findSame = sameObjectFinder();
  let same: string | undefined;
  const onStored = (input: InputObject) => {
    addPlace(places, input);
    same ??= findSame(input);
  };
  const read = await readState(state, { ...options, onStored });
  const incomplete = read.errors.length > 0;
  const unreadBefore = incomplete ? 'part of --state could not be read' : undefined;
  const unread = own.unread ?? unreadBefore;
  const services = { ...own, before: read.supporting, unread, unreadBefore };
  const notes = same ? [sameObjectNote(same)] : [];
  return { view: { state: read.objects, incomplete }, services, places, errors: read.errors, notes };
}

function stateAt(own: ServiceSources, { ref, state, incomplete, supporting, isOmitted: stays }: RevisionState) {
  // If the revision has no object, the cluster may still have some.
  const known = state.length > 0 ? state : undefined;
  const unreadBefore = incomplete ? `part of --base-ref ${ref} could not be read` : undefined;
  const services = { ...own, before: supporting, stays, unreadBefore };
  return { view: { state: known, incomplete, from: `--base-ref ${ref}` }, services };
}

/**
 * Returns a note if files were named, and not their folder, in which another file may hold objects of muster's kinds:
 * with `--base-ref`, these count as absent.
 */
export function unreadNotes(paths: readonly string[]): readonly string[] {
  const named = paths.map((path) => resolve(path));
  const isNamed = (file: string) => named.some((path) => isInside(resolve(file), path));
  const folders = new Set(paths.filter((path) => isThere(path) && !isFolder(path)).map((path) => dirname(path)));
  const isUnread = (file: string) => isManifestPath(file) && !isNamed(file) && couldNameOurs(textOfFile(file) ?? '');
  const unread = [...folders].flatMap(filesIn).find(isUnread);
  if (unread === undefined) return [];
  const fix = `name the folder ${dirname(unread)} to read them`;
  const message = `${unread} was not named: if it has objects of muster's kinds, they count as absent; ${fix}`;
  return [`note: ${message}`];
}

/** Returns the files of a folder; none of one that may not be listed. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isFile() ? join(folder, one.name) : []));
  } catch {
    return [];
  }
}

/** Adds the place of an object. If several documents have it, the last one counts, since it is stored. */
function addPlace(places: Map<string, Place>, input: InputObject): void {
  const reference = referenceOf(input.object);
  if (reference) places.set(keyOf(reference), placeIn(input));
}

/** Returns a note that two files of a state hold the same object: they may be of two clusters. */
function sameObjectNote(same: string): string {
  return `note: ${same}, and the last one read counts; if these are two clusters, give --state that of the checked one`;
}

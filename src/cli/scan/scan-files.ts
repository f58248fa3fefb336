/** Scans objects in files: an export, a backup, or a repository that a cluster mirrors. */

import { type Dialect, dialects } from '../../api/dialects.ts';
import { addAll, getOrInsert } from '../../base/collections.ts';
import { storedServices } from '../../evaluation/exported-services.ts';
import { createResultStore } from '../../evaluation/results.ts';
import { sameObjectFinder } from '../../input/clusters/same-object.ts';
import {
  type InputObject,
  type InvalidInput,
  placeIn,
  referenceOf,
  unknownVersion,
  unquotedName,
  withCluster,
} from '../../input/objects.ts';
import { invalidInput, type PlacedMessage } from '../../input/place.ts';
import { readObjects, type SourcesOptions } from '../../input/sources.ts';
import { createSkipLog } from '../notes.ts';
import { createKindScan, type KindScan, type Scan, type ScanResults, type Stored } from './kind-scan.ts';
import { namesOfExports } from './services.ts';

interface FileScan extends Scan, FileReading {
  /** Files and folders; `-` is standard input. */
  readonly state: readonly string[];
}

export interface FileReading extends Pick<SourcesOptions, 'stdin' | 'onReadProgress' | 'onFileRead'> {
  /** Called with a line for each file, document and object that is skipped. */
  readonly listSkipped?: ((line: string) => void) | undefined;
}

/** Scans the objects. Bad input is an error of the results, and the rest is evaluated. */
export async function scanFiles(scan: FileScan): Promise<ScanResults> {
  const results = createResultStore();
  const skipLog = createSkipLog(scan.listSkipped, 'muster scan --state -');
  const input = await readObjects(scan.state, { ...scan, ...skipLog });
  addAll(results.errors, input.errors);
  const unknown = input.errors.length > 0 ? 'part of --state could not be read' : undefined;
  let { skipped } = input;
  const kinds = new Map<Dialect, KindScan>();
  for (const object of input.objects) {
    const stored = storedIn(object);
    if (stored === undefined) {
      skipped++;
      const { file, start, apiVersion, kind } = object;
      skipLog.onSkipped({ file, ...start, message: NOT_STORED, apiVersion, kind });
    } else if ('message' in stored) results.errors.push(stored);
    else {
      const { dialect } = stored.reference;
      await getOrInsert(kinds, dialect, () => createKindScan({ ...scan, dialect, results })).add(stored);
    }
  }
  for (const kind of kinds.values()) await kind.finish(unknown);
  // If the files contain nothing of a kind, it is unknown what the cluster has of it.
  const absent = dialects.filter((dialect) => !kinds.has(dialect));
  const { cluster, comparison } = scan;
  comparison.begin(cluster).commit(new Map(absent.map((dialect) => [dialect, unknown ?? notThere(dialect)])));
  const { entries } = results;
  comparison.whenExported((present) => {
    // If another cluster has a kind of services, files without that kind mean that their cluster has none.
    const none = unknown === undefined ? absent.filter((dialect) => present.has(dialect)) : [];
    comparison.begin(cluster).commit(new Map(none.map((dialect) => [dialect, undefined])));
    const names = namesOfExports(entries);
    comparison.addServices(cluster, names, storedServices(names, input.supporting, cluster, unknown));
  });
  const named = <Of extends PlacedMessage>(messages: readonly Of[]) =>
    messages.map((message) => withCluster(cluster, message));
  const versions = input.objects.flatMap((object) => unknownVersion(object) ?? []);
  return {
    entries,
    errors: named(results.errors),
    warnings: named([...skipLog.takeWarnings(), ...versions]),
    notes: cluster === undefined ? sameObjectNotes(input.objects) : [],
    placedNotes: named(skipLog.placedNotes()),
    skipped,
  };
}

const NOT_STORED = 'it is no stored object; muster check evaluates it';

/** Returns a note if two files hold the same object, which one cluster can't: they may be exports of two clusters. */
function sameObjectNotes(objects: readonly InputObject[]): readonly string[] {
  const findSame = sameObjectFinder();
  for (const object of objects) {
    const same = findSame(object);
    if (same) return [`${same}, scanned as one cluster; if these are two clusters, name each: --state NAME=PATH`];
  }
  return [];
}

function notThere({ kind, group }: Dialect): string {
  return `--state holds no ${kind} objects (${group}): add them to it`;
}

/** Returns the stored object, or its error; undefined for a kind that muster does not evaluate. */
function storedIn(input: InputObject): Stored | PlacedMessage | undefined {
  const { apiVersion, object } = input;
  const reference = referenceOf(object);
  if (reference === undefined) return undefined;
  const wrong = unquotedName(reference.dialect, object) ?? (reference.name === '' ? UNNAMED : undefined);
  if (wrong) return invalidInput(input, wrong);
  return { reference, version: apiVersion.split('/')[1] ?? '', object, place: placeIn(input), position: input };
}

const UNNAMED: InvalidInput = {
  problem:
    'the object has no metadata.name; a stored object has one (muster check evaluates objects before they are created)',
  at: ['metadata'],
};

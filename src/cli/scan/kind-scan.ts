/**
 * Scans one kind. Each object is evaluated when it is read, and then dropped. Checks of several objects run when all
 * are read: for them, the few claims that hold an id or a membership are kept here, and the comparison keeps a fact of
 * each object.
 */
import type { Dialect } from '../../api/dialects.ts';
import { type JsonObject, textAt } from '../../base/json.ts';
import { isWellKnown } from '../../cluster/live/api-paths.ts';
import type { StoredEngine } from '../../engine/stored-objects.ts';
import type { Entry, EntryOptions, ResultStore } from '../../evaluation/results.ts';
import type { RunComparison } from '../../evaluation/run-comparison.ts';
import { withCluster } from '../../input/objects.ts';
import type { PlacedMessage } from '../../input/place.ts';
import type { RunPart } from '../../report/report.ts';
import type { ClusterView, Reference } from '../../rules/rule.ts';

/** The options of every scan. */
export interface Scan {
  /** The name of the cluster, where there are several. */
  readonly cluster?: string | undefined;
  /** Evaluates each object by itself. */
  readonly engine: StoredEngine;
  /** Compares the objects of all clusters when they are read. */
  readonly comparison: Pick<RunComparison, 'begin' | 'addServices' | 'whenExported'>;
}

/** What a scan found. */
export interface ScanResults extends RunPart {
  readonly entries: readonly Entry[];
  readonly errors: readonly PlacedMessage[];
  /** Notes for people on the cluster, without its name. */
  readonly notes: readonly string[];
}

export const NOTHING: ScanResults = { entries: [], errors: [], notes: [], skipped: 0 };

/** A stored object, and where it was found. */
export interface Stored extends Pick<EntryOptions, 'version' | 'place' | 'position'> {
  readonly reference: Reference;
  readonly object: JsonObject;
}

interface KindScanOptions extends Scan {
  readonly dialect: Dialect;
  readonly results: ResultStore;
  /** Whether the objects' uids are kept; of 100,000 objects they take 6 MB. Default: no. */
  readonly withUids?: boolean | undefined;
  /** Asks the hub of the registrar for the cluster that is scanned. Default: no hub is asked. */
  readonly reserve?: ClusterView['reserve'] | undefined;
}

/** A scan of one kind, which adds its findings to the results. */
export interface KindScan {
  /** Evaluates the object, or keeps it until the others are read. Its position among the results is fixed now. */
  add(stored: Stored): Promise<void>;
  /** Evaluates what was kept. `unknown`: why not all objects could be read; a missing object may then exist. */
  finish(unknown?: string): Promise<void>;
}

/** Starts a scan of one kind. */
export function createKindScan(options: KindScanOptions): KindScan {
  const { dialect, engine, results, comparison, cluster, withUids = false } = options;
  const hub = options.reserve && { reserve: options.reserve };
  const kept = new Map<string, { readonly stored: Stored; readonly entry: Entry }>();
  const compared = comparison.begin(cluster);
  return {
    async add(stored) {
      const { reference, version, object, position } = stored;
      const uid = withUids ? textAt(object, ['metadata', 'uid']) : undefined;
      const where = { place: withCluster(cluster, stored.place), position, uid };
      const entry = results.open({ ...reference, version, operation: 'SCAN', subresource: '', ...where });
      if (isWellKnown(dialect, reference.name)) kept.set(reference.name, { stored, entry });
      else results.add(entry, await engine(reference, stored, EMPTY_VIEW));
      compared.add(dialect, object, entry);
    },
    async finish(unknown) {
      const view = { ...viewOf(kept, unknown), ...hub };
      for (const { stored, entry } of kept.values()) results.add(entry, await engine(stored.reference, stored, view));
      // Committed without a reason, too: an earlier access to the cluster may have failed, and left one.
      compared.commit(new Map([[dialect, unknown]]));
    },
  };
}

/** A view of the objects that were kept; `unknown`: why another object may exist. */
function viewOf(kept: ReadonlyMap<string, { readonly stored: Stored }>, unknown: string | undefined): ClusterView {
  return {
    get({ name }) {
      const value = kept.get(name)?.stored.object;
      return value === undefined && unknown !== undefined ? { known: false, reason: unknown } : { known: true, value };
    },
    list: () => ({ known: false, reason: 'not read' }),
  };
}

/** The view of objects other than ids and memberships: no rule asks it for them. */
const EMPTY_VIEW = viewOf(new Map(), 'not read');

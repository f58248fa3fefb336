/** Scans a cluster: every kind it serves, page by page, a few kinds at a time. */
import { setFlagsFromString } from 'node:v8';
import { type Dialect, dialects } from '../../api/dialects.ts';
import { referenceTo } from '../../cluster/files/reference.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { listAll, type Page } from '../../cluster/live/list.ts';
import { collectionPath, servedVersions } from '../../cluster/live/paths.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { createKindScan } from './kind-scan.ts';
import { createResultStore, type Findings, NOWHERE, type ResultStore, type Scan, type Stored } from './results.ts';

export interface LiveScan extends Scan {
  readonly client: ApiClient;
  /** Objects of a page at most. */
  readonly pageSize: number;
  /** Whether the objects' uids are needed. */
  readonly withUids?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The number of kinds that are read at a time: the API server answers one while another is evaluated. */
const AT_A_TIME = 2;

/** Levels of an object, as for reviews: what recursion can't survive can be stored. */
const MAX_DEPTH = 200;

/** Never rejects for what a cluster may answer: what could not be read is an error of the findings. */
export async function scanCluster(scan: LiveScan): Promise<Findings> {
  keepYoungSmall();
  const found = new Map<Dialect, Findings>();
  const waiting = [...dialects];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      found.set(next, await scanKind(scan, next));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const all = dialects.flatMap((dialect) => found.get(dialect) ?? []);
  return {
    results: all.flatMap(({ results }) => results),
    errors: once(all.flatMap(({ errors }) => errors)),
    uids: all.flatMap(({ uids }) => uids),
    notes: all.flatMap(({ notes }) => notes),
    skipped: 0,
  };
}

/**
 * V8 lets the room for young objects grow with whatever has survived in it, to 128 MB in the end. What a scan looks at dies at
 * once, and little is kept of each object: the few megabytes of the start do, and 100,000 objects are held in 100 MB less.
 */
function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

async function scanKind(scan: LiveScan, dialect: Dialect): Promise<Findings> {
  const nothing: Findings = { results: [], errors: [], uids: [], notes: [], skipped: 0 };
  try {
    const [version] = await servedVersions(scan.client, dialect);
    if (version !== undefined) return await listed(scan, dialect, version);
    const note = `note: the cluster serves no ${nameOf(dialect)}: nothing of it is scanned`;
    return { ...nothing, notes: [note] };
  } catch (error) {
    return { ...nothing, errors: [failure(dialect, error)] };
  }
}

async function listed(scan: LiveScan, dialect: Dialect, version: string): Promise<Findings> {
  let results = createResultStore(scan);
  let kindScan = createKindScan({ ...scan, dialect, results });
  let unknown: string | undefined;
  const storedAs = storing(dialect, version);
  const listing = { path: collectionPath(dialect, version), pageSize: scan.pageSize, signal: scan.signal };
  const reader = {
    begin() {
      unknown = undefined;
      results = createResultStore(scan);
      kindScan = createKindScan({ ...scan, dialect, results });
    },
    async take({ items, remaining }: Page) {
      for (const { object, depth } of items) {
        if (depth <= MAX_DEPTH) await kindScan.add(storedAs(object));
        else {
          results.fail(tooDeep(dialect, object));
          unknown = incomplete(dialect);
        }
      }
      scan.onProgress?.(nameOf(dialect), results.results.length, remaining);
    },
  };
  try {
    await listAll(scan.client, listing, reader);
  } catch (error) {
    results.fail(failure(dialect, error));
    unknown = incomplete(dialect);
  }
  await kindScan.finish(unknown);
  return foundIn(results);
}

function foundIn({ results, errors, uids }: ResultStore): Findings {
  return { results, errors, uids, notes: [], skipped: 0 };
}

function storing(dialect: Dialect, version: string): (object: JsonObject) => Stored {
  // Once: of 100,000 objects each keeps its source.
  const kind = nameOf(dialect);
  return (object) => {
    const { name, namespace } = referenceTo(dialect, object);
    const source = namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
    return { dialect, version, object, source, start: { line: 1, column: 1 }, locate: NOWHERE };
  };
}

/** As kubectl takes it. */
function nameOf({ plural, group }: Dialect): string {
  return `${plural}.${group}`;
}

/** An object that was not read may be in the part that was not evaluated. */
function incomplete(dialect: Dialect): string {
  return `not all ${nameOf(dialect)} could be read`;
}

function tooDeep(dialect: Dialect, object: JsonObject) {
  const file = `${nameOf(dialect)}/${textAt(object, ['metadata', 'name'])}`;
  return { file, line: 1, column: 1, message: `the object has more than ${MAX_DEPTH} levels and is not evaluated` };
}

function failure(dialect: Dialect, error: unknown) {
  if (!(error instanceof ClusterError)) throw error;
  return { file: nameOf(dialect), line: 1, column: 1, message: `${error.message}${remedyOf(dialect, error)}` };
}

function remedyOf(dialect: Dialect, { code }: ClusterError): string {
  if (code === 'forbidden') return `: give the right to list ${nameOf(dialect)} (muster manifests --only scan)`;
  if (code === 'unauthorized') return ': log in again, the credentials are not accepted';
  return '';
}

/** A cluster that can't be reached is one error, not one for each kind. */
function once(errors: Findings['errors']): Findings['errors'] {
  const seen = new Set<string>();
  return errors.filter(({ message }) => !seen.has(message) && seen.add(message));
}

/** Scans a cluster: every kind it serves, page by page, a few kinds at a time. */
import { setFlagsFromString } from 'node:v8';
import { type Dialect, dialects } from '../../api/dialects.ts';
import { referenceTo } from '../../cluster/files/index.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { type ClusterError, onlyClusterErrors } from '../../cluster/live/errors.ts';
import { listAll, type Page } from '../../cluster/live/list.ts';
import { collectionPath, servedVersions } from '../../cluster/live/paths.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { createKindScan } from './kind-scan.ts';
import { createResultStore, type Findings, NOWHERE, type Scan, type Stored } from './results.ts';

export interface LiveScan extends Scan {
  readonly client: ApiClient;
  /** The most objects of a page. */
  readonly pageSize: number;
  /** Whether the objects' uids are needed. */
  readonly withUids?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The number of kinds that are read at a time: the API server answers one while another is evaluated. */
const AT_A_TIME = 2;

/** Levels of an object, as for reviews: what recursion can't survive can be stored. */
const MAX_DEPTH = 200;

/** Scans the cluster. What could not be read is an error of the findings, and the rest is evaluated. */
export async function scanCluster(scan: LiveScan): Promise<Findings> {
  // V8 lets the room for young objects grow with whatever has survived in it, to 128 MB in the end. What a scan looks at dies
  // at once, and little is kept of each object: so 100,000 objects are held in 100 MB less.
  setFlagsFromString('--semi-space-growth-factor=1');
  const found = new Map<Dialect, Findings>();
  const waiting = [...dialects];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      found.set(next, await scanKind(scan, next));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const all = dialects.flatMap((dialect) => found.get(dialect) ?? []);
  // A cluster that can't be reached is one error, not one for each kind.
  const seen = new Set<string>();
  return {
    objects: all.flatMap(({ objects }) => objects),
    errors: all.flatMap(({ errors }) => errors).filter(({ message }) => !seen.has(message) && seen.add(message)),
    notes: all.flatMap(({ notes }) => notes),
    skipped: 0,
  };
}

async function scanKind(scan: LiveScan, dialect: Dialect): Promise<Findings> {
  const { client, pageSize, signal, onProgress } = scan;
  const kind = dialect.resource;
  const begin = () => {
    const results = createResultStore(scan);
    return { results, kindScan: createKindScan({ ...scan, dialect, results }), isComplete: true };
  };
  let list = begin();
  const fail = (file: string, message: string) => {
    list.results.errors.push({ file, line: 1, column: 1, message });
    list.isComplete = false;
  };
  const notes: string[] = [];
  try {
    const [version] = await servedVersions(client, dialect);
    const take = async ({ items, remaining }: Page) => {
      for (const { object, depth } of items) {
        const stored = storedIn(dialect, version ?? '', object);
        if (depth <= MAX_DEPTH) await list.kindScan.add(stored);
        else fail(stored.source, `the object has more than ${MAX_DEPTH} levels and is not evaluated`);
      }
      onProgress?.(kind, list.results.objects.length, remaining);
    };
    if (version === undefined) notes.push(`note: the cluster serves no ${kind}: nothing of it is scanned`);
    else {
      const options = { path: collectionPath(dialect, version), pageSize, signal };
      const restart = () => {
        list = begin();
      };
      await listAll(client, options, { begin: restart, take });
    }
  } catch (error) {
    fail(kind, messageOf(kind, onlyClusterErrors(error)));
  }
  // An object that was not read may be in the part that was not evaluated.
  await list.kindScan.finish(list.isComplete ? undefined : `not all ${kind} could be read`);
  const { objects, errors } = list.results;
  return { objects, errors, notes, skipped: 0 };
}

function storedIn(dialect: Dialect, version: string, object: JsonObject): Stored {
  const { name, namespace } = referenceTo(dialect, object);
  const source = [dialect.resource, namespace, name].filter((part) => part !== undefined).join('/');
  return { dialect, version, object, source, position: NOWHERE };
}

function messageOf(kind: string, { code, message }: ClusterError): string {
  if (code === 'forbidden') return `${message}: give the right to list ${kind} (muster manifests --only scan)`;
  if (code === 'unauthorized') return `${message}: log in again, the credentials are not accepted`;
  return message;
}

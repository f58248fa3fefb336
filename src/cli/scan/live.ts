/** Scans a cluster: every kind it serves, page by page, a few kinds at a time. */
import { type Dialect, dialects, serviceExport } from '../../api/dialects.ts';
import { service } from '../../api/supporting-kinds.ts';
import { limitConcurrency } from '../../base/concurrency.ts';
import { isDeeper, type JsonObject, MAX_DEPTH } from '../../base/json.ts';
import { collectionPath } from '../../cluster/live/api-paths.ts';
import { expectApiServer, servedVersions } from '../../cluster/live/discovery.ts';
import { ClusterError, onlyClusterErrors } from '../../cluster/live/errors.ts';
import type { Page } from '../../cluster/live/list.ts';
import { referenceOfObject } from '../../engine/review.ts';
import { createResultStore, NOWHERE } from '../../evaluation/results.ts';
import { withCluster } from '../../input/objects.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { objectName } from '../../report/report.ts';
import type { ClusterView } from '../../rules/rule.ts';
import { createKindScan, type ScanResults, type Stored } from './kind-scan.ts';
import { type LimitedScan, type LiveScan, listError, withLimits } from './limits.ts';
import { scanServices } from './services.ts';

/**
 * The number of kinds of one cluster that are read at a time: the API server answers one while another is evaluated.
 */
const AT_A_TIME = 2;

/** Characters of a name; the API server stores no longer one. */
const LONGEST_NAME = 253;

/** The most objects of a page where clusters are read side by side, each of which holds one. */
const SIDE_BY_SIDE_PAGE = 200;

/** Scans the cluster. What could not be read is an error of the results, and the rest is evaluated. */
export async function scanCluster(scan: LiveScan): Promise<ScanResults> {
  const { cluster } = scan;
  const found = new Map<Dialect, ScanResults>();
  const pageSize = cluster === undefined ? scan.pageSize : Math.min(scan.pageSize, SIDE_BY_SIDE_PAGE);
  const limited = withLimits({ ...scan, pageSize });
  const reserve = scan.reserveFor?.(limited.client);
  // Of several clusters, one answers while another is evaluated; each page that is held takes memory.
  const inTurn = limitConcurrency(cluster === undefined ? AT_A_TIME : 1);
  const scanNext = async (dialect: Dialect) => found.set(dialect, await scanKind(limited, dialect, reserve));
  await Promise.all(dialects.map((dialect) => inTurn(() => scanNext(dialect))));
  const services = await scanServices(limited, found.get(serviceExport)?.entries ?? []);
  const all = [...dialects.flatMap((dialect) => found.get(dialect) ?? []), services];
  // A cluster that can't be reached is one error, not one for each kind. Errors of objects are kept for each object.
  const kinds = new Set([...dialects, service].map(({ groupResource }) => groupResource));
  const keyOf = ({ about = '', message }: PlacedMessage) => (kinds.has(about) ? message : `${about}\n${message}`);
  const errors = Map.groupBy(
    all.flatMap((one) => one.errors),
    keyOf,
  );
  return {
    entries: all.flatMap(({ entries }) => entries),
    errors: [...errors.values()].flatMap(([error]) => (error ? withCluster(cluster, error) : [])),
    notes: all.flatMap(({ notes }) => notes),
    skipped: 0,
  };
}

async function scanKind(scan: LimitedScan, dialect: Dialect, reserve: ClusterView['reserve']): Promise<ScanResults> {
  const { client, discovery, onProgress } = scan;
  const kind = dialect.groupResource;
  const begin = () => {
    const results = createResultStore({ context: scan.cluster === undefined ? client.context : undefined });
    const kindScan = createKindScan({ ...scan, dialect, results, reserve, withUids: scan.writesFindings });
    return { results, kindScan, isComplete: true };
  };
  let list = begin();
  const fail = (about: string, message: string) => {
    list.results.errors.push({ about, message });
    list.isComplete = false;
  };
  const notes: string[] = [];
  try {
    const [version] = await servedVersions(discovery, dialect);
    const take = async ({ items, remaining }: Page) => {
      for (const object of items) {
        if (isDeeper(object)) {
          const name = objectName({ kind: dialect.kind, ...referenceOfObject(dialect, object) });
          fail(name, `the object has more than ${MAX_DEPTH} levels and is not evaluated`);
        } else await list.kindScan.add(storedIn(dialect, version ?? '', object));
      }
      onProgress?.(
        scan.cluster === undefined ? kind : `${scan.cluster} ${kind}`,
        list.results.entries.length,
        remaining,
      );
    };
    if (version === undefined) {
      await expectApiServer(discovery);
      notes.push(`the cluster serves no ${kind}: nothing of it is scanned`);
    } else {
      const restart = () => {
        list = begin();
      };
      await scan.list(collectionPath(dialect, version), { begin: restart, take });
    }
  } catch (error) {
    const failure = onlyClusterErrors(error);
    // The right to list services is opt-in. A scan without it is complete without them.
    if (failure.code !== 'forbidden' || dialect.concept !== 'service') fail(kind, listError(scan, kind, failure));
    else {
      notes.push(`nothing of ${kind} is scanned: ${listError(scan, kind, failure, 'scan-services')}`);
      list.isComplete = false;
    }
  }
  // If not all objects were read, a missing object may still exist.
  await list.kindScan.finish(list.isComplete ? undefined : `not all ${kind} could be read`);
  const { entries, errors } = list.results;
  return { entries, errors, notes, skipped: 0 };
}

function storedIn(dialect: Dialect, version: string, object: JsonObject): Stored {
  const reference = referenceOfObject(dialect, object);
  const { name, namespace = '' } = reference;
  if (name === '' || name.length > LONGEST_NAME || namespace.length > LONGEST_NAME)
    throw new ClusterError(
      'unreadable',
      `the API server answered with a list of ${dialect.plural} in which an object has no valid name`,
    );
  return { reference, version, object, place: {}, position: NOWHERE };
}

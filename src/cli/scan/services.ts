/**
 * Reads the Services of a cluster. They are compared, never evaluated: the comparison keeps a part of the exported
 * ones, and the names of the namespaces of all others.
 */
import { serviceExport } from '../../api/dialects.ts';
import { service } from '../../api/supporting-kinds.ts';
import { isDeeper } from '../../base/json.ts';
import { collectionPath, newestOf } from '../../cluster/live/api-paths.ts';
import { onlyClusterErrors } from '../../cluster/live/errors.ts';
import type { Page } from '../../cluster/live/list.ts';
import { referenceOfObject } from '../../engine/review.ts';
import { addNamespace, nameKey } from '../../evaluation/exported-services.ts';
import { type Entry, knownInCluster } from '../../evaluation/results.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { NOTHING, type ScanResults } from './kind-scan.ts';
import { type LimitedScan, listError } from './limits.ts';

/** Lists the Services, if the cluster has exports. If they can't be read, the properties of the exports are unknown. */
export async function scanServices(scan: LimitedScan, exports: readonly Entry[]): Promise<ScanResults> {
  if (exports.length === 0) return NOTHING;
  const { cluster, comparison } = scan;
  const names = namesOfExports(exports);
  const begin = () => ({ part: comparison.begin(cluster), isComplete: true });
  let list = begin();
  const restart = () => {
    list = begin();
  };
  const take = ({ items }: Page) => {
    for (const object of items) {
      const reference = referenceOfObject(service, object);
      const { namespace = '', name } = reference;
      if (isDeeper(object)) list.isComplete = false;
      else if (names.has(nameKey(namespace, name))) list.part.add(service, object, knownInCluster(reference, cluster));
      else addNamespace(list.part, namespace);
    }
  };
  const errors: PlacedMessage[] = [];
  const notes: string[] = [];
  try {
    await scan.list(collectionPath(service, newestOf(service)), { begin: restart, take });
  } catch (error) {
    list.isComplete = false;
    const failure = onlyClusterErrors(error);
    const message = listError(scan, service.groupResource, failure, 'scan-services');
    if (failure.code !== 'forbidden') errors.push({ about: service.groupResource, message });
    else notes.push(`${unknownServices(exports.length)} unknown: ${message}`);
  }
  list.part.commit(new Map([[service, list.isComplete ? undefined : 'not all services could be read']]));
  return { ...NOTHING, errors, notes };
}

function unknownServices(count: number): string {
  return count === 1 ? 'the Service of 1 ServiceExport is' : `the Services of ${count} ServiceExports are`;
}

/** Returns the names of the exports among results, to find Services by. */
export function namesOfExports(entries: readonly Entry[]): ReadonlySet<string> {
  const isExport = ({ result: { apiVersion, kind } }: Entry) =>
    kind === serviceExport.kind && apiVersion.startsWith(`${serviceExport.group}/`);
  return new Set(entries.filter(isExport).map(({ result: { namespace, name } }) => nameKey(namespace, name)));
}

/**
 * The Services of a cluster and its Namespaces. They are compared, never evaluated: of the Services that an export
 * names the comparison keeps what it needs, of all others the names of their namespaces.
 */
import { namespace as namespaceKind, service } from '../../api/context.ts';
import { type JsonObject, MAX_DEPTH, textAt } from '../../base/json.ts';
import { type ContextDocuments, UNREADABLE } from '../../cluster/files/index.ts';
import { onlyClusterErrors } from '../../cluster/live/errors.ts';
import { listAll, type Page } from '../../cluster/live/list.ts';
import type { CheckError } from '../output/report.ts';
import { type Entry, type KnownObject, knownInCluster, knownInFile } from '../output/results.ts';
import { type Findings, isExport, NOTHING, type Scan } from './kind-scan.ts';
import { type LimitedScan, listError } from './limits.ts';

const PATH = '/api/v1/services';

/** Lists them, where something is exported. What can't be read leaves the properties of exports unknown. */
export async function scanServices(scan: LimitedScan, exports: readonly Entry[]): Promise<Findings> {
  if (exports.length === 0) return NOTHING;
  const { client, cluster, pageSize, signal, countOne } = scan;
  const begin = () => ({ services: beginServices(scan, exports), isComplete: true });
  let list = begin();
  const restart = () => {
    list = begin();
  };
  const take = ({ items }: Page) => {
    for (const { object, depth } of items) {
      countOne();
      if (depth > MAX_DEPTH) list.isComplete = false;
      else list.services.add(object, () => inCluster(cluster, object));
    }
  };
  const errors: CheckError[] = [];
  const notes: string[] = [];
  try {
    await listAll(client, { path: PATH, pageSize, signal }, { begin: restart, take });
  } catch (error) {
    list.isComplete = false;
    const failure = onlyClusterErrors(error);
    const message = listError(service.resource, failure, 'scan-services');
    if (failure.code !== 'forbidden') errors.push({ about: service.resource, message });
    else notes.push(`note: the Services of ${exports.length} ServiceExports are unknown: ${message}`);
  }
  list.services.commit(list.isComplete ? undefined : 'not all services could be read');
  return { ...NOTHING, errors, notes };
}

/**
 * Adds those among files to the comparison. Returns the number of exports whose Service is not known.
 * @param unread why not all documents could be read
 */
export function addServicesOf(
  context: ContextDocuments,
  scan: Scan,
  entries: readonly Entry[],
  unread: string | undefined,
): number {
  const { objects, isIncomplete } = context.read(service);
  const services = beginServices(scan, entries.filter(isExport));
  for (const input of objects) services.add(input.object, () => knownInFile(input, scan.cluster));
  for (const input of context.read(namespaceKind).objects) services.addNamespace(textAt(input.object, NAME) ?? '');
  const incomplete = isIncomplete ? UNREADABLE : undefined;
  const nothing = objects.length === 0 ? '--state holds no Services: add them to it' : undefined;
  const reason = unread ?? incomplete ?? nothing;
  services.commit(reason);
  return reason === undefined ? 0 : services.missing();
}

const NAME = ['metadata', 'name'];

/** Begins the Services of a cluster in the comparison. */
function beginServices({ cluster, comparison }: Scan, exports: readonly Entry[]) {
  const part = comparison.begin(cluster ?? '');
  const keyOf = (namespace: string, name: string) => `${namespace}/${name}`;
  const exported = new Set(exports.map(({ result }) => keyOf(result.namespace, result.name)));
  const missing = new Set(exported);
  const namespaces = new Set<string>();
  const addNamespace = (name: string) => {
    if (namespaces.has(name)) return;
    namespaces.add(name);
    part.add(namespaceKind, { metadata: { name } }, NOWHERE);
  };
  return {
    add(object: JsonObject, handle: () => KnownObject) {
      const namespace = textAt(object, ['metadata', 'namespace']) || 'default';
      const key = keyOf(namespace, textAt(object, NAME) ?? '');
      missing.delete(key);
      if (exported.has(key)) part.add(service, object, handle());
      else addNamespace(namespace);
    },
    addNamespace,
    missing: () => missing.size,
    commit: (unread: string | undefined) => part.commit(new Map([[service, unread]])),
  };
}

/** A namespace is in no finding. */
const NOWHERE: KnownObject = { place: {}, locate: () => ({}) };

function inCluster(cluster: string | undefined, object: JsonObject): KnownObject {
  const [name = '', namespace] = [NAME, ['metadata', 'namespace']].map((path) => textAt(object, path));
  return knownInCluster({ dialect: service, namespace, name }, cluster);
}

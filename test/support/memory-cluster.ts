/** A cluster in memory, as far as the live view sees one: claims, and the Leases of their locks. */
import { claimDialects, type Dialect, dialects, lockLeaseName } from '../../src/api/dialects.ts';
import { type JsonObject, textAt } from '../../src/base/json.ts';
import { leasePath, newestOf, objectPath } from '../../src/cluster/live/api-paths.ts';
import { createMemoryApi, type MemoryApi } from './memory-api.ts';

export interface MemoryCluster extends MemoryApi {
  get(dialect: Dialect, name: string): Stored | undefined;
  /** Stores a claim; under a new uid where there was none or another is given. */
  put(dialect: Dialect, name: string, value: string, uid?: string): void;
  remove(dialect: Dialect, name: string): void;
  lease(dialect: Dialect): JsonObject;
  setLease(dialect: Dialect, lease: JsonObject | undefined): void;
}

interface Stored {
  readonly object: JsonObject;
  readonly uid: string;
  readonly resourceVersion: string;
}

export const NAMESPACE = 'muster-system';

/**
 * With a free Lease for each claim dialect, and no claims. `served`: claim dialects whose CRD is there; default: all.
 */
export function createMemoryCluster(served: readonly Dialect[] = claimDialects): MemoryCluster {
  const kinds = dialects.filter((one) => one.claim === undefined || served.includes(one));
  const serves = (path: string) => {
    const [, , group, version, plural] = path.split('/');
    const isServed = (one: Dialect) =>
      one.group === group &&
      (version === undefined || one.versions.includes(version)) &&
      (plural === undefined || one.plural === plural);
    return group === 'coordination.k8s.io' || kinds.some(isServed);
  };
  const api = createMemoryApi({ namespace: NAMESPACE, serves });
  for (const { group, versions } of kinds) {
    const own = kinds.filter((one) => one.group === group);
    api.objects.set(`/apis/${group}`, {
      versions: own.flatMap((one) => one.versions.map((version) => ({ version }))),
    });
    for (const version of versions) {
      const resources = own.filter((one) => one.versions.includes(version)).map(({ plural }) => ({ name: plural }));
      api.objects.set(`/apis/${group}/${version}`, { resources });
    }
  }
  const claimPath = (dialect: Dialect, name: string) => objectPath({ dialect, name }, newestOf(dialect));
  const cluster: MemoryCluster = Object.assign(api, {
    get(dialect: Dialect, name: string): Stored | undefined {
      const object = api.objects.get(claimPath(dialect, name));
      const [uid = '', resourceVersion = ''] = ['uid', 'resourceVersion'].map((key) =>
        textAt(object, ['metadata', key]),
      );
      return object && { object, uid, resourceVersion };
    },
    put(dialect: Dialect, name: string, value: string, uid?: string): void {
      const apiVersion = `${dialect.group}/${newestOf(dialect)}`;
      const metadata = { name, ...(uid !== undefined && { uid }) };
      api.set(claimPath(dialect, name), { apiVersion, kind: dialect.kind, metadata, spec: { value } });
    },
    remove: (dialect: Dialect, name: string) => void api.objects.delete(claimPath(dialect, name)),
    lease: (dialect: Dialect) => api.objects.get(leasePath(NAMESPACE, dialect)) ?? {},
    setLease(dialect: Dialect, lease: JsonObject | undefined): void {
      const path = leasePath(NAMESPACE, dialect);
      const metadata = { ...(lease?.['metadata'] as JsonObject), name: lockLeaseName(dialect) };
      if (lease === undefined) api.objects.delete(path);
      else api.set(path, { ...lease, apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata });
    },
  });
  for (const dialect of claimDialects) cluster.setLease(dialect, { metadata: {} });
  return cluster;
}

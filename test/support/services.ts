/** Services, their exports and imports, and the claims of the clusters that have them. */
import type { JsonObject } from '../../src/base/json.ts';
import { memberOf } from './objects.ts';
import { type Tweak, tweaked } from './rule-tester.ts';

/** An hour before the time of tests. */
export const CREATED = '2026-06-01T11:00:00Z';

const metadata = { name: 'web', namespace: 'shop' };

/** `web` in `shop`, with port 80. */
export const service = (tweak: Tweak = {}): JsonObject =>
  tweaked(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { clusterIP: '10.0.0.1', ports: [{ name: 'http', port: 80, protocol: 'TCP' }], sessionAffinity: 'None' },
    },
    tweak,
  );

/** Its export, an hour old. */
export const exported = (tweak: Tweak = {}): JsonObject =>
  tweaked(
    {
      apiVersion: 'multicluster.x-k8s.io/v1beta1',
      kind: 'ServiceExport',
      metadata: { ...metadata, creationTimestamp: CREATED },
    },
    tweak,
  );

/** The import of it. */
export const imported = (tweak: Tweak = {}): JsonObject =>
  tweaked(
    {
      apiVersion: 'multicluster.x-k8s.io/v1beta1',
      kind: 'ServiceImport',
      metadata: { ...metadata, creationTimestamp: CREATED },
      spec: { type: 'ClusterSetIP', ips: ['10.1.0.1'], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] },
    },
    tweak,
  );

/** The import, of the clusters with these ids. */
export const importedFrom = (...ids: readonly string[]): JsonObject =>
  imported({ '/status': { clusters: ids.map((cluster) => ({ cluster })) } });

export { memberOf };

/** A condition of a status that last changed at a time. */
export const condition = (type: string, status: 'True' | 'False', lastTransitionTime = CREATED): JsonObject => ({
  type,
  status,
  reason: type,
  message: '',
  lastTransitionTime,
});

/** The export with these conditions. */
export const exportedWith = (...conditions: readonly JsonObject[]): JsonObject =>
  exported({ '/status': { conditions } });

/** Updates of objects older than the webhook that reorder a list, and edit an entry as well: their old faults are let pass. */

import type { Dialect } from '../../../src/api/dialects.ts';
import type { Json, JsonObject } from '../../../src/rules/rule.ts';
import { dialectNamed, type Update } from './update.ts';

const TIME = '2026-05-30T08:15:00Z';

function statusWrite(name: Dialect['name'], called: string, before: Json, after: Json): Update {
  const dialect = dialectNamed(name);
  const namespace = dialect.scope === 'Namespaced' ? { namespace: 'fleet-a' } : {};
  const isInventory = dialect.concept === 'inventory';
  const labels = isInventory ? { labels: { 'x-k8s.io/cluster-manager': 'harbour' } } : {};
  const base: JsonObject = {
    apiVersion: `${dialect.group}/${dialect.versions.at(-1)}`,
    kind: dialect.kind,
    metadata: { name: called, ...namespace, ...labels },
    spec: isInventory ? { clusterManager: { name: 'harbour' } } : {},
  };
  const [old, object] = [before, after].map((status) => ({ ...base, status }));
  return { dialect, subresource: 'status', old, object, username: 'jane', groups: [], world: 'alone' } as Update;
}

function condition(type: string, message: string, more: JsonObject = {}): JsonObject {
  return { type, status: 'True', lastTransitionTime: TIME, message, ...more };
}

const sound = condition('Joined', 'b', { reason: 'Moored' });
const [a, b] = [condition('ControlPlaneHealthy', 'a'), condition('Joined', 'b')];
const edited = condition('ControlPlaneHealthy', 'other');
const use = (version: string, more: JsonObject = { reportTime: TIME }): JsonObject => ({
  version,
  enabled: 'Enabled',
  ...more,
});
const property = (name: string, value: string): JsonObject => ({ name, value });

const conditions = (called: string, before: Json, after: Json) =>
  (['inventory-cluster', 'cluster-profile'] as const).map((name) =>
    statusWrite(name, called, { conditions: before }, { conditions: after }),
  );

export const ratcheting: readonly { readonly what: string; readonly updates: readonly Update[] }[] = [
  { what: 'a condition without a reason moves', updates: conditions('moved', [a, sound], [sound, a]) },
  { what: 'it moves and gets another message', updates: conditions('edited', [a, sound], [sound, edited]) },
  { what: 'it takes the place of another without a reason', updates: conditions('both', [a, b], [b, edited]) },
  {
    what: 'a use without a reportTime moves, beside another that has none',
    updates: [
      statusWrite('feature', 'uses', { uses: [use('1', {}), use('2', {})] }, { uses: [use('2'), use('1', {})] }),
    ],
  },
  {
    what: 'a property that stands twice moves',
    updates: [
      statusWrite(
        'inventory-cluster',
        'twice',
        { properties: [property('x', '1'), property('x', '2'), property('y', '3')] },
        { properties: [property('y', '3'), property('x', '2'), property('x', '4')] },
      ),
    ],
  },
];

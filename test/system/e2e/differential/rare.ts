/** Updates that random ones hardly ever are, and that meet listed differences. */
import { type Dialect, dialects } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Update } from './update.ts';

const TIME = '2026-05-30T08:15:00Z';
const jane = { username: 'jane', groups: [] };

function write(
  name: Dialect['name'],
  called: string,
  old: JsonObject,
  object: JsonObject,
  more: Partial<Update> = {},
): Update {
  const dialect = dialects.find((one) => one.name === name) as Dialect;
  const whole = ({ labels, ...parts }: JsonObject): JsonObject => {
    const isInventory = dialect.concept === 'inventory';
    const own = isInventory ? { labels: { 'x-k8s.io/cluster-manager': 'harbour', ...(labels as JsonObject) } } : {};
    const namespace = dialect.scope === 'Namespaced' ? { namespace: 'fleet-a' } : {};
    const spec = isInventory ? { clusterManager: { name: 'harbour' } } : {};
    const apiVersion = `${dialect.group}/${dialect.versions.at(-1)}`;
    return { apiVersion, kind: dialect.kind, metadata: { name: called, ...namespace, ...own }, spec, ...parts };
  };
  return { dialect, subresource: 'status', old: whole(old), object: whole(object), ...jane, setting: 'alone', ...more };
}

const statuses = (name: Dialect['name'], called: string, old: JsonObject, object: JsonObject, more?: Partial<Update>) =>
  write(name, called, { status: old }, { status: object }, more);
const use = (version: string, enabled = 'Enabled', more: JsonObject = { reportTime: TIME }): JsonObject => ({
  version,
  enabled,
  ...more,
});
const uses = (...all: JsonObject[]): JsonObject => ({ uses: all });
const property = (name: string, value: string): JsonObject => ({ name, value });
const properties = (...all: JsonObject[]): JsonObject => ({ properties: all });
const port = (name: string | undefined, number = 80): JsonObject => ({
  ...(name !== undefined && { name }),
  port: number,
});
const main = { subresource: '' } as const;
const other = { setting: 'configured' } as const;

export const rare: readonly Update[] = [
  // A member that is null goes, two levels down.
  write(
    'cluster-profile',
    'null',
    { spec: { clusterManager: { name: { a: null } } } },
    { spec: { clusterManager: { name: {} } } },
    main,
  ),
  // A duplicate use is replaced by another duplicate of the same version.
  statuses('feature', 'duplicates', uses(use('1', 'Disabled'), use('1', 'Disabled')), uses(use('1'), use('1'))),
  // A use is added a second time, and the stored one has no time.
  statuses('feature', 'faulty', uses(use('1', 'Enabled', {})), uses(use('1', 'Enabled', {}), use('1'))),
  // The id and the member id of another object.
  statuses(
    'cluster-profile',
    'second',
    {},
    properties(property('id.k8s.io', 'north-1'), property('clusterset.k8s.io', 'blue')),
    other,
  ),
  write(
    'cluster-profile',
    'second',
    {},
    { labels: { 'multicluster.x-k8s.io/inventory-member-id': 'm1' } },
    { ...main, ...other },
  ),
  // A port has the number of an earlier one, and another such port comes between the two.
  write(
    'service-import',
    'ports',
    { spec: { type: 'ClusterSetIP', ports: [port(undefined), port('http')] } },
    { spec: { type: 'ClusterSetIP', ports: [port(undefined), port('tidewater'), port('http')] } },
    main,
  ),
  // Of two ports with the same number the earlier one becomes the later one, as the list is turned around.
  write(
    'service-import',
    'turned',
    { spec: { type: 'ClusterSetIP', ports: [port('tide', 81), port('http'), port('web')] } },
    { spec: { type: 'ClusterSetIP', ports: [port('web'), port('http'), port('tide', 81)] } },
    main,
  ),
];

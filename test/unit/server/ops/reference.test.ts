/** docs/reference/metrics.md against the registries: type, meaning and labels of each metric. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Registry } from '@prometheus-io/client';
import { createScanMetrics } from '../../../../src/cli/scan/metrics.ts';
import { defaultPolicy } from '../../../../src/engine/index.ts';
import { type Bound, boundHelp } from '../../../../src/server/limits.ts';
import type { OpenRegistry } from '../../../../src/server/ops/decision-metrics.ts';
import { createMetrics } from '../../../../src/server/ops/metrics.ts';

const [ofServer = '', ofScan = ''] = readFileSync('docs/reference/metrics.md', 'utf8').split('\n## muster scan\n');

/** Each row as `name: type, meaning, labels`. */
function documentedIn(page: string): string[] {
  const rows = [...page.matchAll(/^\| `(muster_\w+)` \| \*(\w+)\* (.*?)((?:<br>.*)?) \|$/gm)];
  return rows.map(([, name, type, help, labels = '']) => {
    const names = [...labels.matchAll(/<br>`(\w+)`: \S/g)].map(([, label]) => label);
    return `${name}: ${[type, help, ...names.sort()].join(', ')}`;
  });
}

/** The client keeps the configuration of a metric, but its types don't say so. */
interface Registered {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

function registeredIn(registry: OpenRegistry | Registry): string[] {
  const metrics = registry.getMetricsAsArray() as readonly unknown[] as readonly Registered[];
  return metrics.map(({ name, help, type, labelNames }) => {
    const scraped = type === 'counter' && !name.endsWith('_total') ? `${name}_total` : name;
    return `${scraped}: ${[type, help, ...[...labelNames].sort()].join(', ')}`;
  });
}

test('the metrics of a server with a live cluster, a registrar, traces and Events', () => {
  const registry: OpenRegistry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  const metrics = createMetrics({
    registry,
    version: '',
    policy: () => defaultPolicy,
    clusterUp: () => true,
    logDropped: () => 0,
    tracing: true,
    events: true,
    process: false,
  });
  metrics.registrar();
  const names = Object.keys(boundHelp) as Bound['name'][];
  const bounds = () => names.map((name) => ({ name, held: 0, limit: 0 }));
  metrics.watch({ requestsInFlight: () => 0, bounds });
  expect(documentedIn(ofServer).sort()).toEqual(registeredIn(registry).sort());
});

test('the metrics of `muster scan --expose-metrics`', () => {
  const registry = new Registry();
  createScanMetrics(registry);
  expect(documentedIn(ofScan).sort()).toEqual(registeredIn(registry).sort());
});

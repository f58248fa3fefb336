/** The reference of the metrics, docs/reference/metrics.md, from the registries that the server and `muster scan` fill. */
import { type MetricObject, Registry } from '@prometheus-io/client';
import { createScanMetrics } from '../cli/scan/metrics.ts';
import { clusterErrorCodes, lockOutcomes, readOutcomes, verbs } from '../cluster/index.ts';
import { defaultPolicy } from '../engine/index.ts';
import { decisionOutcomes } from '../server/admission/respond.ts';
import type { OpenRegistry } from '../server/ops/decision-metrics.ts';
import { boundHelp, createMetrics } from '../server/ops/metrics.ts';
import type { Artifact } from './artifact.ts';
import { cell, code, page } from './markdown.ts';

const SERVER = `\`/metrics\` on the operations port of \`muster serve\` has Prometheus' text format, or OpenMetrics where the scraper asks for it. Counters and their known labels
start at 0. Those of a live cluster (\`muster_cluster_…\`, \`muster_locks_total\`) are there only if muster reads one; those of traces
(\`muster_trace_…\`) only with \`--tracing-endpoint\`, and \`muster_denial_events_total\` only with \`--events\`.

Metrics of the process and of Node begin with \`process_\` and \`nodejs_\`; they are the default metrics of the package
\`@prometheus-io/client\`. \`promtool check metrics\` complains of some of their names, which are the package's, and of none of muster's.`;

const LIMITS = 'What is held in memory has a gauge of its own, and so has its limit.';

const SCAN = `\`muster scan --expose-metrics\` serves these, of its last scan.`;

/** What a label has where its values are many, or come from the configuration or the build. */
const LABELS: Readonly<Record<string, string>> = {
  rule: 'the id of a [rule](../rules/README.md)',
  resource: 'the resource and its API group, such as `clusterclaims.multicluster.x-k8s.io`',
  manager: 'a manager that the configuration names',
  version: 'the version of muster',
  node_version: 'the version of Node',
  sha256: 'the SHA-256 of the configuration file',
  action: '`deny`, `warn`, `audit`, or in a scan `indeterminate`',
  outcome: '`allowed`, `denied`, `indeterminate`',
};

/** Returns the page. @throws Error that names a label whose values are neither known to the registry nor described */
export async function metricsReference(): Promise<Artifact> {
  const server: OpenRegistry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  fill(server);
  const scan = new Registry();
  createScanMetrics(scan);
  const all = await metricsOf(server);
  const ofMemory = (metric: Metric) => /^(Now|The most)/.test(metric.help);
  return page('docs/reference/metrics.md', 'the registries of src/server/ops and src/cli/scan', [
    '# Metrics',
    SERVER,
    table(all.filter((metric) => !ofMemory(metric))),
    '## Limits',
    LIMITS,
    table(all.filter(ofMemory)),
    '## muster scan',
    SCAN,
    table(await metricsOf(scan)),
  ]);
}

/** Registers all that a server with a live cluster registers. */
function fill(registry: OpenRegistry): void {
  const metrics = createMetrics({
    registry,
    version: '',
    policy: () => defaultPolicy,
    certificateEnd: () => undefined,
    clusterUp: () => true,
    logDropped: () => 0,
    tracing: true,
    events: true,
    process: false,
  });
  for (const outcome of readOutcomes) metrics.clusterRead(outcome, 0);
  for (const outcome of lockOutcomes) metrics.lock(outcome, 0);
  for (const verb of Object.values(verbs)) {
    for (const outcome of ['ok', ...clusterErrorCodes]) metrics.clusterCall(verb, outcome, 0);
  }
  metrics.watchBounds(() => Object.keys(boundHelp).map((name) => ({ name, held: 0, limit: 0 })));
}

/** A metric as scraped, with its labels and their values. */
interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly { readonly name: string; readonly values: string }[];
}

/** The client keeps the configuration of a metric, but its types don't say so. */
type Registered = MetricObject & { readonly labelNames: readonly string[] };

async function metricsOf(registry: OpenRegistry | Registry): Promise<readonly Metric[]> {
  const withValues = await registry.getMetricsAsJSON();
  return (registry.getMetricsAsArray() as readonly unknown[] as readonly Registered[]).map(
    ({ name, help, type, labelNames }) => {
      const series = withValues.find((metric) => metric.name === name)?.values ?? [];
      const kind = String(type);
      const scraped = kind === 'counter' && !name.endsWith('_total') ? `${name}_total` : name;
      const labels = labelNames.map((label) => {
        const values = [...new Set(series.map(({ labels }) => String(labels[label] ?? '')))];
        return { name: label, values: valuesOf(name, label, values) };
      });
      return { name: scraped, type: kind, help, labels };
    },
  );
}

function valuesOf(metric: string, label: string, values: readonly string[]): string {
  if (metric === 'muster_decisions' && label === 'outcome') return decisionOutcomes.map(code).join(', ');
  const described = LABELS[label];
  if (described !== undefined && (values.length === 0 || label !== 'outcome')) return described;
  if (values.length > 0) return values.map(code).join(', ');
  throw new Error(`the values of the label ${label} of ${metric}: register them at 0, or describe the label in LABELS`);
}

/** Two columns: names are long, and a third would be out of sight. */
function table(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, type, help, labels }) => {
    const listed = labels.map((label) => `<br>${code(label.name)}: ${label.values}`).join('');
    return `| ${code(name)} | *${type}* ${cell(help)}${listed} |`;
  });
  return ['| metric | meaning, labels |', '|---|---|', ...rows].join('\n');
}

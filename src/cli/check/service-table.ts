/** The text of `check --explain-service`: tables of the exports, the conflicts and the outcomes. */
import { counted, escapeControls, fill, type Phrases } from '../../base/text.ts';
import { emit, type Output, writeToStderr } from '../../report/emit.ts';
import { jsonPieces } from '../../report/json.ts';
import type { CheckReport } from '../../report/report.ts';
import { type Paint, table } from '../../report/terminal.ts';
import type { GlobalProperty } from '../../rules/service/derivation.ts';
import { clustersText, outcomePhrases, valueText } from '../../rules/service/outcomes.ts';
import type { ExplainedConflict, ExplainedExport, ExplainedService, ServiceOutcome } from './explain-service.ts';

/** The columns of properties. */
const COLUMNS: readonly (readonly [title: string, property: GlobalProperty])[] = [
  ['TYPE', 'type'],
  ['PORTS', 'ports'],
  ['AFFINITY', 'sessionAffinity'],
  ['TIMEOUT', 'timeoutSeconds'],
  ['TRAFFIC POLICY', 'internalTrafficPolicy'],
  ['DISTRIBUTION', 'trafficDistribution'],
  ['IP FAMILIES', 'ipFamilies'],
];

/**
 * Writes the explanation of a service, with notes and errors on standard error. Sets the process's exit code.
 * @param services undefined if part of the input could not be read; the errors of the report say why
 */
export function emitServices(
  services: readonly ExplainedService[] | undefined,
  report: CheckReport,
  notes: readonly string[],
  outputs: readonly Output[],
): void {
  process.exitCode = services === undefined ? 2 : 0;
  writeToStderr(report, notes);
  if (services === undefined) return;
  const document = { apiVersion: 'muster/v1alpha1', kind: 'ServiceExplanation', services };
  emit(outputs, { text: (paint) => serviceText(services, paint), json: () => jsonPieces(document) });
}

/** Returns the explanation of a service, once for each ClusterSet that has it. */
export function serviceText(services: readonly ExplainedService[], paint: Paint): string {
  return services.map((service) => explanation(service, paint)).join('\n');
}

function explanation(service: ExplainedService, paint: Paint): string {
  const { namespace, name, clusterSet, consumersName, exports, conflicts, outcomes } = service;
  const where = clusterSet === undefined ? '' : ` of the ClusterSet ${clusterSet}`;
  const exporting = `exported by ${counted(exports.length, 'cluster')}${where}`;
  const head = `${namespace}/${name}: ${exporting}, consumed as ${consumersName}`;
  const conflicting = new Set<string>(conflicts.map(({ property }) => property));
  const shown = COLUMNS.filter(([, property]) => [...exports, ...outcomes].some((one) => textOf(one, property) !== ''));
  const titles = shown.map(([title, property]) => (conflicting.has(property) ? `${title} (!)` : title));
  const rows = exports.map((one) => exportRow(one, shown));
  const parts = [
    paint(escapeControls(head), 'bold'),
    table(['CLUSTER', 'SERVICE', 'CREATED', ...titles], rows, paint, ([, state]) =>
      state === 'ready' ? undefined : 'yellow',
    ),
    conflictsText(conflicts, exports, paint),
    outcomesText(outcomes, shown, conflicting, paint),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function exportRow(one: ExplainedExport, columns: typeof COLUMNS): readonly string[] {
  const cells = columns.map(([, property]) => textOf(one, property) || '-');
  return [escapeControls(one.cluster) || '(the only one)', one.service, one.created ?? '-', ...cells];
}

/** Returns one line for each conflict, with what each group of clusters says. */
function conflictsText(
  conflicts: readonly ExplainedConflict[],
  exports: readonly ExplainedExport[],
  paint: Paint,
): string {
  if (conflicts.length === 0) return `${paint('No conflicts.', 'green')}\n`;
  const rows = conflicts.map(({ reason, property, clusters }) => {
    const values = clusters.map((names) => {
      const { exportedLabels, exportedAnnotations, ...one }: Partial<ExplainedExport> =
        exports.find(({ cluster }) => cluster === names[0]) ?? {};
      if (property === 'labels') return `${keysText(exportedLabels)} (${listed(names)})`;
      if (property === 'annotations') return `${keysText(exportedAnnotations)} (${listed(names)})`;
      return `${textOf(one, property)} (${listed(names)})`;
    });
    return [reason, values.join(', ')];
  });
  return table(['CONFLICT', 'VALUES'], rows, paint, () => 'red');
}

/** Returns keys as text; the values are left out. */
function keysText(keys: readonly string[] = []): string {
  return keys.length === 0 ? 'none' : listed(keys.map((key) => `${key}=…`));
}

/** Returns a line for each outcome. */
function outcomesText(
  outcomes: readonly ServiceOutcome[],
  columns: typeof COLUMNS,
  conflicting: ReadonlySet<string>,
  paint: Paint,
): string {
  if (outcomes.length === 0) return 'Consumers get nothing: no export has a Service that can be exported.\n';
  const isOldestOpen = new Set(outcomes.flatMap(({ oldest }) => oldest)).size > 1;
  const what = isOldestOpen ? 'which export is the oldest' : 'which exports are older than others';
  // No column shows them, so two outcomes may look the same.
  const isMetadataOpen = conflicting.has('labels') || conflicting.has('annotations');
  const metadata = isMetadataOpen ? ' Labels and annotations are those of the oldest.' : '';
  const title = `What consumers get:${outcomes.length > 1 ? ` it is open ${what}.${metadata}` : ''}`;
  const shown = columns.filter(([, property]) => outcomes.some((one) => gotText(one, property) !== ''));
  const rows = outcomes.map((one) => {
    const cells = shown.map(([, property]) => gotText(one, property) || '-');
    return [oldestText(one, outcomes), ...cells, droppedText(one) || '-'];
  });
  const titles = shown.map(([heading]) => heading);
  return `${title}\n${table(['OLDEST', ...titles, 'DROPPED PORTS'], rows, paint)}`;
}

/** Returns what consumers get of a property. If some ports are unknown, the known ones are followed by `unknown`. */
function gotText(outcome: ServiceOutcome, property: GlobalProperty): string {
  if (property !== 'ports' || outcome.arePortsKnown) return textOf(outcome, property);
  return [...(outcome.ports.length > 0 ? [textOf(outcome, property)] : []), 'unknown'].join(', ');
}

/** Returns the clusters whose export has to be the oldest; the whole order if an oldest export allows two outcomes. */
function oldestText({ oldest, order }: ServiceOutcome, outcomes: readonly ServiceOutcome[]): string {
  const isAlone = oldest.every((cluster) => outcomes.filter((one) => one.oldest.includes(cluster)).length === 1);
  return isAlone ? listed(oldest) : escapeControls(order.join(' > '));
}

function droppedText({ dropped }: ServiceOutcome): string {
  const texts = dropped.map(({ port, clusters }) => `${textOf({ ports: [port] }, 'ports')} of ${listed(clusters)}`);
  return texts.join(', ');
}

/** Returns the text of a property for a cell of a table; empty if the property is unknown or absent. */
function textOf(of: object, property: GlobalProperty): string {
  const value = valueText({ cluster: '', created: undefined, properties: of }, property);
  return value === undefined ? '' : textFrom(value);
}

function listed(clusters: readonly string[]): string {
  return textFrom(clustersText(clusters));
}

function textFrom(value: Phrases): string {
  return escapeControls(fill('{{value}}', { value }, outcomePhrases));
}

/**
 * Monitoring, as data: queries name metrics and labels that exist, and each alert has its runbook. That they work:
 * alerts.e2e.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import { SOON_DAYS } from '../../../src/engine/policy.ts';
import { HOMEPAGE } from '../../../src/rules/homepage.generated.ts';
import { alerts, dashboard } from '../../support/chart.ts';

/** The labels that a scrape adds, and that of a histogram's buckets. */
const OF_TARGETS = ['namespace', 'pod', 'instance', 'job', 'le'];
const RUNBOOKS = 'docs/runbooks';

const ofNode = new Registry();
collectDefaultMetrics({ register: ofNode });
/** The labels of each metric, from the reference, which is generated from the registries of a server. */
const documented = new Map<string, readonly string[]>(
  [...readFileSync('docs/reference/metrics.md', 'utf8').matchAll(/^\| `(\w+)` \|(.*)$/gm)].map(
    ([, name = '', rest = '']) => [name, [...rest.matchAll(/`(\w+)`:/g)].map(([, label = '']) => label)],
  ),
);
for (const { name } of ofNode.getMetricsAsArray()) documented.set(name, []);
documented.set('up', []);

const queries = [
  ...alerts.map(({ name, expr }) => [name, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

test.each(queries)('%s: metrics and labels of the query exist', (_, expr) => {
  const metrics = [...expr.matchAll(/\b(?:(?:muster|nodejs|process)_\w+|up\b)/g)].map(([name]) =>
    name.replace(/_(?:bucket|count|sum)$/, ''),
  );
  expect(metrics).not.toEqual([]);
  expect(metrics.filter((name) => !documented.has(name))).toEqual([]);
  const labels = [
    ...[...expr.matchAll(/([a-z_0-9]+)\s*=~?"/g)].map(([, label = '']) => label),
    ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  ];
  const known = new Set([...OF_TARGETS, ...metrics.flatMap((name) => documented.get(name) ?? [])]);
  expect(labels.filter((label) => !known.has(label))).toEqual([]);
});

test('each alert has a runbook, and each runbook is in the index', () => {
  const pages = readdirSync(RUNBOOKS).filter((file) => file !== 'README.md');
  expect(pages.sort()).toEqual([...new Set(alerts.map(({ runbook }) => `${runbook}.md`))].sort());
  const index = readFileSync(`${RUNBOOKS}/README.md`, 'utf8');
  const rows = alerts.map(({ name, runbook, severity }) => `| [${name}](${runbook}.md) | ${severity} |`);
  expect(rows.filter((row) => !index.includes(row))).toEqual([]);
});

test('texts that repeat a constant of the sources are right', () => {
  expect(alerts.filter(({ annotations }) => !annotations.runbook_url.startsWith(`${HOMEPAGE}runbooks/`))).toEqual([]);
  const soon = alerts.find(({ name }) => name === 'MusterExceptionsEndSoon');
  expect(soon?.annotations.description).toContain(`within ${SOON_DAYS} days`);
});

test('nobody is woken up by what passes by itself', () => {
  const critical = alerts.filter(({ severity }) => severity === 'critical');
  expect(critical.length).toBeGreaterThan(3);
  expect(critical.filter((alert) => Number.parseInt(alert.for, 10) < 5)).toEqual([]);
});

test.each(alerts.map(({ name, runbook, severity }) => [name, runbook, severity] as const))(
  'the runbook of %s has its name and severity',
  (name, file, severity) => {
    const page = readFileSync(`${RUNBOOKS}/${file}.md`, 'utf8');
    expect(page).toMatch(new RegExp(`^# (?:\\w+ and )?${name}\\b`, 'm'));
    expect(page).toMatch(new RegExp(`^Severity: .*\\b${severity}\\b`, 'm'));
  },
);

const program = ['src/cli/serve', 'src/server/log', 'src/server/lifecycle'].flatMap((folder) =>
  readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8')),
);
const searched = readdirSync(RUNBOOKS).flatMap((file) =>
  [...readFileSync(`${RUNBOOKS}/${file}`, 'utf8').matchAll(/\| grep (.*)$/gm)].flatMap(([, args = '']) =>
    [...args.matchAll(/'([^'"]+)'|(?<=-e |^)([\w-]{3,})/g)].map(([, quoted, word]) => [file, quoted ?? word ?? '']),
  ),
);

test.each(searched)('%s searches the log for a text that is there: %s', (_, text) => {
  expect(program.filter((source) => source.includes(text))).not.toEqual([]);
});

test('the panels of the dashboard have ids of their own, and the source that the user chooses', () => {
  const { templating, panels } = dashboard;
  expect(templating.list.map(({ name, type }) => [name, type])).toContainEqual(['datasource', 'datasource']);
  const shown = panels.filter(({ type }) => type !== 'row');
  for (const panel of shown) expect(panel).toMatchObject({ datasource: { type: 'prometheus', uid: '$datasource' } });
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

/** Data of the Helm chart: its default values, the alerts and the dashboard. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(new URL(`../../charts/kube-muster/${file}`, import.meta.url), 'utf8');

/** The options of Node.js with which a server runs in a cluster. */
export const NODE_OPTIONS: string = parse(read('values.yaml')).nodeOptions;

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: 'critical' | 'warning' | 'info' };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

/** The file of alerts, as Prometheus reads it. */
export const alertRules: { readonly groups: readonly [{ readonly rules: readonly AlertRule[] }] } = parse(
  read('files/alerts.yaml'),
);

/** The alerts; `runbook` is the name of the page in docs/runbooks. */
export const alerts = alertRules.groups[0].rules.map(({ alert, labels, annotations, ...rule }) => ({
  ...rule,
  name: alert,
  severity: labels.severity,
  annotations,
  runbook: annotations.runbook_url.replace(/.*\//, ''),
}));

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** The dashboard in Grafana's JSON. */
export const dashboard: {
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
} = JSON.parse(read('files/dashboard.json'));

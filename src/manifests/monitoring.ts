/** What Prometheus and Grafana need: a ServiceMonitor, a PrometheusRule (both of the Prometheus Operator), and a dashboard. */
import { alertGroups } from './alerts.ts';
import { dashboard } from './dashboard.ts';
import { type Manifest, manifest, selectorOf } from './manifest.ts';
import { SERVER } from './names.ts';

export const DASHBOARD = 'muster-dashboard';

/** Returns the scrape of every server, ready or not, by the port of the Service that has the metrics. */
export function serviceMonitor(namespace: string): Manifest {
  return manifest(
    ['monitoring.coreos.com/v1', 'ServiceMonitor'],
    { name: SERVER, namespace, component: 'server' },
    {
      spec: {
        // The job of every series, by which alerts and dashboard select: the Service's label is the same in each installation.
        jobLabel: 'app.kubernetes.io/name',
        selector: { matchLabels: selectorOf('server') },
        namespaceSelector: { matchNames: [namespace] },
        endpoints: [{ port: 'ops', path: '/metrics' }],
      },
    },
  );
}

/** Returns the alerts. */
export function prometheusRule(namespace: string): Manifest {
  const named = { name: SERVER, namespace, component: 'server' } as const;
  return manifest(['monitoring.coreos.com/v1', 'PrometheusRule'], named, { spec: { groups: alertGroups() } });
}

/** Returns the dashboard as a ConfigMap with the label that Grafana's sidecar looks for. */
export function dashboardConfigMap(namespace: string): Manifest {
  const made = manifest(['v1', 'ConfigMap'], { name: DASHBOARD, namespace, component: 'server' });
  const labels = { ...made.metadata.labels, grafana_dashboard: '1' };
  const data = { 'muster.json': `${JSON.stringify(dashboard(), undefined, 2)}\n` };
  return { ...made, metadata: { ...made.metadata, labels }, data };
}

/** The Grafana dashboard in Grafana's JSON: places the panels of dashboard-panels.ts. */
import { type Panel, rows } from './dashboard-panels.ts';

const SOURCE = { type: 'prometheus', uid: '$datasource' };
/** A dashboard is 24 columns wide. */
const [COLUMNS, GRAPH, NUMBER] = [24, { w: 12, h: 8 }, { w: 4, h: 4 }];

/** Returns the dashboard in Grafana's JSON, to be imported or provisioned. */
export function dashboard() {
  return {
    uid: 'kube-muster',
    title: 'muster',
    description: 'Verdicts, latency and health of the muster admission webhook.',
    tags: ['kubernetes', 'admission'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [datasource, namespaces] },
    panels: placed(),
  };
}

const datasource = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' };
const namespaces = {
  name: 'namespace',
  label: 'Namespace',
  type: 'query',
  datasource: SOURCE,
  query: 'label_values(muster_build_info, namespace)',
  refresh: 2,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
};

/** Places the panels from left to right, each row under its title. */
function placed(): readonly object[] {
  const panels: object[] = [];
  let y = 0;
  for (const [title, row] of Object.entries(rows)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of row) {
      const size = panel.isNumber ? NUMBER : GRAPH;
      if (x + size.w > COLUMNS) [x, y] = [0, y + size.h];
      panels.push(panelOf(panel, panels.length + 1, { x, y, ...size }));
      x += size.w;
      height = size.h;
    }
    y += height;
  }
  return panels;
}

function panelOf({ title, description, unit, queries, isNumber }: Panel, id: number, gridPos: object) {
  return {
    id,
    type: isNumber ? 'stat' : 'timeseries',
    title,
    description,
    datasource: SOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: isNumber
      ? { reduceOptions: { calcs: ['lastNotNull'] } }
      : { legend: { displayMode: 'list', placement: 'bottom' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

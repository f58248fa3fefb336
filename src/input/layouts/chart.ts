/** Recognizes Helm charts, folders with a `Chart.yaml`, and those of their files that are no manifests. */
import { dirname, join } from 'node:path';
import { at, textAt } from '../../base/json.ts';
import { descriptionAt, withLowerKeys } from './description.ts';
import type { Tree } from './tree.ts';

export const CHART_NAME = 'Chart.yaml';

/**
 * Returns the type of the chart in a folder, if there is one that can be read. A library has templates for other charts
 * only, and can't be rendered. A `Chart.yaml` with a `kind`, but without the name and the version of a chart, is an
 * object.
 */
export function chartIn(folder: string, tree: Tree): 'chart' | 'library' | undefined {
  const written = descriptionAt(join(folder, CHART_NAME), tree, (value) => {
    const [kind, ...ofChart] = ['kind', 'name', 'version'].map((field) => at(value, [field]));
    return kind === undefined || !ofChart.includes(undefined);
  });
  if (written === undefined) return undefined;
  return textAt(withLowerKeys(written), ['type']) === 'library' ? 'library' : 'chart';
}

/**
 * Returns what a file of a chart is to Helm; undefined if it may be a manifest: `crds/` has plain manifests, and
 * `charts/` has further charts.
 * @param path within the chart, with `/`
 */
export function chartPart(path: string): string | undefined {
  if (/^(Chart\.(yaml|lock)|requirements\.(yaml|lock))$/.test(path)) return `the ${path}`;
  if (path.startsWith('templates/')) return 'a template';
  return VALUES.test(path) && !CRDS.test(path) ? 'values' : undefined;
}

/** `values.yaml`, `values-east.yaml`, `values.schema.json`, `ci/east-values.yaml` */
const VALUES = /^(.*\/)?(values([-_.][^/]*)?|[^/]*[-_.]values)\.(yaml|yml|json)$/;

/**
 * Returns whether Helm may read a file when it renders a chart with its default values: one of the chart itself, or of
 * the charts in it.
 * @param path within the chart, with `/`
 */
export function isRenderedPart(path: string): boolean {
  return RENDERED.test(path);
}

/**
 * Returns whether Helm applies a file as it is: any manifest in `crds/`, whatever its kind, of the chart itself or of
 * the charts in it.
 * @param path within the chart, with `/`
 */
export function isAppliedAsIs(path: string): boolean {
  return CRDS.test(path) && MANIFEST.test(path);
}

/** Says what such a file is. @param chart its name in reports */
export function crdsPart(chart: string): string {
  return `it is in crds/ of the Helm chart ${chart}`;
}

/** The files in `crds/` that Helm takes for manifests, by names in any case. */
const MANIFEST = /\.(yaml|yml|json)$/i;

const RENDERED =
  /^(charts\/[^/]+\/)*(templates\/.*|values\.yaml|values\.schema\.json|(Chart|requirements)\.(yaml|lock))$/;

/** The `crds/` of the chart, and of the charts in it. */
const CRDS = /^(charts\/[^/]+\/)*crds\//;

/** Returns whether a folder is a dependency of the chart in the other folder. */
export function isSubchart(folder: string, chart: string): boolean {
  return dirname(folder) === join(chart, 'charts');
}

/** Recognizes Helm charts: folders with a `Chart.yaml`, and which of their files are no manifests. */
import { dirname, join } from 'node:path';
import { readDocuments } from '../../../documents/index.ts';
import { at, textAt } from '../../../rules/json.ts';
import type { Tree } from './tree.ts';

export interface Chart {
  /** A library has templates for other charts only, and can't be rendered. */
  readonly isLibrary: boolean;
}

/** Returns the chart in a folder, if it is one. A `Chart.yaml` with a `kind` is an object of somebody else. */
export function chartIn(folder: string, tree: Tree): Chart | undefined {
  const text = tree.hasFile(join(folder, 'Chart.yaml')) ? tree.read(join(folder, 'Chart.yaml')) : undefined;
  if (text === undefined) return undefined;
  const value = readDocuments(text, '').documents[0]?.value;
  return at(value, ['kind']) === undefined ? { isLibrary: textAt(value, ['type']) === 'library' } : undefined;
}

/**
 * Returns what a file of a chart is to Helm, unless it may be a manifest: `crds/` holds plain ones, and `charts/` has charts of its own.
 * @param path within the chart, with `/`
 */
export function chartPart(path: string): string | undefined {
  if (/^(Chart\.(yaml|lock)|requirements\.(yaml|lock))$/.test(path)) return `the ${path}`;
  if (path.startsWith('templates/')) return 'a template';
  return VALUES.test(path) && !path.startsWith('crds/') ? 'values' : undefined;
}

/** `values.yaml`, `values-east.yaml`, `values.schema.json`, `ci/east-values.yaml` */
const VALUES = /^(.*\/)?(values([-_.][^/]*)?|[^/]*[-_.]values)\.(yaml|yml|json)$/;

/** Returns whether a folder is a dependency of the chart in the other folder. */
export function isSubchart(folder: string, chart: string): boolean {
  return dirname(folder) === join(chart, 'charts');
}

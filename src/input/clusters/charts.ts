/** Charts that the configuration renders into clusters (`check.charts`): finds them, and reports their problems. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { quoted } from '../../base/text.ts';
import type { LoadedConfiguration, Located } from '../../config/load.ts';
import { checkoutAround, isInside, reasonOf } from '../../documents/files.ts';
import type { ConfiguredChart } from '../layouts/layout.ts';

/** A chart that is rendered into a cluster. */
export interface ClusterChart extends ConfiguredChart {
  readonly cluster: string;
  /** The file of the configuration. */
  readonly config: string;
  readonly settings: LoadedConfiguration;
  /** The position in the list. */
  readonly index: number;
}

/**
 * Returns the charts of a configuration.
 * @param config the file
 */
export function chartsIn(settings: LoadedConfiguration, config: string): readonly ClusterChart[] {
  const { charts } = settings;
  if (charts.length === 0) return [];
  const folder = dirname(config);
  const bounds = checkoutAround(realpathSync(folder));
  const at = (path: string) => join(isAbsolute(path) ? '' : folder, path).replace(/(?<=.)\/$/, '');
  return charts.map(({ chart, cluster, values = [], namespace }, index) => ({
    path: at(chart),
    values: values.map(at),
    cluster,
    namespace,
    bounds,
    config,
    settings,
    index,
  }));
}

/**
 * Refuses charts for clusters that are not among the names.
 * @param where for the message: the places without such a cluster
 * @throws ConfigError
 */
export function refuseOtherClusters(charts: readonly ClusterChart[], names: ReadonlySet<string>, where = ''): void {
  const known = [...names].toSorted().join(', ') || 'none';
  refuse(charts, (chart) => {
    if (names.has(chart.cluster)) return [];
    const message = `no cluster is called "${quoted(chart.cluster)}"${where}; the clusters are ${known}`;
    return [locateProblem(chart, 'cluster', message)];
  });
}

/**
 * Refuses charts and values files that are missing, or outside of the repository of the configuration.
 * @param isGone returns whether a chart may be missing, since an earlier revision may have it
 * @throws ConfigError
 */
export function refuseWrongCharts(charts: readonly ClusterChart[], isGone: (path: string) => boolean): void {
  refuse(charts, (chart) => {
    const { path, values, bounds } = chart;
    if (isGone(path)) return [];
    const problem = chartProblem(path, bounds);
    const ofValues = values.flatMap((file, index) => {
      const message = valuesProblem(file, bounds);
      return message === undefined ? [] : locateProblem(chart, index, `${quoted(file)}: ${message}`);
    });
    return problem ? [locateProblem(chart, 'chart', `${quoted(path)}: ${problem}`), ...ofValues] : ofValues;
  });
}

/** Returns a problem at the place of a setting, or of a file of values. */
export function locateProblem(chart: ClusterChart, setting: 'chart' | 'cluster' | number, message: string): Located {
  const inner = typeof setting === 'number' ? ['values', setting] : [setting];
  return chart.settings.locate({ path: ['check', 'charts', chart.index, ...inner], message });
}

/** Returns why a folder can't be rendered as a chart. */
export function chartProblem(path: string, bounds: string | undefined): string | undefined {
  const what = 'it is not a chart: name a folder with a Chart.yaml';
  return pathProblem(path, bounds, 'folder', () => (isFile(join(path, 'Chart.yaml')) ? undefined : what));
}

/** Returns why a file can't be the values of a chart. */
export function valuesProblem(path: string, bounds: string | undefined): string | undefined {
  return pathProblem(path, bounds, 'file', () => (isFile(path) ? undefined : 'it is not a regular file'));
}

function pathProblem(path: string, bounds: string | undefined, what: string, problemOf: () => string | undefined) {
  try {
    if (!statSync(path, { throwIfNoEntry: false })) return `no such ${what}`;
    if (bounds === undefined || isInside(realpathSync(path), bounds)) return problemOf();
    return `it is outside of the repository ${quoted(bounds)}: copy it into the repository`;
  } catch (error) {
    return `can't read it: ${reasonOf(error)}`;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function refuse(charts: readonly ClusterChart[], problemsOf: (chart: ClusterChart) => readonly Located[]): void {
  const problems = charts.flatMap(problemsOf);
  if (charts[0] && problems.length > 0) throw charts[0].settings.refusal(problems);
}

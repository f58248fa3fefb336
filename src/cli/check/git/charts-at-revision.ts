/**
 * Finds the charts that the configuration listed at the revision: a chart may have had other values, or another folder.
 */
import { realpathSync } from 'node:fs';
import { statOf } from '../../../cluster/files/index.ts';
import { isInside } from '../../../documents/bytes.ts';
import { type ClusterChart, chartsIn } from '../clusters/charts.ts';
import { isThere } from '../paths.ts';

/**
 * Returns the charts that a configuration in the checkout lists and that exist there; undefined if it lists none, or if
 * there is no such file.
 * @param file the configuration
 * @param name its name in messages
 * @throws ConfigError
 */
export async function chartsAt(
  file: string,
  name: string,
  checkout: string,
): Promise<readonly ClusterChart[] | undefined> {
  const isFile = statOf(file)?.isFile() === true;
  if (!isFile || !isInside(realpathSync(file), checkout)) return undefined;
  const { configurationOf, readConfigurationText } = await import('../../../config/load.ts');
  const { ruleIds } = await import('../../../rules/index.ts');
  const loaded = configurationOf(await readConfigurationText(file), name, ruleIds, Date.now());
  if (loaded.charts.length === 0) return undefined;
  return chartsIn(loaded, file).filter(({ path }) => isThere(path));
}

/** Checks the server's configuration. */

import { textAt } from '../../base/json.ts';
import { ConfigError, configurationOf } from '../../config/load.ts';
import type { Policy } from '../../engine/index.ts';
import { CONFIG_MAP } from '../../manifests/names.ts';
import { ruleIds } from '../../rules/index.ts';
import type { DoctorContext } from './context.ts';
import { read } from './read.ts';
import { type Check, resultsOf } from './report.ts';

const KEY = 'muster.yaml';

/** The configuration of `--config`, already accepted. */
export interface ConfigurationFile {
  readonly file: string;
  readonly policy: Policy;
}

/** Checks the configuration of `--config`, else that of the cluster's ConfigMap. Without either there is no check. */
export async function checkConfiguration(
  { client, namespace, clock }: Pick<DoctorContext, 'client' | 'namespace' | 'clock'>,
  fromFile?: ConfigurationFile,
): Promise<{ readonly checks: readonly Check[]; readonly policy?: Policy }> {
  if (fromFile) {
    const { file, policy } = fromFile;
    return { checks: [resultsOf('configuration', `configuration ${file}`).ok(`valid; mode: ${policy.mode}`)], policy };
  }
  const results = resultsOf('configuration', `ConfigMap ${namespace}/${CONFIG_MAP}`);
  const map = await read(client, { apiVersion: 'v1', plural: 'configmaps', namespace, name: CONFIG_MAP });
  if (map.kind === 'missing') return { checks: [] };
  if (map.kind === 'unknown') return { checks: [results.unknown(map.reason, map.remedy)] };
  const edit = `kubectl -n ${namespace} edit configmap ${CONFIG_MAP}`;
  const text = textAt(map.body, ['data', KEY]);
  if (text === undefined) return { checks: [results.fail(`has no ${KEY}: no new pod can start`, edit)] };
  try {
    const { policy, warnings } = configurationOf(text, KEY, ruleIds, clock());
    const details = warnings.map((message) => ({ message }));
    const mode = `mode: ${policy.mode}`;
    if (details.length === 0) return { checks: [results.ok(`valid; ${mode}`)], policy };
    return {
      checks: [
        results.warn(`valid, with ${details.length} warning${details.length === 1 ? '' : 's'}; ${mode}`, edit, details),
      ],
      policy,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const message = 'is refused: running pods keep the one before, and no new pod can start';
    const details = error.problems.map((problem) => ({ message: problem }));
    return { checks: [results.fail(message, edit, details)] };
  }
}

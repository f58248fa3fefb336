/** Checks the server's configuration. */

import { textAt } from '../../base/json.ts';
import { ConfigError, configurationOf } from '../../config/load.ts';
import type { Policy } from '../../engine/index.ts';
import { ruleIds } from '../../rules/index.ts';
import { read } from './read.ts';
import { type DoctorContext, editConfiguration } from './remedies.ts';
import { type Finding, resultsOf } from './report.ts';

const KEY = 'muster.yaml';

/** The configuration of `--config`, already accepted. */
export interface ConfigurationFile {
  readonly file: string;
  readonly policy: Policy;
}

interface Configured {
  readonly checks: readonly Finding[];
  readonly policy?: Policy;
  /** The text of the ConfigMap. */
  readonly text?: string;
}

/** Checks the configuration of `--config`, else that of the cluster's ConfigMap. Without either there is no check. */
export async function checkConfiguration(
  context: Pick<DoctorContext, 'client' | 'namespace' | 'names' | 'clock' | 'way'>,
  fromFile?: ConfigurationFile,
): Promise<Configured> {
  const stored = await checkStored(context);
  if (fromFile === undefined) return stored;
  const { file, policy } = fromFile;
  const check = resultsOf('configuration', `configuration ${file}`).ok(`valid; mode: ${policy.mode}`);
  return { ...stored, checks: [check], policy };
}

async function checkStored(context: Parameters<typeof checkConfiguration>[0]): Promise<Configured> {
  const { client, namespace, names, clock } = context;
  const name = `${names.base}-config`;
  const results = resultsOf('configuration', `ConfigMap ${namespace}/${name}`);
  const map = await read(client, { apiVersion: 'v1', plural: 'configmaps', namespace, name });
  if (map.kind === 'missing') return { checks: [] };
  if (map.kind === 'unknown') return { checks: [results.unknown(map.reason, map.remedy)] };
  const edit = editConfiguration(context);
  const text = textAt(map.body, ['data', KEY]);
  if (text === undefined) return { checks: [results.fail(`has no ${KEY}: no new pod can start`, edit)] };
  try {
    const { policy, warnings } = configurationOf(text, KEY, ruleIds, clock());
    const details = warnings.map((message) => ({ message }));
    const mode = `mode: ${policy.mode}`;
    if (details.length === 0) return { checks: [results.ok(`valid; ${mode}`)], policy, text };
    const message = `valid, with ${details.length} warning${details.length === 1 ? '' : 's'}; ${mode}`;
    return { checks: [results.warn(message, edit, { details })], policy, text };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const message = 'is refused: running pods keep the one before, and no new pod can start';
    const details = error.problems.map((problem) => ({ message: problem }));
    return { checks: [results.fail(message, edit, { details })], text };
  }
}

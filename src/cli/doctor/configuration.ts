/** The server's configuration, where it lies in a ConfigMap that can be read: a bad one is refused, and the old one stays. */
import { ConfigError, configurationOf } from '../../config/load.ts';
import type { Policy } from '../../engine/index.ts';
import { CONFIG_MAP } from '../../manifests/names.ts';
import { ruleIds } from '../../rules/index.ts';
import { textAt } from '../../rules/json.ts';
import type { Examination } from './examination.ts';
import { look } from './look.ts';
import { about, type Check } from './report.ts';

const KEY = 'muster.yaml';

export interface ConfigurationFindings {
  readonly checks: readonly Check[];
  /** Undefined where there is none to be read. */
  readonly policy: Policy | undefined;
}

/** A configuration that was given with `--config`, already accepted. */
export interface GivenConfiguration {
  readonly file: string;
  readonly policy: Policy;
}

/**
 * Checks the configuration that was given, else that of the cluster's ConfigMap. Without either there is nothing to say: the server may
 * have its configuration from anywhere, or none.
 */
export async function checkConfiguration(
  examination: Pick<Examination, 'client' | 'namespace' | 'clock'>,
  given?: GivenConfiguration,
): Promise<ConfigurationFindings> {
  const { client, namespace } = examination;
  if (given) {
    const { file, policy } = given;
    return { checks: [about('configuration', `configuration ${file}`).ok(`good; mode: ${policy.mode}`)], policy };
  }
  const verdicts = about('configuration', `ConfigMap ${namespace}/${CONFIG_MAP}`);
  const path = `/api/v1/namespaces/${namespace}/configmaps/${CONFIG_MAP}`;
  const sight = await look(client, { path, right: `get configmaps ${CONFIG_MAP} in ${namespace}` });
  if (sight.kind === 'missing') return { checks: [], policy: undefined };
  if (sight.kind === 'unknown') return { checks: [verdicts.unknown(sight.reason, sight.remedy)], policy: undefined };
  const edit = `kubectl -n ${namespace} edit configmap ${CONFIG_MAP}`;
  const text = textAt(sight.body, ['data', KEY]);
  if (text === undefined)
    return { checks: [verdicts.fail(`has no ${KEY}: no new pod can start`, edit)], policy: undefined };
  try {
    const { policy, warnings } = configurationOf(text, KEY, ruleIds, examination.clock());
    const details = warnings.map((message) => ({ message }));
    const check =
      details.length === 0
        ? verdicts.ok(`good; mode: ${policy.mode}`)
        : verdicts.warn(`good, with ${details.length} warnings; mode: ${policy.mode}`, edit, details);
    return { checks: [check], policy };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const details = error.problems.map((message) => ({ message }));
    const message = 'is refused: running pods keep the one before, and no new pod can start';
    return { checks: [verdicts.fail(message, edit, details)], policy: undefined };
  }
}

/** Checks the server's configuration, and the fallback policies that apply while the webhook is away. */
import { ConfigError, configurationOf } from '../../config/load.ts';
import type { Policy } from '../../engine/index.ts';
import { CONFIG_MAP } from '../../manifests/names.ts';
import { ruleIds } from '../../rules/index.ts';
import { listAt, textAt } from '../../rules/json.ts';
import type { DoctorContext } from './context.ts';
import { type ReadResult, read } from './read.ts';
import { type Check, resultsOf } from './report.ts';

const KEY = 'muster.yaml';

export interface ConfigurationResult {
  readonly checks: readonly Check[];
  /** Undefined if none could be read. */
  readonly policy: Policy | undefined;
}

/** The configuration of `--config`, already accepted. */
export interface ConfigurationFile {
  readonly file: string;
  readonly policy: Policy;
}

/** Checks the configuration of `--config`, else that of the cluster's ConfigMap. Without either there is no check. */
export async function checkConfiguration(
  { client, namespace, clock }: Pick<DoctorContext, 'client' | 'namespace' | 'clock'>,
  fromFile?: ConfigurationFile,
): Promise<ConfigurationResult> {
  if (fromFile) {
    const { file, policy } = fromFile;
    return { checks: [resultsOf('configuration', `configuration ${file}`).ok(`valid; mode: ${policy.mode}`)], policy };
  }
  const results = resultsOf('configuration', `ConfigMap ${namespace}/${CONFIG_MAP}`);
  const map = await read(client, { apiVersion: 'v1', plural: 'configmaps', namespace, name: CONFIG_MAP });
  const only = (...checks: readonly Check[]): ConfigurationResult => ({ checks, policy: undefined });
  if (map.kind === 'missing') return only();
  if (map.kind === 'unknown') return only(results.unknown(map.reason, map.remedy));
  const edit = `kubectl -n ${namespace} edit configmap ${CONFIG_MAP}`;
  const text = textAt(map.body, ['data', KEY]);
  if (text === undefined) return only(results.fail(`has no ${KEY}: no new pod can start`, edit));
  try {
    const { policy, warnings } = configurationOf(text, KEY, ruleIds, clock());
    const details = warnings.map((message) => ({ message }));
    const warned = details.length === 0 ? 'valid' : `valid, with ${details.length} warnings`;
    const message = `${warned}; mode: ${policy.mode}`;
    return { checks: [details.length === 0 ? results.ok(message) : results.warn(message, edit, details)], policy };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const message = 'is refused: running pods keep the one before, and no new pod can start';
    const details = error.problems.map((problem) => ({ message: problem }));
    return only(results.fail(message, edit, details));
  }
}

/** Checks that each ValidatingAdmissionPolicy of muster has a binding. They are optional. */
export async function checkFallbackPolicies({ client }: DoctorContext): Promise<Check> {
  const results = resultsOf('fallback-policies', 'ValidatingAdmissionPolicies of muster');
  const list = (plural: string) => read(client, { apiVersion: 'admissionregistration.k8s.io/v1', plural });
  const policies = await list('validatingadmissionpolicies');
  const bindings = await list('validatingadmissionpolicybindings');
  if (policies.kind === 'unknown') return results.unknown(policies.reason, policies.remedy);
  if (bindings.kind === 'unknown') return results.unknown(bindings.reason, bindings.remedy);
  const names = itemsOf(policies, ['metadata', 'name']).filter((name) => name.startsWith('muster-'));
  if (names.length === 0) {
    return results.ok('none: while muster is away, failurePolicy decides (muster manifests --policies prints them)');
  }
  const bound = itemsOf(bindings, ['spec', 'policyName']);
  const unbound = names.filter((name) => !bound.includes(name));
  if (unbound.length === 0) return results.ok(`${names.length}, each with a binding`);
  const message = `${unbound.length} of ${names.length} have no binding, and so no effect: ${unbound.join(', ')}`;
  return results.warn(message, 'muster manifests --policies | kubectl apply -f -');
}

function itemsOf(list: ReadResult, path: readonly string[]): readonly string[] {
  return list.kind === 'found' ? listAt(list.body, ['items']).map((item) => textAt(item, path) ?? '') : [];
}

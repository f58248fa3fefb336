/** Checks the server: its configuration, and that its pods run. */

import { at, type JsonObject, textAt } from '../../base/json.ts';
import { counted } from '../../base/text.ts';
import { ConfigError, configurationOf } from '../../config/load.ts';
import type { Policy } from '../../engine/index.ts';
import { SERVER_PODS } from '../../manifests/names.ts';
import { ruleIds } from '../../rules/index.ts';
import type { Installed } from './installed.ts';
import { type DoctorContext, editConfiguration, restore } from './remedies.ts';
import { resultsOf, type UnlinkedCheck } from './report.ts';
import { conditionOf, read } from './stored-objects.ts';

const KEY = 'muster.yaml';

/** The configuration of `--config`, already accepted. */
export interface ConfigurationFile {
  readonly file: string;
  readonly policy: Policy;
}

interface ServerConfiguration {
  readonly checks: readonly UnlinkedCheck[];
  readonly policy?: Policy;
  /** The text of the ConfigMap. */
  readonly text?: string;
}

type ConfigurationContext = Installed & Pick<DoctorContext, 'client' | 'clock' | 'options'>;

/** Checks the configuration of `--config`, else that of the cluster's ConfigMap. Without either there is no check. */
export async function checkConfiguration(
  context: ConfigurationContext,
  from?: ConfigurationFile,
): Promise<ServerConfiguration> {
  const stored = await checkStored(context);
  if (from === undefined) return stored;
  const check = resultsOf('configuration', `configuration ${from.file}`).ok(`valid; mode: ${from.policy.mode}`);
  return { ...stored, checks: [check], policy: from.policy };
}

async function checkStored(context: ConfigurationContext): Promise<ServerConfiguration> {
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
    const message = `valid, with ${counted(details.length, 'warning')}; ${mode}`;
    return { checks: [results.warn(message, edit, { details })], policy, text };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const message = 'is invalid: running pods keep the previous configuration, and no new pod can start';
    const details = error.problems.map((problem) => ({ message: problem }));
    return { checks: [results.fail(message, edit, { details })], text };
  }
}

/** Checks that explain why no pod runs, such as a missing certificate or an invalid configuration. */
const AFTER = ['certificate/secret', 'certificate/job', 'installation/config', 'installation/rbac', 'configuration'];

/**
 * Checks that pods of the server run. (With `failurePolicy: Ignore` or `mode: audit`, no write would show that.) There
 * is no check for a server behind a URL.
 */
export function checkWorkload(context: DoctorContext): readonly UnlinkedCheck[] {
  const { namespace, names, way, deployment } = context;
  const { kubectl } = context.programs;
  if (way.kind === 'url') return [];
  const results = resultsOf('workload/available', `Deployment ${namespace}/${names.base}`);
  if (deployment.kind === 'unknown') return [results.unknown(deployment.reason, deployment.remedy)];
  if (deployment.kind === 'missing') {
    const more = { after: ['installation/workload'] };
    return [results.warn('is missing: no server runs in the cluster', restore(context, 'workload'), more)];
  }
  const { body } = deployment;
  const wanted = Number(at(body, ['spec', 'replicas']) ?? 1);
  const available = Number(at(body, ['status', 'availableReplicas']) ?? 0);
  if (wanted === 0) {
    return [results.fail('has no replicas', `${kubectl} -n ${namespace} scale deployment ${names.base} --replicas 2`)];
  }
  // During a rollout there are more.
  const message = `${Math.min(available, wanted)} of ${wanted} pods available`;
  const updated = Number(at(body, ['status', 'updatedReplicas']) ?? 0);
  const isUpdated = isObserved(body) && updated >= wanted && Number(at(body, ['status', 'replicas']) ?? 0) <= updated;
  if (available >= wanted && isUpdated) return [results.ok(message)];
  const makeCheck = available > 0 ? results.warn : results.fail;
  const refused = conditionOf(body, 'ReplicaFailure');
  if (textAt(refused, ['status']) === 'True') {
    const remedy = `see why: ${kubectl} -n ${namespace} describe replicasets -l ${SERVER_PODS}`;
    const details = [{ message: textAt(refused, ['message']) ?? '' }];
    return [makeCheck(`${message}: more can't be created`, remedy, { details, after: AFTER })];
  }
  if (isRollingOut(body)) {
    const wait = `${kubectl} -n ${namespace} rollout status deployment/${names.base}`;
    return [results.wait(`${message}: a rollout runs`, `wait for it: ${wait}`, { after: AFTER })];
  }
  const remedy = `see why: ${kubectl} -n ${namespace} describe pods -l ${SERVER_PODS}`;
  if (available === 0) return [results.fail(`${message}: muster is not running`, remedy, { after: AFTER })];
  const old = isUpdated ? '' : `, ${updated} of ${wanted} updated: the rollout does not proceed`;
  return [results.warn(`${message}${old}`, remedy, { after: AFTER })];
}

/** Returns whether the status of a Deployment is that of its present spec. */
function isObserved(deployment: JsonObject): boolean {
  return at(deployment, ['status', 'observedGeneration']) === at(deployment, ['metadata', 'generation']);
}

/** Returns whether a rollout runs: its pods were not all available yet, and it has not timed out. */
function isRollingOut(deployment: JsonObject): boolean {
  if (!isObserved(deployment)) return true;
  const progressing = conditionOf(deployment, 'Progressing');
  return textAt(progressing, ['status']) === 'True' && textAt(progressing, ['reason']) !== 'NewReplicaSetAvailable';
}

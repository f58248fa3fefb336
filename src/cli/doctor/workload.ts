/** Checks that pods of the server run: under `failurePolicy: Ignore` or in `mode: audit` no write would show it. */

import { at, type Json, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { SERVER_PODS } from '../../manifests/names.ts';
import { type DoctorContext, restore } from './remedies.ts';
import { type Finding, resultsOf } from './report.ts';

/** Without a certificate or with an invalid configuration, no pod can start. */
const AFTER = ['certificate/secret', 'certificate/job', 'installation/config', 'installation/rbac', 'configuration'];

/** Checks the Deployment. There is no check for a server behind a URL. */
export function checkWorkload(context: DoctorContext): readonly Finding[] {
  const { namespace, names, way, deployment } = context;
  if (way.kind === 'url') return [];
  const results = resultsOf('workload/available', `Deployment ${namespace}/${names.base}`);
  if (deployment.kind === 'unknown') return [results.unknown(deployment.reason, deployment.remedy)];
  if (deployment.kind === 'missing') {
    const more = { after: ['installation/workload'] };
    return [results.warn('is missing: no server of it runs', restore(context, 'workload'), more)];
  }
  const { body } = deployment;
  const wanted = countAt(body, ['spec', 'replicas'], 1);
  const available = countAt(body, ['status', 'availableReplicas'], 0);
  if (wanted === 0) {
    return [results.fail('has no replicas', `kubectl -n ${namespace} scale deployment ${names.base} --replicas 2`)];
  }
  const message = `${available} of ${wanted} pods available`;
  if (available >= wanted) return [results.ok(message)];
  if (isRollingOut(body)) {
    const wait = `kubectl -n ${namespace} rollout status deployment/${names.base}`;
    return [results.wait(`${message}: a rollout runs`, `wait for it: ${wait}`, { after: AFTER })];
  }
  const remedy = `see why: kubectl -n ${namespace} describe pods -l ${SERVER_PODS}`;
  if (available > 0) return [results.warn(message, remedy, { after: AFTER })];
  return [results.fail(`${message}: muster is not running`, remedy, { after: AFTER })];
}

/** Its controller has not come to an end: all pods were available once, or it took too long. */
function isRollingOut(deployment: JsonObject): boolean {
  if (at(deployment, ['status', 'observedGeneration']) !== at(deployment, ['metadata', 'generation'])) return true;
  const conditions = listAt(deployment, ['status', 'conditions']);
  const progressing = conditions.find((condition) => textAt(condition, ['type']) === 'Progressing');
  return textAt(progressing, ['status']) === 'True' && textAt(progressing, ['reason']) !== 'NewReplicaSetAvailable';
}

function countAt(object: Json, path: readonly string[], otherwise: number): number {
  const count = at(object, path);
  return typeof count === 'number' ? count : otherwise;
}

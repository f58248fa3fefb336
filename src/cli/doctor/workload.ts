/** Checks that pods of the server run: under `failurePolicy: Ignore` or in `mode: audit` no write would show that none does. */

import { at, type Json } from '../../base/json.ts';
import { selectorOf } from '../../manifests/manifest.ts';
import { SERVER } from '../../manifests/names.ts';
import { applyCommand, type DoctorContext } from './context.ts';
import { read } from './read.ts';
import { type Check, resultsOf } from './report.ts';

/** Checks the Deployment. There is no check for a server behind a URL, nor where no controller has written a status. */
export async function checkWorkload(context: DoctorContext): Promise<readonly Check[]> {
  const { client, namespace, target } = context;
  if (target === undefined || 'url' in target) return [];
  const results = resultsOf('workload/available', `Deployment ${namespace}/${SERVER}`);
  const found = await read(client, { apiVersion: 'apps/v1', plural: 'deployments', namespace, name: SERVER });
  if (found.kind === 'unknown') return [results.unknown(found.reason, found.remedy)];
  if (found.kind === 'missing') {
    return [results.warn('is missing: no server of it runs', applyCommand(context, 'workload'))];
  }
  const { body } = found;
  if (at(body, ['status', 'observedGeneration']) === undefined) return [];
  const wanted = countAt(body, ['spec', 'replicas'], 1);
  const available = countAt(body, ['status', 'availableReplicas'], 0);
  if (wanted === 0) {
    return [results.fail('has no replicas', `kubectl -n ${namespace} scale deployment ${SERVER} --replicas 2`)];
  }
  const labels = Object.entries(selectorOf('server')).map(([key, value]) => `${key}=${value}`);
  const remedy = `see why: kubectl -n ${namespace} describe pods -l ${labels.join(',')}`;
  const message = `${available} of ${wanted} pods available`;
  if (available === 0) return [results.fail(`${message}: muster is not running`, remedy)];
  return [available < wanted ? results.warn(message, remedy) : results.ok(message)];
}

function countAt(object: Json, path: readonly string[], otherwise: number): number {
  const count = at(object, path);
  return typeof count === 'number' ? count : otherwise;
}

/** What stands behind the Service: endpoints that are ready, and the Deployment that makes them. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { SERVER } from '../../manifests/names.ts';
import { at, listAt, textAt } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';
import { apply, type Examination, type Target } from './examination.ts';
import { look, type Wanted } from './look.ts';
import { about, type Check } from './report.ts';

export interface WorkloadFindings {
  readonly checks: readonly Check[];
  readonly service: JsonObject | undefined;
}

/** Nothing for a server behind a URL: it is none of the cluster's. */
export async function checkWorkload(examination: Examination): Promise<WorkloadFindings> {
  const { target } = examination;
  if (target === undefined || 'url' in target) return { checks: [], service: undefined };
  const { check, service } = await checkService(examination, target.service);
  // An ExternalName leads out of the cluster.
  if (service === undefined || textAt(service, ['spec', 'type']) === 'ExternalName')
    return { checks: [check], service };
  const [endpoints, deployment] = await Promise.all([
    checkEndpoints(examination, target.service),
    checkDeployment(examination, target.service.namespace),
  ]);
  return { checks: [check, endpoints, ...deployment], service };
}

/** The image that the server's Deployment has now, as far as it can stand in a command. */
export async function imageOf(client: ApiClient, target: Target | undefined): Promise<string | undefined> {
  if (target === undefined || 'url' in target) return undefined;
  const sight = await look(client, deploymentIn(target.service.namespace));
  if (sight.kind !== 'found') return undefined;
  const containers = listAt(sight.body, ['spec', 'template', 'spec', 'containers']);
  const image = textAt(containers.find((each) => textAt(each, ['name']) === SERVER) ?? null, ['image']);
  return /^[\w][\w.\-/:@]{0,511}$/.test(image ?? '') ? image : undefined;
}

function deploymentIn(namespace: string): Wanted {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${SERVER}`;
  return { path, right: `get deployments.apps ${SERVER} in ${namespace}` };
}

interface Place {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

async function checkService(
  examination: Examination,
  { namespace, name, port }: Place,
): Promise<{ check: Check; service: JsonObject | undefined }> {
  const verdicts = about('workload/service', `Service ${namespace}/${name}`);
  const path = `/api/v1/namespaces/${namespace}/services/${name}`;
  const sight = await look(examination.client, { path, right: `get services ${name} in ${namespace}` });
  const remedy = apply(examination, 'workload');
  if (sight.kind === 'unknown') return { check: verdicts.unknown(sight.reason, sight.remedy), service: undefined };
  if (sight.kind === 'missing') {
    const message = 'is not there: the API server calls muster by it';
    return { check: verdicts.fail(message, remedy), service: undefined };
  }
  const service = sight.body;
  const external = textAt(service, ['spec', 'externalName']);
  if (external !== undefined) return { check: verdicts.ok(`leads to ${external}`), service };
  const ports = listAt(service, ['spec', 'ports']).map((each) => at(each, ['port']));
  if (ports.includes(port)) return { check: verdicts.ok(`has port ${port}`), service };
  return { check: verdicts.fail(`has no port ${port}, which the webhooks call`, remedy), service };
}

async function checkEndpoints(examination: Examination, { namespace, name }: Place): Promise<Check> {
  const verdicts = about('workload/endpoints', `endpoints of Service ${namespace}/${name}`);
  const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
  const right = `list endpointslices.discovery.k8s.io in ${namespace}`;
  const sight = await look(examination.client, { path, right });
  if (sight.kind !== 'found') {
    return sight.kind === 'unknown' ? verdicts.unknown(sight.reason, sight.remedy) : none(verdicts, namespace);
  }
  const endpoints = listAt(sight.body, ['items']).flatMap((slice) => listAt(slice, ['endpoints']));
  const ready = endpoints.filter(isReady).length;
  if (ready === 0) return none(verdicts, namespace);
  if (ready > 1) return verdicts.ok(`${ready} ready`);
  return verdicts.warn(
    'one alone is ready: its end is an outage',
    `run two replicas at least: kubectl -n ${namespace} get pods`,
  );
}

function none(verdicts: ReturnType<typeof about>, namespace: string): Check {
  return verdicts.fail('none is ready: no call can be answered', `see why: kubectl -n ${namespace} describe pods`);
}

/** Absent means ready, as the API has it. */
function isReady(endpoint: Json): boolean {
  return at(endpoint, ['conditions', 'ready']) !== false;
}

async function checkDeployment(examination: Examination, namespace: string): Promise<readonly Check[]> {
  const verdicts = about('workload/deployment', `Deployment ${namespace}/${SERVER}`);
  const sight = await look(examination.client, deploymentIn(namespace));
  // Whatever else answers behind the Service will do: its endpoints tell.
  if (sight.kind === 'missing') return [];
  if (sight.kind === 'unknown') return [verdicts.unknown(sight.reason, sight.remedy)];
  const wanted = Number(at(sight.body, ['spec', 'replicas']) ?? 1);
  const ready = Number(at(sight.body, ['status', 'readyReplicas']) ?? 0);
  const message = `${ready} of ${wanted} replicas ready`;
  if (ready >= wanted && ready > 0) return [verdicts.ok(message)];
  const remedy = `see why: kubectl -n ${namespace} describe pods; kubectl -n ${namespace} logs deployment/${SERVER}`;
  return [ready === 0 ? verdicts.fail(message, remedy) : verdicts.warn(message, remedy)];
}

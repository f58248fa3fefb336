/** Checks what is behind the Service: its port, ready endpoints, and the Deployment. */
import { SERVER } from '../../manifests/names.ts';
import { at, listAt, textAt } from '../../rules/json.ts';
import { applyCommand, type DoctorContext, type Target } from './context.ts';
import { type ReadResult, read } from './read.ts';
import { type Check, resultsOf } from './report.ts';

type ServiceTarget = Extract<Target, { service: unknown }>['service'];

/** Returns no check for a server behind a URL: it is not in the cluster. */
export async function checkWorkload(
  context: DoctorContext,
  deployment: ReadResult | undefined,
): Promise<readonly Check[]> {
  const { target } = context;
  if (target === undefined || 'url' in target) return [];
  const path = `/api/v1/namespaces/${target.service.namespace}/services/${target.service.name}`;
  const right = `get services ${target.service.name} in ${target.service.namespace}`;
  const service = await read(context.client, path, right);
  const check = checkService(context, target.service, service);
  const hasPods = service.kind === 'found' && textAt(service.body, ['spec', 'externalName']) === undefined;
  if (!hasPods) return [check];
  return [check, await checkEndpoints(context, target.service), ...checkDeployment(target.service, deployment)];
}

/** Reads the server's Deployment; undefined for a server behind a URL. */
export async function readDeployment(
  client: DoctorContext['client'],
  target: Target | undefined,
): Promise<ReadResult | undefined> {
  if (target === undefined || 'url' in target) return undefined;
  const { namespace } = target.service;
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${SERVER}`;
  return read(client, path, `get deployments.apps ${SERVER} in ${namespace}`);
}

/** Returns the image of the Deployment if it can be part of a command. */
export function imageOf(deployment: ReadResult | undefined): string | undefined {
  if (deployment?.kind !== 'found') return undefined;
  const containers = listAt(deployment.body, ['spec', 'template', 'spec', 'containers']);
  const image = textAt(containers.find((each) => textAt(each, ['name']) === SERVER) ?? null, ['image']);
  return /^[\w][\w.\-/:@]{0,511}$/.test(image ?? '') ? image : undefined;
}

function checkService(context: DoctorContext, { namespace, name, port }: ServiceTarget, service: ReadResult): Check {
  const results = resultsOf('workload/service', `Service ${namespace}/${name}`);
  const remedy = applyCommand(context, 'workload');
  if (service.kind === 'unknown') return results.unknown(service.reason, service.remedy);
  if (service.kind === 'missing') return results.fail('is missing: the API server calls muster through it', remedy);
  const external = textAt(service.body, ['spec', 'externalName']);
  if (external !== undefined) return results.ok(`leads to ${external}`);
  const ports = listAt(service.body, ['spec', 'ports']).map((each) => at(each, ['port']));
  if (ports.includes(port)) return results.ok(`has port ${port}`);
  return results.fail(`has no port ${port}, which the webhooks call`, remedy);
}

async function checkEndpoints({ client }: DoctorContext, { namespace, name }: ServiceTarget): Promise<Check> {
  const results = resultsOf('workload/endpoints', `endpoints of Service ${namespace}/${name}`);
  const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
  const slices = await read(client, path, `list endpointslices.discovery.k8s.io in ${namespace}`);
  if (slices.kind === 'unknown') return results.unknown(slices.reason, slices.remedy);
  const items = slices.kind === 'found' ? listAt(slices.body, ['items']) : [];
  const endpoints = items.flatMap((slice) => listAt(slice, ['endpoints']));
  // Absent means ready.
  const ready = endpoints.filter((endpoint) => at(endpoint, ['conditions', 'ready']) !== false).length;
  if (ready > 1) return results.ok(`${ready} ready`);
  if (ready === 0) return results.fail('none is ready', `see why: kubectl -n ${namespace} describe pods`);
  return results.warn('only one is ready', `run two replicas at least: kubectl -n ${namespace} get pods`);
}

/** Without a Deployment of that name something else runs the pods, and the endpoints decide. */
function checkDeployment({ namespace }: ServiceTarget, deployment: ReadResult | undefined): readonly Check[] {
  const results = resultsOf('workload/deployment', `Deployment ${namespace}/${SERVER}`);
  if (deployment === undefined || deployment.kind === 'missing') return [];
  if (deployment.kind === 'unknown') return [results.unknown(deployment.reason, deployment.remedy)];
  const replicas = Number(at(deployment.body, ['spec', 'replicas']) ?? 1);
  const ready = Number(at(deployment.body, ['status', 'readyReplicas']) ?? 0);
  const message = `${ready} of ${replicas} replicas ready`;
  if (ready >= replicas && ready > 0) return [results.ok(message)];
  const remedy = `see why: kubectl -n ${namespace} describe pods; kubectl -n ${namespace} logs deployment/${SERVER}`;
  return [ready === 0 ? results.fail(message, remedy) : results.warn(message, remedy)];
}

/** All checks, in the order in which one would look. Nothing is written: GETs, access reviews and dry runs. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { enforcementOf } from '../../engine/plan.ts';
import { NAMESPACE, SERVER, TLS_SECRET, WEBHOOKS } from '../../manifests/names.ts';
import { listAt, textAt } from '../../rules/json.ts';
import { checkBundle } from './bundle.ts';
import { checkCluster } from './cluster.ts';
import { type ConfigurationFindings, checkConfiguration, type GivenConfiguration } from './configuration.ts';
import { checkCrds } from './crds.ts';
import type { Examination, Target } from './examination.ts';
import { checkFloor } from './floor.ts';
import { checkLeases } from './leases.ts';
import { checkPermissions } from './permissions.ts';
import { probe } from './probes.ts';
import {
  certManagerOf,
  checkRegistration,
  type Registration,
  readRegistration,
  targetOf,
  webhooksOf,
} from './registration.ts';
import { checkRenewal } from './renewal.ts';
import { type Check, type DoctorReport, reportOf } from './report.ts';
import { checkSecret } from './secret.ts';
import { checkServed } from './served.ts';
import { checkWorkload, imageOf } from './workload.ts';

export interface DiagnoseOptions {
  /** Where muster and its Leases live. Default: the registered Service's namespace, the context's, `muster-system`. */
  readonly namespace?: string;
  /** The name of both webhook configurations; default `muster`. */
  readonly webhook?: string;
  /** The Secret with the server's certificate; default `muster-tls`. */
  readonly secret?: string;
  /** As whom the server reads; default: its service account. */
  readonly serverUser?: string;
  /** The server's configuration; default: that of the cluster's ConfigMap. */
  readonly configuration?: GivenConfiguration | undefined;
  /** This machine's, in milliseconds since the epoch. Default: the system's. */
  readonly clock?: () => number;
}

/** Looks at everything. Rejects for our own bugs alone: whatever the cluster answers is in the report. */
export async function diagnose(client: ApiClient, options: DiagnoseOptions = {}): Promise<DoctorReport> {
  const { checks, reachable } = await checkCluster(client, options.clock ?? Date.now);
  if (!reachable) return reportOf(client.server, checks);
  const registration = await readRegistration(client, options.webhook ?? WEBHOOKS);
  const target = targetOf(webhooksOf(registration));
  const certManager = certManagerOf(registration);
  const located = examinationOf(client, options, target);
  const [image, configuration] = await Promise.all([
    imageOf(client, target),
    checkConfiguration(located, options.configuration),
  ]);
  const enforcement = configuration.policy && enforcementOf(configuration.policy);
  const configFile = options.configuration?.file;
  const examination = { ...located, certManager, image, enforcement, configFile };
  return reportOf(client.server, [...checks, ...(await examine(examination, registration, configuration))]);
}

async function examine(
  examination: Examination,
  registration: Registration,
  configuration: ConfigurationFindings,
): Promise<readonly Check[]> {
  const bundle = checkBundle(examination, webhooksOf(registration));
  const [crds, workload, leases, permissions, floor, secret, renewal, who] = await Promise.all([
    checkCrds(examination),
    checkWorkload(examination),
    checkLeases(examination),
    checkPermissions(examination),
    checkFloor(examination),
    checkSecret(examination, bundle.roots),
    checkRenewal(examination),
    whoAmI(examination.client),
  ]);
  const probes = await probe(examination, { policy: configuration.policy, ...who });
  const { roots } = bundle;
  const served = await checkServed(examination, { roots, service: workload.service, answered: probes.answered });
  const certificates = [bundle.check, secret, renewal, served].filter((check): check is Check => check !== undefined);
  const registered = [...checkRegistration(examination, registration), ...certificates, ...workload.checks];
  return [...crds, ...registered, ...leases, ...permissions, ...configuration.checks, floor, ...probes.checks];
}

function examinationOf(client: ApiClient, options: DiagnoseOptions, target: Target | undefined): Examination {
  const registered = target !== undefined && 'service' in target ? target.service.namespace : undefined;
  const ofContext = client.namespace === 'default' ? NAMESPACE : client.namespace;
  const namespace = options.namespace ?? registered ?? ofContext;
  return {
    client,
    clock: options.clock ?? Date.now,
    namespace,
    webhook: options.webhook ?? WEBHOOKS,
    secret: options.secret ?? TLS_SECRET,
    serverUser: options.serverUser ?? `system:serviceaccount:${namespace}:${SERVER}`,
    target,
  };
}

/** Who the API server takes us for. A cluster that does not tell is no worse for it. */
async function whoAmI(client: ApiClient): Promise<{ user: string | undefined; groups: readonly string[] }> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  try {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const answer = await client.call({ method: 'POST', path, body });
    const userInfo = ['status', 'userInfo'];
    const groups = listAt(answer.body, [...userInfo, 'groups']).map(String);
    return { user: textAt(answer.body, [...userInfo, 'username']), groups };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { user: undefined, groups: [] };
  }
}

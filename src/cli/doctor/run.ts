/** Makes all checks, in the order in which an operator would. Nothing is written: reads, access reviews and dry runs. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { enforcementOf } from '../../engine/plan.ts';
import { NAMESPACE, SERVER, TLS_SECRET, WEBHOOKS } from '../../manifests/names.ts';
import { checkBundle, checkRenewal, checkSecret } from './certificates.ts';
import { checkCluster } from './cluster.ts';
import { type ConfigurationFile, checkConfiguration, checkFallbackPolicies } from './configuration.ts';
import type { DoctorContext, Target } from './context.ts';
import { checkCrds } from './crds.ts';
import { checkLeases } from './leases.ts';
import { checkPermissions } from './permissions.ts';
import { checkProbes } from './probes.ts';
import { certManagerOf, checkRegistration, readRegistration, targetOf, webhooksOf } from './registration.ts';
import { type DoctorReport, reportOf } from './report.ts';
import { checkWorkload, imageOf, readDeployment } from './workload.ts';

export interface DiagnoseOptions {
  /** Where muster and its Leases live. Default: the registered Service's namespace, the context's, `muster-system`. */
  readonly namespace?: string;
  /** The name of both webhook configurations; default `muster`. */
  readonly webhook?: string;
  /** The Secret with the server's certificate; default `muster-tls`. */
  readonly secret?: string;
  /** The user name of the server; default: its service account. */
  readonly serverUser?: string;
  /** The server's configuration; default: that of the cluster's ConfigMap. */
  readonly configuration?: ConfigurationFile | undefined;
  /** This machine's, in milliseconds since the epoch. Default: the system's. */
  readonly clock?: () => number;
}

/** Makes all checks. Rejects for bugs of muster alone: whatever the cluster answers is in the report. */
export async function diagnose(client: ApiClient, options: DiagnoseOptions = {}): Promise<DoctorReport> {
  const { checks, isReachable } = await checkCluster(client, options.clock ?? Date.now);
  if (!isReachable) return reportOf(client.server, checks);
  const registration = await readRegistration(client, options.webhook ?? WEBHOOKS);
  const located = contextOf(client, options, targetOf(webhooksOf(registration)));
  const [deployment, configuration] = await Promise.all([
    readDeployment(client, located.target),
    checkConfiguration(located, options.configuration),
  ]);
  const context: DoctorContext = {
    ...located,
    certManager: certManagerOf(registration),
    image: imageOf(deployment),
    enforcement: configuration.policy && enforcementOf(configuration.policy),
    configFile: options.configuration?.file,
  };
  const bundle = checkBundle(context, webhooksOf(registration));
  const [crds, registered, secret, renewal, workload, leases, permissions, policies, probes] = await Promise.all([
    checkCrds(context),
    checkRegistration(context, registration),
    checkSecret(context, bundle.roots),
    checkRenewal(context),
    checkWorkload(context, deployment),
    checkLeases(context),
    checkPermissions(context),
    checkFallbackPolicies(context),
    checkProbes(context),
  ]);
  const certificates = [bundle.check, secret, renewal].filter((check) => check !== undefined);
  const installed = [...crds, ...registered, ...certificates, ...workload, ...leases, ...permissions];
  return reportOf(client.server, [...checks, ...installed, ...configuration.checks, policies, ...probes]);
}

function contextOf(client: ApiClient, options: DiagnoseOptions, target: Target | undefined): DoctorContext {
  const registered = target !== undefined && 'service' in target ? target.service.namespace : undefined;
  const fromClient = client.namespace === 'default' ? NAMESPACE : client.namespace;
  const namespace = options.namespace ?? registered ?? fromClient;
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

/** muster registered with an API server by URL, and the moment from which that is in effect. */
import { readFileSync } from 'node:fs';
import { NAMESPACE, SERVER } from '../../../../src/manifests/names.ts';
import {
  mutatingWebhookConfiguration,
  type RegistrationOptions,
  validatingWebhookConfiguration,
  type Webhook,
  type WebhookConfiguration,
} from '../../../../src/manifests/registration.ts';
import type { ControlPlane } from './control-plane.ts';
import { until } from './daemon.ts';
import { caBundleOf } from './muster.ts';

const SERVICE = { namespace: NAMESPACE, name: SERVER };

/** One server, by its base URL. A `Muster` is one. */
interface Endpoint {
  readonly url: string;
  readonly caFile: string;
}

export interface RegisterOptions {
  readonly failurePolicy?: RegistrationOptions['failurePolicy'];
  /** What the server's configuration enforces; default: what holds without one. */
  readonly enforcement?: RegistrationOptions['enforcement'];
  /** Only these webhooks, by the first part of their names: `claims`, `inventory`, `features` … */
  readonly only?: readonly string[];
  /**
   * Of every webhook. Default: 15 s, which a slow machine does not need; `printed` leaves the 2 and 5 s that muster
   * prints to tests that are about time or compare the registration.
   */
  readonly timeoutSeconds?: number | 'printed';
  /** In place of the address of the first server: a proxy before several. */
  readonly url?: string;
  /** Of the configurations. */
  readonly name?: string;
  /** The last word about each webhook. */
  readonly change?: (webhook: Webhook) => object;
}

/**
 * Writes both webhook configurations, and waits until the API server calls by them. Several servers: their CAs are one
 * bundle.
 */
export async function register(
  controlPlane: ControlPlane,
  servers: Endpoint | readonly Endpoint[],
  options: RegisterOptions = {},
): Promise<void> {
  const endpoints = [servers].flat() as Endpoint[];
  const url = options.url ?? endpoints[0]?.url ?? '';
  await write(controlPlane, { url, caBundle: bundleOf(endpoints) }, options);
}

/**
 * The same by the Service of the manifests, without a CA, which `muster certs` adds. No pods run here: the Service is a
 * name for this machine. An ExternalName has no ports, so the configurations name that of the server.
 */
export async function registerService(
  controlPlane: ControlPlane,
  port = 443,
  options: RegisterOptions = {},
): Promise<void> {
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' };
  await controlPlane.apply({ apiVersion: 'v1', kind: 'Service', metadata: SERVICE, spec });
  await write(controlPlane, { service: { ...SERVICE, port } }, options);
}

async function write(controlPlane: ControlPlane, where: RegistrationOptions, options: RegisterOptions): Promise<void> {
  const { failurePolicy, enforcement } = options;
  const registration: RegistrationOptions = {
    ...where,
    ...(failurePolicy && { failurePolicy }),
    ...(enforcement && { enforcement }),
  };
  const configurations = [validatingWebhookConfiguration(registration), mutatingWebhookConfiguration(registration)];
  await controlPlane.apply(...configurations.map((configuration) => changed(configuration, options)));
  await settled(controlPlane);
}

function bundleOf(endpoints: readonly Endpoint[]): string {
  if (endpoints.length === 1 && endpoints[0]) return caBundleOf(endpoints[0]);
  return Buffer.from(endpoints.map(({ caFile }) => readFileSync(caFile, 'utf8')).join('\n')).toString('base64');
}

function changed(configuration: WebhookConfiguration, options: RegisterOptions): object {
  const { only, timeoutSeconds = 15, change, name = configuration.metadata.name } = options;
  const kept = configuration.webhooks.filter(({ name }) => only?.includes(name.split('.')[0] ?? '') ?? true);
  const webhooks = kept.map((webhook) => (timeoutSeconds === 'printed' ? webhook : { ...webhook, timeoutSeconds }));
  const metadata = { ...configuration.metadata, name };
  return { ...configuration, metadata, webhooks: change === undefined ? webhooks : webhooks.map(change) };
}

let probes = 0;

/**
 * Waits until every webhook configuration written so far is in effect. The API server takes them up in the order they
 * were written, so one of ours, written last and pointing nowhere, shows it: once it refuses a marked ConfigMap, the
 * others are in effect too.
 */
export async function settled(controlPlane: ControlPlane): Promise<void> {
  const api = controlPlane.api('admin');
  for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const) {
    probes += 1;
    const mark = `e2e-probe-${process.pid}-${probes}`;
    const probe = probeOf(kind, mark);
    await controlPlane.apply(probe);
    const path = await controlPlane.pathOf(probe);
    const inEffect = async () => {
      const configMap = { metadata: { name: mark, labels: { 'e2e-probe': mark } } };
      const { status, body } = await api.call('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', configMap);
      return status >= 400 && String(body.message).includes(`${mark}.e2e.muster`);
    };
    await until('the API server to take notice of a webhook configuration', inEffect);
    await api.call('DELETE', path);
  }
}

function probeOf(kind: WebhookConfiguration['kind'], mark: string): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: mark },
    webhooks: [
      {
        name: `${mark}.e2e.muster`,
        admissionReviewVersions: ['v1'],
        // Port 1 of this machine: nobody listens, and the refusal is immediate.
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        objectSelector: { matchLabels: { 'e2e-probe': mark } },
        failurePolicy: 'Fail',
        sideEffects: 'None',
      },
    ],
  };
}

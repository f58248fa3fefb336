/** A cluster as the manifests leave it before `muster certs` has run, and its Secret and webhook configurations. */
import { ownNamespace } from '../../../src/manifests/access.ts';
import { certificates } from '../../../src/manifests/certificates.ts';
import { NAMESPACE, SERVER, TLS_SECRET, WEBHOOKS } from '../../../src/manifests/names.ts';
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
  type WebhookConfiguration,
} from '../../../src/manifests/registration.ts';
import { type ControlPlane, type Json, type Outcome, runMuster } from '../harness/index.ts';

export const SECRET_PATH = `/api/v1/namespaces/${NAMESPACE}/secrets/${TLS_SECRET}`;
const KINDS = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'] as const;
export const ARGS = [
  '--secret',
  `${NAMESPACE}/${TLS_SECRET}`,
  '--service',
  `${NAMESPACE}/${SERVER}`,
  '--webhook',
  WEBHOOKS,
];

/** The Secret without data, and the rights of whoever fills it; what runs in pods is left out. */
export const given = certificates({ namespace: NAMESPACE, image: 'none' }).filter(({ kind }) => !/Job$/.test(kind));

export async function install(controlPlane: ControlPlane): Promise<void> {
  await controlPlane.apply(ownNamespace(NAMESPACE), ...given);
  await register(controlPlane);
}

/** Both configurations, without a CA; their Service leads to a port of this machine. */
export async function register(controlPlane: ControlPlane, port = 443): Promise<void> {
  const target = { service: { namespace: NAMESPACE, name: SERVER } };
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' };
  const metadata = { name: SERVER, namespace: NAMESPACE };
  await controlPlane.apply({ apiVersion: 'v1', kind: 'Service', metadata, spec });
  for (const configuration of [validatingWebhookConfiguration({ target }), mutatingWebhookConfiguration({ target })])
    await controlPlane.apply(ledTo(configuration, port));
}

/** An ExternalName has no ports of its own. */
function ledTo(configuration: WebhookConfiguration, port: number): object {
  const webhooks = configuration.webhooks.map((webhook) => ({
    ...webhook,
    clientConfig: { ...webhook.clientConfig, service: { ...(webhook.clientConfig['service'] as object), port } },
  }));
  return { ...configuration, webhooks };
}

export async function unregister(controlPlane: ControlPlane): Promise<void> {
  for (const kind of KINDS)
    await controlPlane.api('admin').call('DELETE', `/apis/admissionregistration.k8s.io/v1/${kind}/${WEBHOOKS}`);
}

/** Runs `muster certs` as a process. */
export function certs(kubeconfig: string, ...more: readonly string[]): Promise<Outcome> {
  return runMuster(['certs', ...ARGS, '--kubeconfig', kubeconfig, ...more]);
}

/** The Secret's values as text. */
export async function held(controlPlane: ControlPlane): Promise<Record<string, string>> {
  const { body } = await controlPlane.api('admin').call('GET', SECRET_PATH);
  const values = Object.entries((body.data ?? {}) as Record<string, string>);
  return Object.fromEntries(values.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

/** Every caBundle, as PEM. */
export async function bundles(controlPlane: ControlPlane): Promise<string[]> {
  const found = KINDS.map(async (kind) => {
    const path = `/apis/admissionregistration.k8s.io/v1/${kind}/${WEBHOOKS}`;
    const { body } = await controlPlane.api('admin').call('GET', path);
    return (body.webhooks ?? []).map(({ clientConfig }: Json) =>
      Buffer.from(clientConfig.caBundle ?? '', 'base64').toString(),
    );
  });
  return (await Promise.all(found)).flat();
}

/** Makes the Secret hold this and nothing else. */
export async function overwrite(controlPlane: ControlPlane, data: Record<string, string>): Promise<void> {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  const api = controlPlane.api('admin');
  const patch = [{ op: 'add', path: '/data', value: encoded }];
  const { status, body } = await api.call('PATCH', SECRET_PATH, patch, { contentType: 'application/json-patch+json' });
  if (status !== 200) throw new Error(`the Secret can't be written: ${status} ${body.message}`);
}

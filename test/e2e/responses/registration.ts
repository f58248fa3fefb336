/** The scripted webhook registered for marked ConfigMaps: the mark says by which path and under which failurePolicy. */
import { type ControlPlane, caBundleOf, settled } from '../harness/index.ts';
import type { ScriptedWebhook } from './scripted-webhook.ts';

export type Path = 'validate' | 'mutate';
export type Policy = 'Fail' | 'Ignore';

export const TIMEOUT_SECONDS = 3;

export async function registerScripted(controlPlane: ControlPlane, webhook: ScriptedWebhook): Promise<void> {
  await controlPlane.apply(configuration('mutate', webhook), configuration('validate', webhook));
  await settled(controlPlane);
}

/** Labels by which a ConfigMap is sent to the script. */
export function mark(path: Path, policy: Policy): Record<string, string> {
  return { script: `${path}-${policy}` };
}

function configuration(path: Path, webhook: ScriptedWebhook): object {
  const policies: Policy[] = ['Fail', 'Ignore'];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: path === 'mutate' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: 'scripted' },
    webhooks: policies.map((failurePolicy) => ({
      name: `${failurePolicy.toLowerCase()}.${path}.script`,
      admissionReviewVersions: ['v1'],
      clientConfig: { url: `${webhook.url}/${path}`, caBundle: caBundleOf(webhook) },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      objectSelector: { matchLabels: mark(path, failurePolicy) },
      failurePolicy,
      timeoutSeconds: TIMEOUT_SECONDS,
      sideEffects: 'None',
    })),
  };
}

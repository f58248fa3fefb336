/** What a kubeconfig adds to a request: CA, certificate, token. A plugin may make them, and take its time. */
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { plain } from '../../engine/text.ts';
import { ClusterError } from './error.ts';

/**
 * As client-node has them. A plugin that outlasts `ends` is left to itself.
 * @throws ClusterError `no-access`, or `timeout`
 */
export async function credentialsOf(access: KubeConfig, ends: AbortSignal): Promise<RequestOptions> {
  const options: RequestOptions = {};
  try {
    await Promise.race([access.applyToHTTPSOptions(options), endOf(ends)]);
    return options;
  } catch (cause) {
    throw cause instanceof ClusterError ? cause : unusable(cause);
  }
}

export function unusable(cause: unknown): ClusterError {
  const reason = plain(cause instanceof Error ? cause.message : String(cause));
  return new ClusterError('no-access', `the kubeconfig's credentials or CA can't be used: ${reason}`, { cause });
}

function endOf(ends: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => reject(new ClusterError('timeout', "the kubeconfig's credentials did not come in time"));
    if (ends.aborted) late();
    else ends.addEventListener('abort', late, { once: true });
  });
}

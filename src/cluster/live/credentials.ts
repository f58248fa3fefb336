/** What a kubeconfig adds to a request: CA, certificate, token. A plugin may make them, and take its time. */
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { plain, shorten } from '../../engine/text.ts';
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
    if (cause instanceof ClusterError) throw cause;
    const { exec, authProvider } = access.getCurrentUser() ?? {};
    throw exec || authProvider ? unusable(cause, whyNoPlugin(cause)) : unusable(cause);
  }
}

const LONGEST_REASON = 256;

export function unusable(
  cause: unknown,
  reason = plain(shorten(cause instanceof Error ? cause.message : String(cause), LONGEST_REASON)),
): ClusterError {
  return new ClusterError('no-access', `the kubeconfig's credentials or CA can't be used: ${reason}`, { cause });
}

/** What a plugin printed may be a token, and is not repeated: this is told to whoever waits for a verdict. */
function whyNoPlugin(cause: unknown): string {
  const { code } = cause as { code?: unknown };
  const why = code === undefined ? 'failed, or printed no credential' : `can't be run (${code})`;
  return `the plugin that it names ${why}; run it by hand to see more`;
}

function endOf(ends: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => reject(new ClusterError('timeout', "the kubeconfig's credentials did not come in time"));
    if (ends.aborted) late();
    else ends.addEventListener('abort', late, { once: true });
  });
}

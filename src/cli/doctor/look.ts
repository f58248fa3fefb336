/** One look at the cluster: what is there, that it is not there, or why that can't be told. */

import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import type { JsonObject } from '../../rules/rule.ts';

export type Sight =
  | { readonly kind: 'found'; readonly body: JsonObject }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown'; readonly reason: string; readonly remedy: string };

/** What a look needs: the path, and the right it takes in words, such as `get leases in muster-system`. */
export interface Wanted {
  readonly path: string;
  readonly right: string;
}

/** What helps against a missing right. */
export const AS_ANOTHER = 'run doctor as someone who has it, such as an administrator of the cluster';

/** Reads one object or list. Never rejects for what a cluster may answer. */
export async function look(client: ApiClient, { path, right }: Wanted): Promise<Sight> {
  try {
    const { body } = await client.call({ method: 'GET', path });
    return { kind: 'found', body };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    if (error.code === 'not-found') return { kind: 'missing' };
    return { kind: 'unknown', ...whyNot(error, right) };
  }
}

/** Why a call told nothing, and what helps. */
export function whyNot(error: ClusterError, right: string): { readonly reason: string; readonly remedy: string } {
  if (error.code === 'forbidden' || error.code === 'unauthorized') {
    return {
      reason: `can't be looked at: you lack the right to ${right}`,
      remedy: AS_ANOTHER,
    };
  }
  return { reason: `can't be told: ${error.message}`, remedy: 'run doctor again; the API server may be busy' };
}

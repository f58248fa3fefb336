/** Reads from the cluster for a check: what is there, that it is missing, or why that is unknown. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import type { JsonObject } from '../../rules/rule.ts';

export type ReadResult = { readonly kind: 'found'; readonly body: JsonObject } | { readonly kind: 'missing' } | Unknown;

export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
  readonly remedy: string;
}

/** Reads one object or list. `right` names what it takes, such as `get leases in muster-system`. Rejects for bugs alone. */
export async function read(client: ApiClient, path: string, right: string): Promise<ReadResult> {
  try {
    return { kind: 'found', body: (await client.call({ method: 'GET', path })).body };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return error.code === 'not-found' ? { kind: 'missing' } : unknownFor(error, right);
  }
}

/** What helps against a missing right. */
export const AS_ANOTHER = 'run doctor as a user who has it, such as an administrator of the cluster';

/** Explains why a call gave no answer. */
export function unknownFor({ code, message }: ClusterError, right: string): Unknown {
  if (code === 'forbidden' || code === 'unauthorized') {
    return { kind: 'unknown', reason: `can't be read: you lack the right to ${right}`, remedy: AS_ANOTHER };
  }
  return { kind: 'unknown', reason: `unknown: ${message}`, remedy: 'run doctor again; the API server may be busy' };
}

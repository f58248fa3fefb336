/** Writes findings into the cluster that was scanned: many writes, of which some may fail. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { LONG_PAUSES_MS, withRetries } from '../../cluster/live/client-wrappers.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { type Entry, SEVERITY } from '../../evaluation/results.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { reportedFindings } from '../../report/text.ts';
import { isNamespaceGone } from '../event.ts';

export interface WriteProblems {
  readonly errors: readonly PlacedMessage[];
  /** What was left out, for people. */
  readonly notes: readonly string[];
}

/** Returns the objects with findings: denied before indeterminate before warned. */
export function worstFirst(objects: readonly Entry[]): readonly Entry[] {
  const withFindings = objects.filter(({ result }) => reportedFindings(result).length > 0);
  return withFindings.sort((a, b) => SEVERITY[b.result.outcome] - SEVERITY[a.result.outcome]);
}

/**
 * Returns how to make writes that are repeated while the API server refuses them for a moment: clusters limit the rate
 * of Events. A server that can't be reached has been tried long enough by the scan.
 */
export function repeatingRefused(client: ApiClient): ApiClient['call'] {
  return withRetries(client, { pauses: LONG_PAUSES_MS, when: ({ code }) => code === 'unavailable' }).call;
}

/** After so many failures, the other writes would probably fail, too. */
const MOST_FAILURES = 3;

/**
 * Writes each item, and stops after some failures. Returns one error for each different message.
 * @param about the subject of the errors
 */
export async function writeEach<T>(
  items: readonly T[],
  write: (item: T) => Promise<void>,
  { about, messageOf }: { readonly about: string; readonly messageOf: (error: ClusterError) => string },
): Promise<PlacedMessage[]> {
  const messages: string[] = [];
  for (const item of items) {
    try {
      await write(item);
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (isNamespaceGone(error)) continue;
      if (messages.push(messageOf(error)) >= MOST_FAILURES) break;
    }
  }
  return [...new Set(messages)].map((message) => ({ about, message }));
}

/** Many writes into a cluster, of which one may fail and the others not. */
import { ClusterError } from '../../cluster/live/errors.ts';
import type { CheckError } from '../output/report.ts';

/** What is refused so often is refused for good. */
const MOST_FAILURES = 3;

/** Whether the namespace is being deleted: what stands in it goes with it, so nothing has to be written there. */
export function isNamespaceEnding({ code, message }: ClusterError): boolean {
  return code === 'forbidden' && message.includes('because it is being terminated');
}

/**
 * Does it for each, and goes on after a failure or two. Returns what failed, one for each cause.
 * @param told who reports it, and how the error is put into words
 */
export async function attemptEach<T>(
  items: readonly T[],
  deed: (item: T) => Promise<void>,
  told: { readonly file: string; readonly messageOf: (error: ClusterError) => string },
): Promise<CheckError[]> {
  const messages: string[] = [];
  for (const item of items) {
    try {
      await deed(item);
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (isNamespaceEnding(error)) continue;
      if (messages.push(told.messageOf(error)) >= MOST_FAILURES) break;
    }
  }
  return [...new Set(messages)].map((message) => ({ file: told.file, line: 1, column: 1, message }));
}

/** From what an API server (or the way to it) did to an error that says what to mend. */

import { plain, shorten } from '../../engine/text.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { ClusterError, type ClusterErrorCode } from './errors.ts';

const CODES: Readonly<Record<number, ClusterErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  400: 'invalid',
  405: 'invalid',
  415: 'invalid',
  422: 'invalid',
};
const LONGEST_MESSAGE = 512;

/** An answer other than 2xx. `answer` is its metav1.Status, where it is one. */
export function failureOf(
  status: number,
  answer: JsonObject | undefined,
  { method, path }: { readonly method: string; readonly path: string },
): ClusterError {
  const code = CODES[status] ?? 'unavailable';
  const said = plain(shorten(textAt(answer, ['message']) ?? `HTTP ${status}`, LONGEST_MESSAGE));
  const message = `${method} ${path.split('?')[0]}: ${said}`;
  if (code !== 'not-found') return new ClusterError(code, message, { status });
  // A missing object is named in the details; a kind that is not served is a bare 404, in text or as a Status.
  // Of what we asked for: another object's absence proves nothing.
  const named = answer?.['kind'] === 'Status' && textAt(answer, ['details', 'name']) === nameIn(path);
  return new ClusterError(code, message, { status, absent: named ? 'object' : 'kind' });
}

function nameIn(path: string): string {
  const last = path.split('?')[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** No answer at all. @param reused whether it was sent on a connection that had been idle */
export function unreachable(target: string, error: NodeJS.ErrnoException, reused = false): ClusterError {
  const { origin } = new URL(target);
  if (error.name === 'TimeoutError' || error.name === 'AbortError' || error.code === 'ABORT_ERR') {
    return new ClusterError('timeout', `the API server at ${origin} did not answer in time`, { cause: error });
  }
  const cause = Object.assign(error, { reused });
  return new ClusterError(
    'unreachable',
    `the API server at ${origin} can't be reached (${error.code ?? plain(error.message)})`,
    { cause },
  );
}

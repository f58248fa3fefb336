/** Errors of calls to an API server, and messages on them that name the fix. */

import { type JsonObject, textAt } from '../../base/json.ts';
import { errorMessage, safeText } from '../../base/text.ts';

/** The reasons why a call fails. */
export const clusterErrorCodes = [
  /** No kubeconfig, or one that can't be used. */
  'no-access',
  /** No connection, or one that broke. */
  'unreachable',
  /** No answer in time, or the request that needed it has ended. */
  'timeout',
  'unauthorized',
  'forbidden',
  'not-found',
  /** Another client wrote or created the object first. */
  'conflict',
  /** The API server refuses what was written. */
  'invalid',
  /** 429 and 5xx: a later call may succeed. */
  'unavailable',
  /** The answer is not JSON, cut off, too long, or another object. */
  'unreadable',
] as const;

export type ClusterErrorCode = (typeof clusterErrorCodes)[number];

export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly code: ClusterErrorCode;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
  /** What is not found: the object, or its kind, which is not served. Undefined if it is the namespace. */
  readonly absent: 'object' | 'kind' | undefined;

  /** @param message one line without control characters, with the fix where there is one */
  constructor(
    code: ClusterErrorCode,
    message: string,
    options: ErrorOptions & Partial<Pick<ClusterError, 'status' | 'absent'>> = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = options.status;
    this.absent = options.absent;
  }
}

/** Returns an error that is a ClusterError. @throws any other error, which is a bug of ours */
export function onlyClusterErrors(error: unknown): ClusterError {
  if (error instanceof ClusterError) return error;
  throw error;
}

/** Whether the user lacks a right. Quotas, terminating namespaces and some webhooks answer 403 as well. */
export function lacksRight({ status, message }: ClusterError): boolean {
  return status === 403 && / is forbidden: User /.test(message);
}

/** Whether the API server knows nobody behind a call: no right would help. */
export function isAnonymous({ status, message }: ClusterError): boolean {
  return status === 403 && message.includes(' is forbidden: User "system:anonymous" ');
}

export const ANONYMOUS = {
  reason: 'the API server takes you for system:anonymous, since no credentials reached it',
  remedy: 'give the user of the kubeconfig a token, client-certificate and client-key, or exec',
};

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
const LONGEST_REASON = 512;

/** Returns the error for an answer other than 2xx. @param answer its metav1.Status, where it is one */
export function statusError(
  status: number,
  answer: JsonObject | undefined,
  { method, path }: { readonly method: string; readonly path: string },
): ClusterError {
  const code = CODES[status] ?? 'unavailable';
  const [address = ''] = path.split('?');
  const reason = safeText(textAt(answer, ['message']) ?? `HTTP ${status}`, LONGEST_REASON);
  const message = `${method} ${address}: ${reason}`;
  if (code !== 'not-found') return new ClusterError(code, message, { status });
  // The details name the missing object, or the missing namespace; if the kind is not served, they name nothing.
  const name = encodeURIComponent(textAt(answer, ['details', 'name']) ?? '');
  const isObject = answer?.['kind'] === 'Status' && name !== '' && name === address.split('/').at(-1);
  const other = textAt(answer, ['details', 'kind']) === 'namespaces' ? undefined : 'kind';
  return new ClusterError(code, message, { status, absent: isObject ? 'object' : other });
}

/** Returns the error for credentials or a CA that can't be used. @param reason default: the message of the cause */
export function unusableCredentials(cause: unknown, reason?: string): ClusterError {
  const why = reason ?? safeText(errorMessage(cause), LONGEST_REASON);
  return new ClusterError('no-access', `the credentials or CA can't be used: ${why}`, { cause });
}

/** Whether other calls would fail as well: the error has nothing to do with the object. */
export function isConnectionError({ code }: ClusterError): boolean {
  return ['unreachable', 'timeout', 'no-access', 'unauthorized'].includes(code);
}

/** Whether the same call may succeed a moment later. */
export function isRetryable({ code }: ClusterError): boolean {
  return ['unreachable', 'unavailable', 'unreadable'].includes(code);
}

// `describeServer…` is for the operator of muster's server, `describeCommand…` for the user of a command. The
// rights and the credentials are muster's in one, and the user's in the other.

/**
 * Returns why the server could not call the API server, and the fix if there is one.
 * @param error for which `isConnectionError` holds
 */
export function describeServerConnectionError({ code, message }: ClusterError): string {
  if (code !== 'unauthorized') return message;
  return "the API server does not know muster's credentials: renew those of its kubeconfig or service account";
}

/**
 * Returns why the server could not read an object, and the fix.
 * @param what such as `clusterclaims "id.k8s.io" (multicluster.x-k8s.io)`
 */
export function describeServerReadError(verb: 'get' | 'list', what: string, error: ClusterError): string {
  if (error.absent === 'kind') return `the API server does not serve ${what}: install its CRD`;
  if (error.code === 'forbidden') return `muster may not ${verb} ${what}: apply its RBAC (muster manifests)`;
  if (error.code === 'unauthorized') return `the API server does not know muster's credentials, so ${what} is unread`;
  return `${what} can't be read: ${error.message}`;
}

/** Returns why the server could not acquire a lock, and the fix. @param lease its NAMESPACE/NAME */
export function describeServerLockError(verb: 'get' | 'update', lease: string, error: ClusterError): string {
  const what = `the Lease ${lease}`;
  if (error.code === 'not-found')
    return `${what} does not exist: apply muster's manifests, or name the namespace with --namespace`;
  if (error.code === 'forbidden') return `muster may not ${verb} ${what}: apply its RBAC (muster manifests)`;
  if (error.code === 'unauthorized')
    return `the API server does not know muster's credentials, so ${what} can't be acquired`;
  return `${what} can't be acquired: ${error.message}`;
}

/**
 * Returns why the user of a command could not read objects, and the fix.
 * @param what such as `clusterclaims (multicluster.x-k8s.io)`
 */
export function describeCommandReadError(verb: 'get' | 'list', what: string, error: ClusterError): string {
  if (isAnonymous(error)) return `${ANONYMOUS.reason}: ${ANONYMOUS.remedy}`;
  if (error.code === 'forbidden') return `you may not ${verb} ${what}: ask for that right, or name another --context`;
  if (error.code === 'unauthorized')
    return 'the API server does not know your credentials: renew them, or name another --context';
  if (error.code === 'unreachable' || error.code === 'timeout')
    return `${error.message}: is it up, and is this the right --kubeconfig and --context?`;
  return error.code === 'no-access' ? error.message : `${what} can't be read: ${error.message}`;
}

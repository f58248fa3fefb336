/** One HTTP request to an API server, and its answer in full. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { escapeControls } from '../../base/text.ts';
import { ClusterError, unusableCredentials } from './errors.ts';

/** An `import` of it as a value would also load what `fetch` needs, which takes some 10 ms of each start. */
export const http = process.getBuiltinModule('node:http');

/**
 * Sends a request and collects the answer.
 * @param mostBytes the most bytes of the answer
 * @throws ClusterError `unreachable`, `timeout`, `unreadable`, or `no-access` for credentials that are not valid in a
 * header
 */
export function send(
  url: string,
  options: RequestOptions,
  body: string | undefined,
  mostBytes: number,
): Promise<{ message: IncomingMessage; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const { signal } = options;
    const abort = () => reject(timedOut(url, signal?.reason));
    if (signal?.aborted) return abort();
    const request = begin(url, options, (message) => {
      const chunks: Buffer[] = [];
      let length = 0;
      message.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length <= mostBytes) return;
        reject(new ClusterError('unreadable', `the API server's answer is longer than ${mostBytes} bytes`));
        message.destroy();
      });
      message.on('end', () => resolve({ message, bytes: Buffer.concat(chunks) }));
      message.on('error', (error) => reject(unreachable(url, error)));
      message.on('close', () => reject(unreachable(url, new Error('the answer was cut off'))));
    });
    request.on('error', (error) => reject(unreachable(url, error, request.reusedSocket)));
    // Node reports an abort only once the socket has closed. If the process stood still past the deadline of the whole
    // review, that would come after the review's own timer.
    signal?.addEventListener('abort', abort);
    request.on('close', () => signal?.removeEventListener('abort', abort));
    request.end(body);
  });
}

/** Whether a call failed on a connection that had been idle, so that the API server may have closed it. */
export function isStaleConnection(error: ClusterError): boolean {
  return error.code === 'unreachable' && (error.cause as { reused?: boolean } | undefined)?.reused === true;
}

/** Returns the texts of `Warning` headers; each is `299 - "text"`, with `\"` and `\\` escaped. */
export function warningsOf({ headersDistinct }: IncomingMessage): readonly string[] {
  const values = headersDistinct['warning'] ?? [];
  return values.map((value) => /^299 \S+ "(.*)"$/s.exec(value)?.[1]?.replace(/\\(.)/g, '$1') ?? value);
}

/** @throws ClusterError for what Node won't put into a request, such as a token with a line break in it */
function begin(url: string, options: RequestOptions, onAnswer: (message: IncomingMessage) => void): ClientRequest {
  try {
    return (url.startsWith('http:') ? http.request : requestHttps)(url, options, onAnswer);
  } catch (cause) {
    throw unusableCredentials(cause);
  }
}

const OTHER_CA = 'the configured certificate-authority did not issue its certificate';
const CERTIFICATE_ERRORS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OTHER_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OTHER_CA,
  SELF_SIGNED_CERT_IN_CHAIN: OTHER_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: OTHER_CA,
  // Another CA of the same name, where the certificates have no key identifiers.
  CERT_SIGNATURE_FAILURE: OTHER_CA,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; compare the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is not for the configured server or tls-server-name',
};

/** Whether a call failed because the API server's certificate is not what the kubeconfig expects. */
export function isOtherCertificate({ code, cause }: ClusterError): boolean {
  return (
    code === 'unreachable' && CERTIFICATE_ERRORS[(cause as { code?: string } | undefined)?.code ?? ''] !== undefined
  );
}

function unreachable(url: string, error: NodeJS.ErrnoException, reused = false): ClusterError {
  const { origin } = new URL(url);
  const why = CERTIFICATE_ERRORS[error.code ?? ''];
  const code = error.code ?? escapeControls(error.message);
  const message = `the API server at ${origin} can't be reached (${why === undefined ? code : `${code}: ${why}`})`;
  return new ClusterError('unreachable', message, { cause: Object.assign(error, { reused }) });
}

/** The API server did not answer before the end of the call, or its signal was aborted. */
export function timedOut(url: string, cause?: unknown): ClusterError {
  const { origin } = new URL(url);
  return new ClusterError('timeout', `the API server at ${origin} did not answer in time`, { cause });
}

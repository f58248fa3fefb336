/** Bytes to an API server and back, or an error that says what to mend. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { unusable } from './credentials.ts';
import { ClusterError } from './errors.ts';
import { unreachable } from './failure.ts';
import { release } from './release.ts';

/**
 * One request and its answer.
 * @param mostBytes of the answer
 * @throws ClusterError `unreachable`, `timeout`, `unreadable`, or `no-access` for what fits in no header
 */
export function exchange(
  target: string,
  options: RequestOptions,
  body: string | undefined,
  mostBytes: number,
): Promise<{ message: IncomingMessage; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const outgoing = sendTo(target, options, (message) => {
      const chunks: Buffer[] = [];
      let length = Number(message.headers['content-length'] ?? 0);
      const tooLong = () => {
        reject(new ClusterError('unreadable', `the API server's answer is longer than ${mostBytes} bytes`));
        message.destroy();
      };
      if (length > mostBytes) return tooLong();
      length = 0;
      message.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > mostBytes) tooLong();
      });
      message.on('end', () => {
        resolve({ message, bytes: Buffer.concat(chunks) });
        chunks.forEach(release);
      });
      message.on('error', (error) => reject(unreachable(target, error)));
      message.on('close', () => reject(unreachable(target, new Error('the answer was cut off'))));
    });
    outgoing.on('error', (error) => reject(unreachable(target, error, outgoing.reusedSocket)));
    outgoing.end(body);
  });
}

/** @throws ClusterError for what Node won't put into a request, such as a token with a line break in it */
function sendTo(target: string, options: RequestOptions, answered: (message: IncomingMessage) => void): ClientRequest {
  try {
    // As in client.ts: not imported.
    const send = target.startsWith('http:') ? process.getBuiltinModule('node:http').request : requestHttps;
    return send(target, options, answered);
  } catch (cause) {
    throw unusable(cause);
  }
}

/** Texts of `Warning` headers; each is `299 - "text"`, with `\"` and `\\` escaped. */
export function warningsOf(raw: readonly string[]): readonly string[] {
  const values = raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'warning');
  return values.map((value) => /^299 \S+ "(.*)"$/s.exec(value)?.[1]?.replace(/\\(.)/g, '$1') ?? value);
}

/**
 * The admission routes as a Fastify plugin: POST /validate and POST /mutate, with a body of any content type, read as
 * bytes.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newReference } from '../../engine/index.ts';
import type { BodyBytes } from '../load/load-limiter.ts';
import { type AdmissionOptions, createHandler, sendRejection } from './handler.ts';
import { encode, failed } from './respond.ts';

/** The memory for a body was needed by others. */
class RejectedError extends Error {
  readonly code = 'BODY_REJECTED';
}

export function admissionPlugin(app: FastifyInstance, options: AdmissionOptions, done: () => void): void {
  const { readBytes, limiter, connections, metrics, observer } = options;
  const handler = createHandler(options);
  // A caller may end its side along with its request: it is answered before Node ends the other side.
  app.server.prependListener('secureConnection', (socket: Socket) => socket.on('end', handler.flush));

  // Reads bytes for every content type, and for none. Fastify's parsers answer 413 without the uid; under
  // `failurePolicy: Ignore` that admits the object.
  app.addContentTypeParser('*', (request, _payload, parsed) => {
    metrics.requestStarted();
    const body = limiter.newBody(connections.of(request.raw.socket).address);
    readBody(request.raw, body, readBytes, (failure) => {
      if (failure === undefined) return parsed(null, body);
      body.release();
      metrics.requestEnded();
      if (failure === 'tiny_chunks') observer.connectionClosed('slow_request');
      if (failure !== 'rejected') return;
      observer.rejected('body_bytes');
      parsed(new RejectedError('too many bodies at once'));
    });
  });

  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof RejectedError) return sendRejection(reply);
    const reference = newReference();
    observer.internalError(reference, error);
    reply
      .code(200)
      .header('content-type', 'application/json; charset=utf-8')
      .send(encode(failed(undefined, reference)));
  });

  for (const path of ['validate', 'mutate'] as const) {
    app.post(`/${path}`, (request: FastifyRequest<{ Body: BodyBytes | undefined }>, reply: FastifyReply) => {
      handler.handle(path, request, reply, request.body ?? emptyBody(request));
    });
  }
  done();

  /** A request with neither a length nor an encoding has no body, and Fastify calls no parser. */
  function emptyBody(request: FastifyRequest): BodyBytes {
    metrics.requestStarted();
    return limiter.newBody(connections.of(request.raw.socket).address);
  }
}

/**
 * Each chunk costs microseconds, even a small one. After this many chunks that are small on average, the connection is
 * closed.
 */
const MOST_CHUNKS = 256;
const SMALL_CHUNK = 64;

/**
 * Why there is no body: `gone`, the caller left; `tiny_chunks`, it came in far too many chunks, and the connection was
 * closed; `rejected`, there was no memory for it, and it was read to its end, so that the caller sees the answer.
 */
export type BodyFailure = 'gone' | 'tiny_chunks' | 'rejected';

/**
 * Reads a body to its end and calls `done` once. A body that is too large is read on, up to `readBytes`, but not kept:
 * a caller that still sends sees a broken connection in place of the answer, which under `failurePolicy: Ignore` admits
 * the object.
 */
export function readBody(
  stream: IncomingMessage,
  body: BodyBytes,
  readBytes: number,
  done: (failure?: BodyFailure) => void,
): void {
  let read = 0;
  let chunks = 0;
  let over = false;
  const finish = (failure?: BodyFailure) => {
    if (over) return;
    over = true;
    body.complete();
    done(failure);
  };
  const complete = () => finish(body.dropped ? 'rejected' : undefined);
  stream.on('data', (chunk: Buffer) => {
    if (over) return;
    read += chunk.length;
    chunks += 1;
    body.add(chunk);
    if (chunks > MOST_CHUNKS && read < chunks * SMALL_CHUNK) {
      finish('tiny_chunks');
      stream.destroy();
    } else if (read > readBytes) {
      complete();
      stream.pause();
    } else if (isComplete(stream)) complete();
  });
  stream.on('end', complete);
  stream.on('close', () => finish('gone'));
  // `close` follows.
  stream.on('error', () => {});
}

/**
 * Whether all of the message was read. `end` follows a tick later; by then a caller that closed the connection gets no
 * answer.
 */
function isComplete({ complete, readableLength }: IncomingMessage): boolean {
  return complete && readableLength === 0;
}

/**
 * The admission routes as a Fastify plugin: POST /validate and POST /mutate, with a body of any content type, read as
 * bytes.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newReference } from '../../engine/index.ts';
import type { BodyBytes } from '../load/load-limiter.ts';
import { createHandler, type RouteOptions, sendRejection } from './handler.ts';
import { crashed, encode } from './respond.ts';

export function admissionPlugin(app: FastifyInstance, options: RouteOptions, done: () => void): void {
  const { readBytes, limiter, connections, observer } = options;
  const handler = createHandler(options);
  const newBody = ({ raw }: FastifyRequest) => limiter.newBody(connections.of(raw.socket).address);
  // A caller may close its side right after its request, which an API server does not do. Complete requests are then
  // answered at once, before Node closes this side.
  app.server.prependListener('secureConnection', (socket: Socket) => socket.on('end', handler.flush));

  // Fastify's parsers answer 413 without the uid; under `failurePolicy: Ignore` that admits the object.
  app.addContentTypeParser('*', (request, _payload, parsed) => {
    const body = newBody(request);
    readBody(request.raw, body, readBytes, (failure) => {
      if (failure === undefined) return parsed(null, body);
      body.release();
      if (failure === 'tiny_chunks') observer.connectionClosed('slow_request');
    });
  });

  app.setErrorHandler((error, _request, reply) => {
    const reference = newReference();
    observer.internalError(reference, error);
    reply
      .code(200)
      .header('content-type', 'application/json; charset=utf-8')
      .send(encode(crashed(undefined, reference)));
  });

  for (const path of ['validate', 'mutate'] as const) {
    app.post(`/${path}`, (request: FastifyRequest<{ Body: BodyBytes | undefined }>, reply: FastifyReply) => {
      // For a request without a body, Fastify calls no parser.
      const body = request.body ?? newBody(request);
      if (!body.dropped) return handler.handle(path, reply, body);
      observer.rejected('body_bytes');
      sendRejection(reply);
    });
  }
  done();
}

/**
 * After this many chunks that are small on average, the connection is closed. Each chunk costs microseconds, even a
 * small one: a single connection that sends chunks of one byte would delay all others by seconds.
 */
const MOST_CHUNKS = 256;
const SMALL_CHUNK = 64;

/**
 * Why a body was not read to its end. `gone`: the caller left. `tiny_chunks`: it came in far too many chunks, so the
 * connection was closed.
 */
export type BodyFailure = 'gone' | 'tiny_chunks';

/**
 * Reads a body to its end and calls `done` once. A body that is too large, or that there is no memory for, is still
 * read, up to `readBytes`, but not kept: otherwise a caller that is still sending would see a broken connection instead
 * of the answer, which under `failurePolicy: Ignore` admits the object.
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
  const complete = () => finish();
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
 * Returns whether all of the message was read. The event `end` comes a tick later: too late for a caller that closes
 * its connection right after the request.
 */
function isComplete({ complete, readableLength }: IncomingMessage): boolean {
  return complete && readableLength === 0;
}

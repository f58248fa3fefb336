/** The admission routes as a Fastify plugin: POST /validate and POST /mutate, with a body of any content type. */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionLayer } from '../connections/layer.ts';
import { type ReceivedBody, readBody } from './body.ts';
import { createHandler, type HandlerOptions, sendRejection } from './handler.ts';
import type { AppLimits } from './limits.ts';
import { type AdmissionObserver, newReference } from './observer.ts';
import { encode, failed } from './respond.ts';

export interface AdmissionPluginOptions extends HandlerOptions {
  readonly limits: AppLimits;
  readonly observer: AdmissionObserver;
  readonly connections: ConnectionLayer;
}

/** The memory for a body was needed by others. */
class RejectedError extends Error {
  readonly code = 'BODY_REJECTED';
}

export function admissionPlugin(app: FastifyInstance, options: AdmissionPluginOptions, done: () => void): void {
  const { limits, limiter, observer, connections } = options;
  const handler = createHandler(options);
  // A caller may end its side along with its request: it is answered before Node ends the other side.
  app.server.prependListener('secureConnection', (socket: Socket) => socket.on('end', handler.flush));

  // Reads bytes for every content type, and for none. Fastify's own parsers answer 413 without the uid, which `failurePolicy: Ignore` admits.
  app.addContentTypeParser('*', (request, _payload, parsed) => {
    observer.requestStarted();
    const startedAt = performance.now();
    const ended = () => observer.requestEnded(performance.now() - startedAt);
    readBody(request.raw, connections.addressOf(request.raw.socket), limits, limiter, (result) => {
      if (typeof result !== 'string') return parsed(null, result);
      if (result === 'rejected') {
        observer.rejected('body_bytes');
        parsed(new RejectedError('too many bodies at once'));
      }
      if (result === 'tiny_chunks') observer.connectionClosed('slow_request');
      ended();
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
    app.post(`/${path}`, (request: FastifyRequest<{ Body: ReceivedBody | undefined }>, reply: FastifyReply) => {
      if (request.body === undefined) observer.requestStarted();
      handler.handle(path, request, reply, request.body ?? emptyBody(connections.addressOf(request.raw.socket)));
    });
  }
  done();
}

/** A request with neither a length nor an encoding has no body, and Fastify calls no parser. */
function emptyBody(address: string): ReceivedBody {
  return { bytes: Buffer.alloc(0), tooLarge: false, memory: undefined, address, startedAt: performance.now() };
}

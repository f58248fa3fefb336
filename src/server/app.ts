/**
 * The admission server as a Fastify instance: TLS, limits and plugins, in their order. lifecycle/listen.ts listens for
 * it.
 */
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import {
  fastify as createFastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { tlsOptions } from '../certificates/server-options.ts';
import { type AdmissionOptions, sendRejection } from './admission/handler.ts';
import { admissionPlugin } from './admission/plugin.ts';
import type { ConnectionLimiter } from './connections/connection-limiter.ts';
import { ConnectionLayer } from './connections/layer.ts';
import { type Bound, defaultLimits, type Limits } from './limits.ts';
import { LoadLimiter } from './load/load-limiter.ts';
import type { AdmissionObserver } from './observer.ts';

/** The admission server. lifecycle/listen.ts listens for it. */
export interface App {
  readonly fastify: FastifyInstance<Server>;
  /** Takes an accepted TCP connection. */
  readonly accept: (socket: Socket) => void;
  /** Makes every response from now on ask its connection to close. */
  readonly drain: () => void;
  /** Whether `drain` was called. */
  readonly closing: { readonly begun: boolean };
  /** Returns the number of requests whose answer is not sent yet. */
  readonly requestsInFlight: () => number;
  /** Returns how much of each limit is in use now. The set of names never changes. */
  readonly bounds: () => readonly Bound[];
}

interface AppOptions extends AdmissionOptions {
  readonly tls: { readonly cert: string; readonly key: string };
  /** A caller's certificate must be issued by this CA (PEM) and have one of these names. Default: anyone may call. */
  readonly callers?: { readonly ca: string; readonly names: readonly string[] } | undefined;
  readonly limits?: Partial<Limits>;
}

/** Makes an app that serves POST /validate and /mutate; any other path is 404, any other method on these 405. */
export function createApp(options: AppOptions): App {
  const { observer } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const fastify = makeFastify(options, limits);
  const connections = new ConnectionLayer(fastify.server, {
    limits,
    clientNames: options.callers?.names ?? [],
    observer,
  });
  const limiter = new LoadLimiter(limits);
  const closing = { begun: false };
  const drain = () => {
    closing.begun = true;
  };

  limitPipelined(fastify, connections.limiter, limits.pipelined, observer);
  fastify.removeAllContentTypeParsers();
  fastify.register(admissionPlugin, {
    ...options,
    readBytes: limits.readBytes,
    limiter,
    connections: connections.limiter,
    closing,
  });
  fastify.setNotFoundHandler((request, reply) => {
    if (closing.begun) reply.header('connection', 'close');
    refuseRoute(request, reply);
  });
  fastify.addHook('preClose', async () => {
    drain();
    connections.closeUnused();
    // Node no longer enforces the timeouts of requests once it closes.
    setTimeout(() => connections.closeIncomplete(), Math.max(limits.headMs, limits.requestMs)).unref();
  });
  const bounds = () => [...connections.bounds(), ...limiter.bounds()];
  const requestsInFlight = () => connections.unanswered();
  return { fastify, accept: connections.accept, drain, closing, requestsInFlight, bounds };
}

/** No route has a schema: without the default compilers, ajv among them, a hundred modules are not loaded at start. */
export const withoutSchemas: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
};

function noCompiler(): never {
  throw new Error('routes of the admission server have no schemas');
}

function makeFastify({ tls, callers, observer }: AppOptions, limits: Limits): FastifyInstance<Server> {
  return createFastify({
    ...withoutSchemas,
    logger: false,
    return503OnClosing: false,
    keepAliveTimeout: limits.keepAliveMs,
    // For connections that wait for a first request, or whose answers are not read.
    connectionTimeout: limits.keepAliveMs,
    requestTimeout: limits.requestMs,
    clientErrorHandler: (error, socket) => answerBroken(error, socket, observer),
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      reply.code(400).header('connection', 'close').send('no such path\n');
    },
    https: {
      cert: tls.cert,
      key: tls.key,
      ...tlsOptions(callers?.ca),
      handshakeTimeout: limits.handshakeMs,
      headersTimeout: limits.headMs,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 16_384,
    },
  });
}

/**
 * Limits the requests of one connection that have no answer yet: the first one above the limit gets 503, which ends the
 * connection.
 */
function limitPipelined(
  fastify: FastifyInstance<Server>,
  connections: ConnectionLimiter,
  limit: number,
  observer: AdmissionObserver,
): void {
  fastify.addHook('onRequest', (request, reply, next) => {
    const connection = connections.of(request.raw.socket);
    connection.unanswered += 1;
    if (connection.unanswered > limit + 1) return void reply.hijack();
    if (connection.unanswered > limit) {
      observer.rejected('pipelined');
      return sendRejection(reply);
    }
    reply.raw.on('close', connection.responseClosed);
    // Every body is read as bytes, and an invalid type, which Fastify answers with 415 itself, would hide the verdict.
    request.raw.headers['content-type'] = undefined;
    next();
  });
}

function refuseRoute(request: FastifyRequest, reply: FastifyReply): void {
  const [path] = request.url.split('?');
  if (path === '/validate' || path === '/mutate') {
    reply.code(405).header('allow', 'POST').send('only POST is served here\n');
  } else {
    reply.code(404).send('only POST /validate and POST /mutate are served here\n');
  }
}

const ANSWERS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};
/** Milliseconds for such an answer to be written. */
const ANSWER_MS = 1000;

/**
 * Answers a request that is invalid HTTP, or that arrives too slowly, and closes its connection. A connection on which
 * no byte arrived stays open: the API server may have opened it just when another became free, and keeps it for later.
 * Node nevertheless counts the time of its first request from the handshake on.
 */
function answerBroken(error: NodeJS.ErrnoException, socket: Socket, observer: AdmissionObserver): void {
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (late && socket.bytesRead === 0) return;
  if (late) observer.connectionClosed('slow_request');
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const status = ANSWERS[error.code ?? ''] ?? '400 Bad Request';
    socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  }
  socket.destroySoon();
  // If the connection was reset meanwhile, Node may not report the end of the write, so it would stay open.
  const timer = setTimeout(() => socket.destroy(), ANSWER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

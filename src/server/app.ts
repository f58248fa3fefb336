/** The admission server as a Fastify instance: TLS, limits and plugins, in their order. It listens elsewhere (lifecycle/listen.ts). */
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
} from 'fastify';
import { tlsOptions } from '../tls/server-options.ts';
import { answerBroken } from './admission/broken-request.ts';
import type { AdmissionOptions } from './admission/handler.ts';
import { type AppLimits, appLimits } from './admission/limits.ts';
import type { AdmissionObserver, Bound } from './admission/observer.ts';
import { admissionPlugin } from './admission/plugin.ts';
import { ConnectionLayer } from './connections/layer.ts';
import { Limiter } from './load/limiter.ts';

export type App = FastifyInstance<Server> & {
  /** Takes an accepted TCP connection. */
  readonly accept: (socket: Socket) => void;
  /** Returns what is held now against its limit; the names are always the same. */
  readonly bounds: () => readonly Bound[];
};

export interface AppOptions extends AdmissionOptions {
  readonly tls: { readonly cert: string; readonly key: string };
  /** The CA (PEM) and the names of which a caller's certificate must be. Default: whoever reaches the port may call. */
  readonly callers?: { readonly ca: string; readonly names: readonly string[] } | undefined;
  readonly observer: AdmissionObserver;
  /** While true, every response asks its connection to close. */
  readonly draining: () => boolean;
  readonly limits?: Partial<AppLimits>;
}

/** Makes an app that serves POST /validate and /mutate; any other path is 404, any other method on these 405. */
export function createApp(options: AppOptions): App {
  const { observer, draining } = options;
  const limits = { ...appLimits, ...options.limits };
  const app = makeFastify(options, limits);
  const connections = new ConnectionLayer(app.server, {
    limits,
    clientNames: options.callers?.names ?? [],
    events: {
      closed: observer.connectionClosed,
      handshakeFailed: observer.handshakeFailed,
      callerRejected: observer.callerRejected,
    },
  });
  const limiter = new Limiter(limits);
  let isClosed = false;
  const closing = () => isClosed || draining();

  limitPending(app, limits.pipelined, observer);
  app.removeAllContentTypeParsers();
  app.register(admissionPlugin, { ...options, limits, limiter, observer, connections, closing });
  app.setNotFoundHandler((request, reply) => {
    if (closing()) reply.header('connection', 'close');
    refuseRoute(request, reply);
  });
  app.addHook('preClose', async () => {
    isClosed = true;
    connections.closeSilent();
    // Node no longer enforces the timeouts of requests once it closes.
    setTimeout(() => connections.closeIncomplete(), Math.max(limits.headMs, limits.requestMs)).unref();
  });
  app.decorate('accept', connections.accept);
  app.decorate('bounds', () => [...connections.bounds(), ...limiter.bounds()]);
  return app;
}

/** No route has a schema: without the default compilers, ajv among them, a hundred modules are not loaded at start. */
export const withoutSchemas: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
};

function noCompiler(): never {
  throw new Error('routes of the admission server have no schemas');
}

function makeFastify({ tls, callers, observer }: AppOptions, limits: AppLimits): App {
  const app = fastify({
    ...withoutSchemas,
    logger: false,
    return503OnClosing: false,
    keepAliveTimeout: limits.keepAliveMs,
    // For connections that wait for a first request, or whose answers are not read.
    connectionTimeout: limits.keepAliveMs,
    requestTimeout: limits.requestMs,
    clientErrorHandler: (error, socket) => answerBroken(error, socket, () => observer.connectionClosed('slow_request')),
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
  return app as unknown as App;
}

/** Limits the requests of one connection that have no answer yet: the first one too many gets 503, which ends the connection. */
function limitPending(app: App, limit: number, observer: AdmissionObserver): void {
  const connections = new WeakMap<Socket, { pending: number; readonly answered: () => void }>();
  const connect = (socket: Socket) => {
    const answered = () => {
      connection.pending -= 1;
    };
    const connection = { pending: 0, answered };
    connections.set(socket, connection);
    return connection;
  };
  app.addHook('onRequest', (request, reply, next) => {
    const { socket } = request.raw;
    const connection = connections.get(socket) ?? connect(socket);
    connection.pending += 1;
    if (connection.pending > limit) {
      reply.hijack();
      if (connection.pending > limit + 1) return;
      observer.rejected('pipelined');
      reply.raw.writeHead(503, { 'retry-after': '1', connection: 'close' }).end('too many requests at once\n');
      return;
    }
    reply.raw.on('close', connection.answered);
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

/** The admission app: HTTPS around `admission`. Built here, listening elsewhere. */

import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { tlsOptions } from '../tls/server-options.ts';
import { type AdmissionOptions, createAdmission, newReference } from './admission/admission.ts';
import { answerBroken } from './admission/broken-request.ts';
import { Entrance } from './admission/entrance.ts';
import { Incoming } from './admission/incoming.ts';
import { type AppLimits, appLimits } from './admission/limits.ts';
import type { AdmissionObserver, AdmissionPath, Bound } from './admission/observer.ts';
import { type Arrival, limitPipelining, type RequestConnection } from './admission/pipelining.ts';
import { withoutSchemas } from './admission/without-schemas.ts';
import { ConnectionLayer } from './connections/layer.ts';
import { Allowance } from './load/allowance.ts';

export type App = FastifyInstance<Server> & {
  /** Takes an accepted TCP connection. */
  readonly accept: (socket: Socket) => void;
  /** What is held now against its limit; the names are always the same. */
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

/** POST /validate and /mutate; any other path is 404, any other method on these 405. */
export function createApp(options: AppOptions): App {
  const limits = { ...appLimits, ...options.limits };
  const { observer } = options;
  const app = build(options, limits);
  const connections = new ConnectionLayer(app.server, {
    limits,
    clientNames: options.callers?.names ?? [],
    events: {
      closed: observer.connectionClosed,
      handshakeFailed: observer.handshakeFailed,
      callerRejected: observer.callerRejected,
    },
  });
  let closing = false;
  const ending = () => options.draining() || closing;
  const known = new WeakMap<Socket, RequestConnection>();
  const connectionOf = (socket: Socket): RequestConnection => {
    const connection = known.get(socket) ?? { socket, address: connections.addressOf(socket), pending: 0 };
    known.set(socket, connection);
    return connection;
  };
  const admit = createAdmission(options);
  const entrance = new Entrance({ limits, connections, observer, admit, ending });
  const allowance = new Allowance({ each: limits.eachTurn, waiting: limits.connections * limits.pipelined });
  limitPipelining(app.server, {
    allowance,
    limit: limits.pipelined,
    of: connectionOf,
    shed: () => observer.rejected('pipelined'),
    begin: (arrival) => serveAdmission(entrance, arrival),
    broke: (error) => observer.internalError(newReference(), error),
  });
  // Who ends its side along with its request is answered before Node hears of the end, and ends the other side.
  app.server.prependListener('secureConnection', (socket) => socket.prependListener('end', () => entrance.hurry()));
  app.decorate('accept', connections.accept);
  app.decorate('bounds', () => [...connections.bounds(), ...allowance.bounds(), ...entrance.bounds()]);
  // When an answer goes out, not when its request came in: that may have been before the drain began.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (options.draining()) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    closing = true;
    connections.closeSilent();
    // Node looks after slow senders no longer once it closes.
    setTimeout(() => connections.closeIncomplete(), Math.max(limits.headMs, limits.requestMs)).unref();
  });
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler((request, reply) => refuseRoute(request, reply));
  return app;
}

function build({ tls, callers, observer }: AppOptions, limits: AppLimits): App {
  const app = fastify({
    ...withoutSchemas,
    logger: false,
    return503OnClosing: false,
    keepAliveTimeout: limits.keepAliveMs,
    // For those that wait for a first request, or read no answer.
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
      IncomingMessage: Incoming,
      // Looked at in pipelining.ts.
      requireHostHeader: false,
    },
  });
  return app as unknown as App;
}

const PATHS: ReadonlyMap<string, AdmissionPath> = new Map([
  ['/validate', 'validate'],
  ['/mutate', 'mutate'],
]);

/**
 * Stands before the framework, which answers what is no admission request: its way through routing, hooks and content types costs as much as
 * a verdict (docs/performance.md), and there is nothing on the way that these two paths need.
 */
function serveAdmission(entrance: Entrance, arrival: Arrival): boolean {
  const { method, url = '' } = arrival.request;
  const path = method === 'POST' ? PATHS.get(pathOf(url)) : undefined;
  if (path !== undefined) entrance.handle(path, arrival);
  return path !== undefined;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function refuseRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (PATHS.has(pathOf(request.url))) {
    return reply.code(405).header('allow', 'POST').send('only POST is served here\n');
  }
  return reply.code(404).send('only POST /validate and POST /mutate are served here\n');
}

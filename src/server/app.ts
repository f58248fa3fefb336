/** The admission app: HTTPS around `admission`. Built here, listening elsewhere. */
import type { Server } from 'node:https';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { contextFor } from '../tls/callers.ts';
import { type AdmissionOptions, createAdmission, type Decision, newReference } from './admission.ts';
import { Allowance } from './allowance.ts';
import { CallerGone } from './body.ts';
import type { Bound, CutCause, ShedCause } from './bounds.ts';
import { answerBroken } from './broken-request.ts';
import { admitByName, type Callers, handshakeOf } from './callers.ts';
import { Door } from './door.ts';
import { Entrance } from './entrance.ts';
import { type AppLimits, appLimits } from './limits.ts';
import { limitPipelining } from './pipelining.ts';
import { encode, failed } from './respond.ts';

export type App = FastifyInstance<Server> & {
  /** What is held now against its limit; the names are always the same. */
  readonly bounds: () => readonly Bound[];
};

/** Hears of every request. */
export interface Observer {
  /** A request began so many milliseconds after it came; call what is returned once, when it ended: without a decision when the caller hung up. */
  begin(waitedMs?: number): (decision?: Decision) => void;
  /** A request was turned away for load. */
  shed(cause: ShedCause): void;
  /** A connection was closed for load, or because it was too slow. Called as often as strangers please. */
  cut(cause: CutCause): void;
  /** Something broke outside of any request's decision. */
  broke(reference: string, error: unknown): void;
}

export interface AppOptions extends AdmissionOptions {
  readonly tls: { readonly cert: string; readonly key: string };
  /** Default: whoever reaches the port may call. */
  readonly callers?: Callers | undefined;
  readonly observer: Observer;
  /** While true, every response asks its connection to close. */
  readonly draining: () => boolean;
  readonly limits?: Partial<AppLimits>;
}

/** POST /validate and /mutate; any other path is 404, any other method on these 405. */
export function createApp(options: AppOptions): App {
  const limits = { ...appLimits, ...options.limits };
  const { observer } = options;
  const app = build(options, limits);
  const door = new Door(app.server, { ...limits, cut: (cause) => observer.cut(cause) });
  const each = { each: limits.eachTurn, waiting: limits.connections * limits.pipelined };
  const allowance = new Allowance(each, (error) => observer.broke(newReference(), error));
  const waited = limitPipelining(app.server, {
    allowance,
    limit: limits.pipelined,
    of: (socket) => door.of(socket),
    shed: () => observer.shed('pipelined'),
  });
  const entrance = new Entrance({ limits, door, observer, waited, admit: createAdmission(options) });
  if (options.callers !== undefined) admitByName(app.server, options.callers);
  app.decorate('bounds', () => [...door.bounds(), ...allowance.bounds(), ...entrance.bounds()]);
  // When an answer goes out, not when its request came in: that may have been before the drain began.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (options.draining()) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => door.closeSilent());
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler((request, reply) => refuseRoute(request, reply));
  app.register(async (scope) => admissionRoutes(scope as unknown as App, entrance, observer));
  return app;
}

function build({ tls, callers, observer }: AppOptions, limits: AppLimits): App {
  const app = fastify({
    logger: false,
    return503OnClosing: false,
    keepAliveTimeout: limits.keepAliveMs,
    // For those that wait for a first request, or read no answer.
    connectionTimeout: limits.keepAliveMs,
    requestTimeout: limits.requestMs,
    clientErrorHandler: (error, socket) => answerBroken(error, socket, () => observer.cut('slow_request')),
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      reply.code(400).header('connection', 'close').send('no such path\n');
    },
    https: {
      cert: tls.cert,
      key: tls.key,
      ...contextFor(callers?.ca),
      ...handshakeOf(callers),
      handshakeTimeout: limits.handshakes.ms,
      headersTimeout: limits.headMs,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 16_384,
      // Looked at in pipelining.ts.
      requireHostHeader: false,
    },
  });
  return app as unknown as App;
}

function admissionRoutes(scope: App, entrance: Entrance, observer: Observer): void {
  acceptAnyType(scope);
  scope.setErrorHandler((error, _request, reply) => answerFailure(observer, error, reply));
  scope.post('/validate', (request, reply) => entrance.handle('validate', request, reply));
  scope.post('/mutate', (request, reply) => entrance.handle('mutate', request, reply));
}

/** Whatever the content type says, or if it says nothing, the body is taken raw and judged as JSON. */
function acceptAnyType(scope: App): void {
  scope.addHook('onRequest', async (request) => {
    request.raw.headers['content-type'] = 'application/json';
  });
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

function refuseRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path] = request.url.split('?');
  if (path === '/validate' || path === '/mutate') {
    return reply.code(405).header('allow', 'POST').send('only POST is served here\n');
  }
  return reply.code(404).send('only POST /validate and POST /mutate are served here\n');
}

/** What escapes everything else is still a verdict. */
function answerFailure(observer: Observer, error: unknown, reply: FastifyReply): FastifyReply {
  const reference = newReference();
  if (!(error instanceof CallerGone)) observer.broke(reference, error);
  return reply
    .code(200)
    .type('application/json; charset=utf-8')
    .send(encode(failed(undefined, reference)));
}

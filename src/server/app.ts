/** The admission app: HTTPS around `admission`. Built here, listening elsewhere. */
import type { Server } from 'node:https';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { contextFor } from '../tls/callers.ts';
import {
  type AdmissionOptions,
  type AdmissionPath,
  createAdmission,
  type Decision,
  newReference,
} from './admission.ts';
import { type BodyLimits, bodyLimits, CallerGone, readBody } from './body.ts';
import type { Bound, CutCause, ShedCause } from './bounds.ts';
import { admitByName, type Callers, handshakeOf } from './callers.ts';
import { budgetOf } from './deadline.ts';
import { encode, failed } from './respond.ts';

export type App = FastifyInstance<Server> & {
  /** What is held now against its limit; the names are always the same. */
  readonly bounds: () => readonly Bound[];
};

/** Hears of every request. */
export interface Observer {
  /** A request began; call what is returned once, when it ended: without a decision when the caller hung up. */
  begin(): (decision?: Decision) => void;
  /** A request was turned away for load. */
  shed(cause: ShedCause): void;
  /** A connection was closed for load, or because it was too slow. Called as often as strangers please. */
  cut(cause: CutCause): void;
  /** Something broke outside of any request's decision. */
  broke(reference: string, error: unknown): void;
}

export interface AppLimits {
  readonly body: BodyLimits;
  /** Requests read or judged at a time; one more is shed. */
  readonly inFlight: number;
  readonly connections: number;
  /** Milliseconds for a request's head, and for all of it: a slow sender is cut off. */
  readonly headMs: number;
  readonly requestMs: number;
  /**
   * The API server keeps idle connections for 90 s and does not repeat a POST on one that was just closed: ours must
   * outlive that.
   */
  readonly keepAliveMs: number;
}

export const appLimits: AppLimits = {
  body: bodyLimits,
  inFlight: 512,
  connections: 4096,
  headMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 120_000,
};

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
  const app = build(options, limits);
  app.decorate('bounds', () => []);
  app.server.maxConnections = limits.connections;
  if (options.callers !== undefined) admitByName(app.server, options.callers);
  app.addHook('onRequest', async (_request, reply) => {
    if (options.draining()) reply.header('connection', 'close');
  });
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler((request, reply) => refuseRoute(request, reply));
  app.register(async (scope) => admissionRoutes(scope as unknown as App, options, limits));
  return app;
}

function build(options: AppOptions, limits: AppLimits): App {
  const app = fastify({
    logger: false,
    return503OnClosing: false,
    keepAliveTimeout: limits.keepAliveMs,
    requestTimeout: limits.requestMs,
    https: {
      cert: options.tls.cert,
      key: options.tls.key,
      ...contextFor(options.callers?.ca),
      ...handshakeOf(options.callers),
      handshakeTimeout: 10_000,
      headersTimeout: limits.headMs,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 16_384,
    },
  });
  return app as unknown as App;
}

function admissionRoutes(scope: App, options: AppOptions, limits: AppLimits): void {
  const admit = createAdmission(options);
  let inFlight = 0;
  acceptAnyType(scope);
  scope.setErrorHandler((error, _request, reply) => answerFailure(options.observer, error, reply));
  const route = (path: AdmissionPath) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (inFlight >= limits.inFlight) return shed(options.observer, reply);
    inFlight += 1;
    const end = options.observer.begin();
    let decision: Decision | undefined;
    try {
      const until = performance.now() + budgetOf(request.url);
      const body = await readBody(request.raw, limits.body);
      if (body.tooLarge) reply.header('connection', 'close');
      decision = await admit({ path, body, budget: until - performance.now(), gone: hangUp(reply) });
      return reply.code(200).type('application/json; charset=utf-8').send(encode(decision.response));
    } finally {
      inFlight -= 1;
      end(decision);
    }
  };
  scope.post('/validate', route('validate'));
  scope.post('/mutate', route('mutate'));
}

/** Whatever the content type says, or if it says nothing, the body is taken raw and judged as JSON. */
function acceptAnyType(scope: App): void {
  scope.addHook('onRequest', async (request) => {
    request.raw.headers['content-type'] = 'application/json';
  });
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Load is shed as HTTP 503 with Retry-After, which the API server repeats within its deadline. It is no verdict. */
function shed(observer: Observer, reply: FastifyReply): FastifyReply {
  observer.shed('queue_full');
  return reply.code(503).headers({ 'retry-after': '1', connection: 'close' }).send('too many requests at once\n');
}

/** Aborts when the connection ends before the answer is out (and, to no effect, after it). */
function hangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
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

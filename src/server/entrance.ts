/** One request over HTTP: is its body taken, are there places to judge it, what is answered. Load is shed here. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmissionPath, Call, Decision } from './admission.ts';
import type { Observer } from './app.ts';
import { type Body, BodyCrumbs, BodyShed, CallerGone, readBody } from './body.ts';
import type { Bound, ShedCause } from './bounds.ts';
import type { Connection } from './connections.ts';
import { budgetOf } from './deadline.ts';
import type { Door } from './door.ts';
import { HeldBytes, type Holding } from './held-bytes.ts';
import { Judging } from './judging.ts';
import type { AppLimits } from './limits.ts';
import type { Waited } from './pipelining.ts';
import { encode } from './respond.ts';
import { survey } from './survey.ts';
import { Turns } from './turns.ts';
import { weightOf } from './weight.ts';

/** The weight from which on a body takes a millisecond and more to decode: 64 MiB take a second, and nobody else is served meanwhile. */
const LARGE = 256 * 1024;
const LEFT = 'the caller hung up while its request waited';

export interface EntranceOptions {
  readonly limits: AppLimits;
  readonly door: Door;
  readonly observer: Observer;
  readonly waited: Waited;
  readonly admit: (call: Call) => Promise<Decision>;
}

interface Visit {
  readonly path: AdmissionPath;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly connection: Connection;
  readonly holding: Holding;
  /** When the caller's patience ends, as `performance.now()` has it. */
  readonly until: number;
}

export class Entrance {
  readonly #options: EntranceOptions;
  readonly #bytes: HeldBytes;
  readonly #judging: Judging;
  readonly #turns = new Turns();

  constructor(options: EntranceOptions) {
    this.#options = options;
    this.#bytes = new HeldBytes(options.limits.bodyBytes);
    this.#judging = new Judging(options.limits.judging);
  }

  bounds(): readonly Bound[] {
    return [...this.#judging.bounds(), ...this.#bytes.bounds()];
  }

  /** Answers a request, with a verdict or with 503. Rejects where something broke. */
  async handle(path: AdmissionPath, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { door, observer, waited } = this.#options;
    const connection = door.of(request.raw.socket);
    const waitedMs = waited(request.raw);
    const until = performance.now() + budgetOf(request.url) - waitedMs;
    const holding = this.#bytes.open(connection.address);
    const end = observer.begin(waitedMs);
    let decision: Decision | undefined;
    try {
      decision = await this.#decide({ path, request, reply, connection, holding, until });
      return decision === undefined ? reply : answer(decision, reply);
    } finally {
      holding.end();
      end(decision);
    }
  }

  /** Undefined when it was shed. */
  async #decide(visit: Visit): Promise<Decision | undefined> {
    const body = await this.#read(visit);
    if (body === undefined) return void this.#shed('body_bytes', visit.reply);
    if (body.tooLarge) visit.reply.header('connection', 'close');
    const { connections } = this.#options.door;
    let decision: Decision | undefined;
    connections.judging(visit.connection);
    try {
      decision = await this.#judge(visit, body);
      return decision;
    } finally {
      connections.judged(visit.connection, decision !== undefined);
    }
  }

  /** Undefined when there was no room for it. */
  async #read({ request, holding }: Visit): Promise<Body | undefined> {
    const { limits, observer } = this.#options;
    try {
      return await readBody(request.raw, limits.body, holding);
    } catch (error) {
      if (error instanceof BodyShed) return undefined;
      if (error instanceof BodyCrumbs) observer.cut('slow_request');
      throw error;
    }
  }

  async #judge({ path, reply, connection: { address }, until }: Visit, body: Body): Promise<Decision | undefined> {
    const gone = hangUp(reply);
    const surveyed = survey(body.bytes);
    const weight = weightOf(body.bytes, surveyed);
    const places = this.#judging.placesFor(weight);
    if (!this.#judging.take(address, places)) {
      // Half of what is left is for the judging.
      const patienceMs = (until - performance.now()) / 2;
      const unplaced = await this.#judging.wait(address, places, patienceMs, gone);
      if (unplaced === 'gone') throw new CallerGone(LEFT);
      if (unplaced !== undefined) return void this.#shed(unplaced, reply);
    }
    try {
      if (weight > LARGE) await this.#turns.next(address);
      if (gone.aborted) throw new CallerGone(LEFT);
      const turn = () => this.#turns.next(address);
      return await this.#options.admit({ path, body, surveyed, budget: until - performance.now(), gone, turn });
    } finally {
      this.#judging.give(address, places);
    }
  }

  /** Load is shed as HTTP 503 with Retry-After, which the API server repeats within its deadline. It is no verdict. */
  #shed(cause: ShedCause, reply: FastifyReply): FastifyReply {
    this.#options.observer.shed(cause);
    return reply.code(503).headers({ 'retry-after': '1', connection: 'close' }).send('too many requests at once\n');
  }
}

function answer({ response }: Decision, reply: FastifyReply): FastifyReply {
  return reply.code(200).type('application/json; charset=utf-8').send(encode(response));
}

/** Aborts when the connection ends before the answer is out (and, to no effect, after it). */
function hangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

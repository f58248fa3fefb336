/** One request over HTTP: is its body taken, are there places to judge it, what is answered. Load is shed here. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AdmissionPath, type Call, type Decision, newReference } from './admission.ts';
import type { Observer } from './app.ts';
import { BodyCrumbs, BodyShed, CallerGone, readBody } from './body.ts';
import type { Bound, ShedCause } from './bounds.ts';
import type { Door } from './door.ts';
import { glance } from './glance.ts';
import { HeldBytes } from './held-bytes.ts';
import { Judging } from './judging.ts';
import type { AppLimits } from './limits.ts';
import type { Waited } from './pipelining.ts';
import { encode, failed } from './respond.ts';
import { Turns } from './turns.ts';
import { Visit } from './visit.ts';
import { weightOf } from './weight.ts';

/** The weight from which on a body takes a millisecond and more to decode: 64 MiB take a second, and nobody else is served meanwhile. */
const LARGE = 256 * 1024;
const LEFT = 'the caller hung up while its request waited';

export interface EntranceOptions {
  readonly limits: AppLimits;
  readonly door: Door;
  readonly observer: Observer;
  readonly waited: Waited;
  readonly admit: (call: Call) => Decision | Promise<Decision>;
  /** While true, every answer ends its connection. */
  readonly ending: () => boolean;
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

  /** Answers a request, with a verdict or with 503. Never rejects: what breaks is told, and the answer is a verdict all the same. */
  async handle(path: AdmissionPath, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { door, observer, limits, waited } = this.#options;
    const connection = door.of(request.socket);
    const waitedMs = waited(request);
    const visit = new Visit({ path, request, response, connection, waitedMs, turns: this.#turns });
    const holding = this.#bytes.open(connection.address);
    const began = observer.begin(waitedMs);
    let decision: Decision | undefined;
    try {
      visit.body = await readBody(request, limits.body, holding);
      const decided = this.#decide(visit);
      // Most are decided by now, and need not wait for a promise.
      decision = decided instanceof Promise ? await decided : decided;
      if (decision !== undefined) this.#answer(visit, encode(decision.response));
    } catch (error) {
      this.#broke(visit, error);
    } finally {
      if (visit.judging) door.connections.judged(connection, decision !== undefined);
      if (visit.places > 0) this.#judging.give(connection.address, visit.places);
      holding.end();
      observer.ended(began, decision);
    }
  }

  /** Undefined when it was shed. */
  #decide(visit: Visit): Decision | undefined | Promise<Decision | undefined> {
    this.#options.door.connections.judging(visit.connection);
    visit.judging = true;
    const seen = glance(visit.body.bytes);
    visit.seen = seen;
    const weight = weightOf(visit.body.bytes, seen);
    const places = this.#judging.placesFor(weight);
    if (weight > LARGE || !this.#judging.take(visit.connection.address, places)) {
      return this.#decideLater(visit, weight, places);
    }
    visit.places = places;
    return this.#options.admit(visit);
  }

  async #decideLater(visit: Visit, weight: number, places: number): Promise<Decision | undefined> {
    const { address } = visit.connection;
    if (!this.#judging.take(address, places)) {
      // Half of what is left is for the judging.
      const unplaced = await this.#judging.wait(address, places, visit.budget / 2, visit.gone);
      if (unplaced === 'gone') throw new CallerGone(LEFT);
      if (unplaced !== undefined) return void this.#shed(unplaced, visit.response);
    }
    visit.places = places;
    if (weight > LARGE) await visit.turn();
    if (visit.hasLeft) throw new CallerGone(LEFT);
    return this.#options.admit(visit);
  }

  /** The head by hand: all of it is known, and a framework would look at each header again. */
  #answer({ response, body }: Visit, text: string): void {
    const head = ['content-type', 'application/json; charset=utf-8', 'content-length', `${Buffer.byteLength(text)}`];
    if (body.tooLarge || this.#options.ending()) head.push('connection', 'close');
    response.writeHead(200, head).end(text);
  }

  /** Load is shed as HTTP 503 with Retry-After, which the API server repeats within its deadline. It is no verdict. */
  #shed(cause: ShedCause, response: ServerResponse): void {
    this.#options.observer.shed(cause);
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1', connection: 'close' });
    response.end('too many requests at once\n');
  }

  /** What escapes everything else is still a verdict. */
  #broke(visit: Visit, error: unknown): void {
    if (error instanceof BodyShed) return void this.#shed('body_bytes', visit.response);
    if (error instanceof BodyCrumbs) this.#options.observer.cut('slow_request');
    const reference = newReference();
    if (!(error instanceof CallerGone)) this.#options.observer.broke(reference, error);
    if (visit.response.headersSent) return void visit.response.destroy();
    this.#answer(visit, encode(failed(undefined, reference)));
  }
}

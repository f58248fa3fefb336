/** One request over HTTP: is its body taken, are there places to judge it, what is answered. Load is shed here. */
import type { ServerResponse } from 'node:http';
import type { ConnectionLayer } from '../connections/layer.ts';
import { HeldBytes } from '../load/held-bytes.ts';
import { Judging } from '../load/judging.ts';
import { Turns } from '../load/turns.ts';
import { type Call, newReference } from './admission.ts';
import { BodyCrumbs, BodyShed, CallerGone, type Read, readBody } from './body.ts';
import { Budgets } from './deadline.ts';
import { glance } from './glance.ts';
import type { AppLimits } from './limits.ts';
import type { AdmissionObserver, AdmissionPath, Bound, Decision, RejectionCause } from './observer.ts';
import type { Arrival } from './pipelining.ts';
import { encode, failed } from './respond.ts';
import { Sittings } from './sittings.ts';
import { Visit } from './visit.ts';
import { weightOf } from './weight.ts';

/** The weight from which on a body takes a millisecond and more to decode: 64 MiB take a second, and nobody else is served meanwhile. */
const LARGE = 256 * 1024;
const LEFT = 'the caller hung up while its request waited';

export interface EntranceOptions {
  readonly limits: AppLimits;
  readonly connections: ConnectionLayer;
  readonly observer: AdmissionObserver;
  readonly admit: (call: Call) => Decision | Promise<Decision>;
  /** While true, every answer ends its connection. */
  readonly ending: () => boolean;
}

export class Entrance {
  readonly #options: EntranceOptions;
  readonly #bytes: HeldBytes;
  readonly #judging: Judging;
  readonly #budgets = new Budgets();
  readonly #turns = new Turns();
  readonly #sittings = new Sittings<Visit>(
    [(visit) => this.#decide(visit), (visit) => this.#answer(visit), (visit) => visit.later ?? this.#end(visit)],
    (error) => this.#options.observer.internalError(newReference(), error),
  );

  constructor(options: EntranceOptions) {
    this.#options = options;
    this.#bytes = new HeldBytes(options.limits.bodyBytes);
    this.#judging = new Judging(options.limits.judging);
  }

  bounds(): readonly Bound[] {
    return [...this.#judging.bounds(), ...this.#bytes.bounds()];
  }

  /** Answers a request, with a verdict or with 503: what breaks is told, and the answer is a verdict all the same. */
  handle(path: AdmissionPath, { request, response, connection, waitedMs }: Arrival): void {
    const { observer, limits } = this.#options;
    const budget = this.#budgets.of(request.url ?? '') - waitedMs;
    const holding = this.#bytes.open(connection.address);
    observer.requestStarted();
    const began = performance.now() - waitedMs;
    const visit = new Visit({ path, response, connection, turns: this.#turns, budget, holding, began });
    readBody(request, limits.body, holding, (read) => this.#take(visit, read));
  }

  /** Answers now what could wait for the end of this turn. */
  hurry(): void {
    this.#sittings.serve();
  }

  #take(visit: Visit, read: Read): void {
    if (read instanceof Error) {
      this.#broke(visit, read);
      this.#end(visit);
    } else {
      visit.body = read;
      this.#options.connections.requestStarted(visit.connection.socket);
      visit.judging = true;
      this.#sittings.add(visit);
    }
  }

  /** Those that have to wait for something leave the others, and finish on their own. */
  #decide(visit: Visit): void {
    try {
      const decided = this.#decided(visit);
      if (decided instanceof Promise) visit.later = decided;
      else visit.decision = decided;
    } catch (error) {
      this.#broke(visit, error);
    }
  }

  #answer(visit: Visit): void {
    if (visit.later !== undefined) return void this.#answerLater(visit, visit.later);
    try {
      if (visit.decision !== undefined) this.#send(visit, encode(visit.decision.response));
    } catch (error) {
      this.#broke(visit, error);
    }
  }

  async #answerLater(visit: Visit, later: Promise<Decision | undefined>): Promise<void> {
    try {
      visit.decision = await later;
      if (visit.decision !== undefined) this.#send(visit, encode(visit.decision.response));
    } catch (error) {
      this.#broke(visit, error);
    } finally {
      this.#end(visit);
    }
  }

  /** Undefined when it was shed. */
  #decided(visit: Visit): Decision | Promise<Decision | undefined> {
    const seen = glance(visit.body.bytes);
    visit.seen = seen;
    const weight = weightOf(visit.body.bytes, seen);
    const places = this.#judging.placesFor(weight);
    const { address } = visit.connection;
    if (weight > LARGE || !this.#judging.hasRoom(address, places)) return this.#decideLater(visit, weight, places);
    const decided = this.#options.admit(visit);
    if (!(decided instanceof Promise)) return decided;
    // Nobody else was heard so far: what it takes need be told only now.
    this.#judging.take(address, places);
    visit.places = places;
    return decided;
  }

  #end(visit: Visit): void {
    const { connection, decision } = visit;
    if (visit.judging) this.#options.connections.requestEnded(connection.socket, decision !== undefined);
    if (visit.places > 0) this.#judging.give(connection.address, visit.places);
    visit.holding.end();
    this.#options.observer.requestEnded(performance.now() - visit.began, decision);
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
  #send({ response, body }: Visit, text: string): void {
    const size = Buffer.byteLength(text);
    const head = ['content-type', 'application/json; charset=utf-8', 'content-length', `${size}`];
    if (body.tooLarge || this.#options.ending()) head.push('connection', 'close');
    // Most are ASCII, which is the same in Latin 1, and sooner written.
    response.writeHead(200, head).end(text, size === text.length ? 'latin1' : 'utf8');
  }

  /** Load is shed as HTTP 503 with Retry-After, which the API server repeats within its deadline. It is no verdict. */
  #shed(cause: RejectionCause, response: ServerResponse): void {
    this.#options.observer.rejected(cause);
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1', connection: 'close' });
    response.end('too many requests at once\n');
  }

  /** What escapes everything else is still a verdict. */
  #broke(visit: Visit, error: unknown): void {
    if (error instanceof BodyShed) return void this.#shed('body_bytes', visit.response);
    if (error instanceof BodyCrumbs) this.#options.observer.connectionClosed('slow_request');
    const reference = newReference();
    if (!(error instanceof CallerGone)) this.#options.observer.internalError(reference, error);
    if (visit.response.headersSent) return void visit.response.destroy();
    this.#send(visit, encode(failed(undefined, reference)));
  }
}

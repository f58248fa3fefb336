/** One request while it is here. What few requests ask for is made when they do. */
import type { ServerResponse } from 'node:http';
import type { Holding } from '../load/held-bytes.ts';
import type { Turns } from '../load/turns.ts';
import type { Call } from './admission.ts';
import type { Body } from './body.ts';
import type { Glance } from './glance.ts';
import type { AdmissionPath, Decision } from './observer.ts';
import type { RequestConnection as Connection } from './pipelining.ts';

const NO_BODY: Body = { bytes: Buffer.alloc(0), tooLarge: false };

export interface VisitOptions {
  readonly path: AdmissionPath;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly turns: Turns;
  /** Milliseconds that are left for an answer. */
  readonly budget: number;
  /** The bytes of its body. */
  readonly holding: Holding;
  /** When it began, as `performance.now()` has it. */
  readonly began: number;
}

export class Visit implements Call {
  readonly path: AdmissionPath;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly holding: Holding;
  readonly began: number;
  /** Once it is read. */
  body = NO_BODY;
  seen: Glance | undefined;
  /** Whether the connection is told to be judging. */
  judging = false;
  /** For judging, that it holds. */
  places = 0;
  /** Once there is one. */
  decision: Decision | undefined;
  /** What has to be waited for; undefined in it: the request was shed. */
  later: Promise<Decision | undefined> | undefined;
  readonly #until: number;
  readonly #turns: Turns;
  #gone: AbortSignal | undefined;

  constructor({ path, response, connection, turns, budget, holding, began }: VisitOptions) {
    this.path = path;
    this.response = response;
    this.connection = connection;
    this.holding = holding;
    this.began = began;
    this.#turns = turns;
    this.#until = performance.now() + budget;
  }

  /** Milliseconds that are left. */
  get budget(): number {
    return this.#until - performance.now();
  }

  get hasLeft(): boolean {
    return this.response.destroyed;
  }

  /** Aborts when the connection ends before the answer is out (and, to no effect, after it). */
  get gone(): AbortSignal {
    this.#gone ??= goneOf(this.response);
    return this.#gone;
  }

  turn(): Promise<void> {
    return this.#turns.next(this.connection.address);
  }
}

function goneOf(response: ServerResponse): AbortSignal {
  if (response.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

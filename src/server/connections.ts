/**
 * Who is connected, and who has to go when there are too many: never the newcomer, and never one whose request is being judged. What there is
 * most of goes first: of those that never got a verdict (*fresh*) and those that did (*proven*) the more numerous kind; of that kind the address
 * with the most of them; of these the oldest, that is to say the one that has been without a verdict the longest.
 *
 * So a flood from one address costs that address alone, a flood from many costs none that a verdict was given to, and a proxy before everybody may
 * have all connections.
 */
import type { Bound } from './bounds.ts';

export interface Connection {
  /** Whom it is counted for (`countedAs`). */
  readonly address: string;
  /** Ends it now, whatever it is doing. */
  close(): void;
  /** Requests that began and are not answered. */
  pending: number;
}

interface State {
  readonly connection: Connection;
  kind: 'fresh' | 'proven';
  /** Requests that are being judged. */
  judged: number;
  /** Its place in the order in which they would have to go: told by a number, so that a verdict moves nothing. */
  rank: number;
}

/** Of one kind and not being judged, by address. */
type Kind = Map<string, Set<State>>;

export class Connections {
  readonly #limit: number;
  readonly #states = new Map<Connection, State>();
  readonly #waiting = { fresh: new Map() as Kind, proven: new Map() as Kind };
  readonly #sizes = { fresh: 0, proven: 0 };
  #ranks = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Takes a newcomer in. Returns who has to go for it, to be closed by the caller: nobody; another; or the newcomer itself, where every other
   * one is being judged.
   */
  add(connection: Connection): Connection | undefined {
    const victim = this.#states.size < this.#limit ? undefined : (this.#leastWorthy() ?? connection);
    if (victim === connection) return victim;
    if (victim !== undefined) this.remove(victim);
    const state: State = { connection, kind: 'fresh', judged: 0, rank: 0 };
    this.#states.set(connection, state);
    this.#line(state);
    return victim;
  }

  /** It ended. Twice is once. */
  remove(connection: Connection): void {
    const state = this.#states.get(connection);
    if (state === undefined) return;
    if (state.judged === 0) this.#unline(state);
    this.#states.delete(connection);
  }

  /** A request of it is complete, and waits for its verdict: until `judged` it stays. */
  judging(connection: Connection): void {
    const state = this.#states.get(connection);
    if (state === undefined) return;
    if (state.judged === 0) this.#unline(state);
    state.judged += 1;
  }

  /** The end of `judging`, with a verdict or without. */
  judged(connection: Connection, verdict: boolean): void {
    const state = this.#states.get(connection);
    if (state === undefined) return;
    state.judged -= 1;
    if (verdict) state.kind = 'proven';
    if (state.judged === 0) this.#line(state);
  }

  /** `judging` and `judged`, with a verdict, for a request that never waited for it. */
  judgedAtOnce(connection: Connection): void {
    const state = this.#states.get(connection);
    if (state === undefined) return;
    if (state.kind === 'fresh') {
      this.judging(connection);
      this.judged(connection, true);
    } else if (state.judged === 0) state.rank = this.#ranks++;
  }

  /** All of them, in no order. */
  all(): Iterable<Connection> {
    return this.#states.keys();
  }

  /** Those with no request that is complete and waits for its verdict. */
  unjudged(): readonly Connection[] {
    return [...this.#states.values()].filter(({ judged }) => judged === 0).map(({ connection }) => connection);
  }

  bounds(): readonly Bound[] {
    return [{ name: 'connections', held: this.#states.size, limit: this.#limit }];
  }

  #leastWorthy(): Connection | undefined {
    const kind = this.#sizes.fresh >= this.#sizes.proven ? 'fresh' : 'proven';
    let crowd: Set<State> | undefined;
    // Addresses, not connections; and only when all places are taken.
    for (const own of this.#waiting[kind].values()) if (own.size > (crowd?.size ?? 0)) crowd = own;
    let first: State | undefined;
    for (const state of crowd ?? []) if (first === undefined || state.rank < first.rank) first = state;
    return first?.connection;
  }

  #line(state: State): void {
    const { kind, connection } = state;
    const own = this.#waiting[kind].get(connection.address);
    if (own === undefined) this.#waiting[kind].set(connection.address, new Set([state]));
    else own.add(state);
    this.#sizes[kind] += 1;
    state.rank = this.#ranks++;
  }

  #unline(state: State): void {
    const { kind, connection } = state;
    const own = this.#waiting[kind].get(connection.address);
    if (own?.delete(state) !== true) return;
    this.#sizes[kind] -= 1;
    if (own.size === 0) this.#waiting[kind].delete(connection.address);
  }
}

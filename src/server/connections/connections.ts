/**
 * Who is connected, and who has to go when there are too many: never the newcomer, and never one whose request is being judged. What there is
 * most of goes first: of those that never got a verdict (*fresh*) and those that did (*proven*) the more numerous kind; of that kind the address
 * with the most of them; of these the oldest, that is to say the one that has been without a verdict the longest.
 *
 * So a flood from one address costs that address alone, a flood from many costs none that a verdict was given to, and a proxy before everybody may
 * have all connections.
 */
import type { Bound } from '../load/bounds.ts';

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
  /** Its place in the order in which they would have to go. */
  rank: number;
  line: Line;
}

/** Of one kind and address. They stay in it while they are judged, so that a request moves nothing. */
class Line {
  readonly states = new Set<State>();
  /** Of them, those that are not being judged. */
  idle = 0;
}

/** By address. */
type Kind = Map<string, Line>;

export class Connections {
  readonly #limit: number;
  readonly #states = new Map<Connection, State>();
  readonly #lines = { fresh: new Map() as Kind, proven: new Map() as Kind };
  /** Those that are not being judged. */
  readonly #idle = { fresh: 0, proven: 0 };
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
    this.#states.set(connection, this.#fresh(connection));
    return victim;
  }

  /** It ended. Twice is once. */
  remove(connection: Connection): void {
    const state = this.#states.get(connection);
    if (state === undefined) return;
    if (state.judged === 0) this.#rest(state, -1);
    this.#unline(state);
    this.#states.delete(connection);
  }

  /** A request of it is complete, and waits for its verdict: until `judged` it stays. */
  judging(connection: Connection): void {
    const state = this.#states.get(connection);
    if (state === undefined) return;
    if (state.judged === 0) this.#rest(state, -1);
    state.judged += 1;
  }

  /** The end of `judging`, with a verdict or without. */
  judged(connection: Connection, verdict: boolean): void {
    const state = this.#states.get(connection);
    if (state === undefined) return;
    state.judged -= 1;
    if (verdict && state.kind === 'fresh') this.#prove(state);
    if (state.judged > 0) return;
    this.#rest(state, 1);
    state.rank = this.#ranks++;
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
    const kind = this.#idle.fresh >= this.#idle.proven ? 'fresh' : 'proven';
    let crowd: Line | undefined;
    // Only when all places are taken: a few microseconds, beside the handshake that the newcomer costs.
    for (const line of this.#lines[kind].values()) if (line.idle > (crowd?.idle ?? 0)) crowd = line;
    let first: State | undefined;
    for (const state of crowd?.states ?? []) {
      if (state.judged === 0 && (first === undefined || state.rank < first.rank)) first = state;
    }
    return first?.connection;
  }

  #fresh(connection: Connection): State {
    const line = this.#lineOf('fresh', connection);
    const state: State = { connection, kind: 'fresh', judged: 0, rank: this.#ranks++, line };
    line.states.add(state);
    this.#rest(state, 1);
    return state;
  }

  /** Only while it is judged. */
  #prove(state: State): void {
    this.#unline(state);
    state.kind = 'proven';
    state.line = this.#lineOf('proven', state.connection);
    state.line.states.add(state);
  }

  #rest({ line, kind }: State, change: 1 | -1): void {
    line.idle += change;
    this.#idle[kind] += change;
  }

  #lineOf(kind: State['kind'], { address }: Connection): Line {
    const known = this.#lines[kind].get(address);
    if (known !== undefined) return known;
    const line = new Line();
    this.#lines[kind].set(address, line);
    return line;
  }

  #unline(state: State): void {
    const { line, kind, connection } = state;
    line.states.delete(state);
    if (line.states.size === 0) this.#lines[kind].delete(connection.address);
  }
}

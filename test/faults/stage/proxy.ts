/**
 * What a Service is to the API server: one address; each new TCP connection goes to the next replica that is ready as far as
 * the endpoints know, stays there, and its bytes and its end are passed on as they come.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Endpoints, Replica } from './endpoints.ts';

export interface ProxyOptions {
  /** To whom a new connection goes: endpoints that lag, or a list. */
  readonly endpoints: Pick<Endpoints, 'ready'>;
  /**
   * A connection that a replica refuses: `broken` as kube-proxy leaves it, or led to the `next` one that is ready, as other
   * load balancers do; asked each time. Default: `broken`.
   */
  readonly refused?: () => 'broken' | 'next';
}

export type Waiting = 'yes' | 'perhaps' | 'no';

export interface Connection {
  readonly replica: Replica;
  /** Whether a request waits for its answer here, as far as can be told: the bytes are encrypted. */
  readonly waiting: Waiting;
  /** Times the caller began to speak after the server had: the handshake's, and about one a request. */
  readonly turns: number;
  /** Breaks off both ends. */
  cut(): void;
  /** Breaks off both ends as soon as the caller speaks again: to the caller, the server closed it that very moment. */
  cutOnNextTurn(): void;
}

export interface Counts {
  /** Connections that reached a replica. */
  made: number;
  /** Refused by a replica: nothing listens there any more. */
  refused: number;
  /** For which no replica was ready. */
  nobody: number;
  /** Ended by the replica while a request waited for its answer. */
  interrupted: number;
  /** … and while one perhaps waited: the handshake was done, and it can't be told whether a first answer was out. */
  perhapsInterrupted: number;
  /** On which the caller still spoke when the replica had ended it: the end and a request passed each other. */
  late: number;
}

export interface ServiceProxy {
  readonly url: string;
  readonly port: number;
  /** Connections that are open; of one replica, where it is named. */
  open(replica?: Replica): readonly Connection[];
  readonly counts: Readonly<Counts>;
  close(): Promise<void>;
}

interface Pair {
  replica: Replica;
  front: Socket;
  back: Socket;
  lastSpoke: 'caller' | 'server' | undefined;
  turns: number;
  cutNext: boolean;
  /** The replica's side is over. */
  ended: boolean;
  /** Among those that took a request with them. */
  counted: boolean;
}

/** On a loopback port of its own. */
export async function startProxy(options: ProxyOptions): Promise<ServiceProxy> {
  const pairs = new Set<Pair>();
  const counts: Counts = { made: 0, refused: 0, nobody: 0, interrupted: 0, perhapsInterrupted: 0, late: 0 };
  const lead = leader(options, counts, (replica, front, back) =>
    passOn(pairs, counts, {
      replica,
      front,
      back,
      lastSpoke: undefined,
      turns: 0,
      cutNext: false,
      ended: false,
      counted: false,
    }),
  );
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (front) => {
    front.on('error', () => front.destroy());
    lead(front, []);
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    counts,
    open: (replica) => [...pairs].filter((pair) => isOpen(pair, replica)).map(connectionOf),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const pair of pairs) cut(pair);
      await closed;
    },
  };
}

/** Finds a replica for a new connection, the next of those that are ready and were not tried for it. */
function leader(
  { endpoints, refused = () => 'broken' }: ProxyOptions,
  counts: Counts,
  made: (replica: Replica, front: Socket, back: Socket) => void,
) {
  let turn = 0;
  return function lead(front: Socket, tried: readonly Replica[]): void {
    const ready = endpoints.ready().filter((replica) => !tried.includes(replica));
    const replica = ready[turn++ % ready.length];
    if (replica === undefined) {
      counts.nobody += 1;
      front.destroy();
      return;
    }
    const back = connect({ port: replica.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const fail = () => {
      counts.refused += 1;
      if (front.destroyed) return;
      if (refused() === 'next') lead(front, [...tried, replica]);
      else front.destroy();
    };
    back.once('error', fail);
    back.once('connect', () => {
      back.off('error', fail);
      // The caller may have given up meanwhile, of which nobody will tell again.
      if (front.destroyed) return void back.destroy();
      counts.made += 1;
      made(replica, front, back);
    });
  };
}

function isOpen({ front, back, replica }: Pair, wanted: Replica | undefined): boolean {
  return !front.destroyed && !back.destroyed && (wanted === undefined || replica === wanted);
}

function connectionOf(pair: Pair): Connection {
  return {
    replica: pair.replica,
    waiting: waiting(pair),
    turns: pair.turns,
    cut: () => cut(pair),
    cutOnNextTurn: () => {
      pair.cutNext = true;
    },
  };
}

/** In a handshake the server speaks last too (its tickets), which looks like a first answer. */
function waiting({ lastSpoke, turns }: Pair): Waiting {
  if (lastSpoke !== 'server' || turns < 2) return 'yes';
  return turns === 2 ? 'perhaps' : 'no';
}

function cut({ front, back }: Pair): void {
  front.destroy();
  back.destroy();
}

function passOn(pairs: Set<Pair>, counts: Counts, pair: Pair): void {
  const { front, back } = pair;
  pairs.add(pair);
  front.on('data', () => {
    if (pair.cutNext) return cut(pair);
    if (pair.ended && !pair.counted) {
      pair.counted = true;
      counts.late += 1;
    }
    if (pair.lastSpoke !== 'caller') pair.turns += 1;
    pair.lastSpoke = 'caller';
  });
  back.on('data', () => {
    pair.lastSpoke = 'server';
  });
  // Before what passes them on.
  for (const event of ['end', 'error', 'close']) back.once(event, () => end(pair, counts));
  join(front, back);
  join(back, front);
  for (const one of [front, back]) {
    one.once('close', () => {
      if (front.destroyed && back.destroyed) pairs.delete(pair);
    });
  }
}

function end(pair: Pair, counts: Counts): void {
  // Where the caller ended it first, nobody waits.
  if (pair.ended || pair.front.readableEnded || pair.front.destroyed) return;
  pair.ended = true;
  const how = waiting(pair);
  pair.counted = how !== 'no';
  if (how === 'yes') counts.interrupted += 1;
  if (how === 'perhaps') counts.perhapsInterrupted += 1;
}

/**
 * An end stays an end; what breaks off breaks off on the other side too. Never `resetAndDestroy`: on a socket that was ended
 * before, it leaves a handle with which Node 24 spins forever when the process exits.
 */
function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.once('close', () => {
    if (!from.readableEnded) to.destroy();
  });
}

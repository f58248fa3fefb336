/**
 * The TCP proxy between an API server and muster, in place of a Service: each new connection goes to the next target,
 * stays there, and passes bytes and the end of each side on as they come. It can cut connections, and hold answers
 * back.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A `Muster` is one. */
export interface Target {
  readonly port: number;
}

interface ProxyOptions {
  /** Returns the targets of a new connection. Called for each one; while there is none, connections are closed. */
  targets(): readonly Target[];
  /**
   * Returns what happens to a connection that its target refuses: `broken`, as kube-proxy leaves it, or led to the
   * `next` target, as other load balancers do. Default: `broken`.
   */
  readonly refused?: () => 'broken' | 'next';
}

export interface Connection {
  readonly target: Target;
  /**
   * Whether a request waits for its answer here. `perhaps`: the bytes are encrypted, and a handshake looks like a first
   * request, so nothing is known until the second one.
   */
  readonly waiting: 'yes' | 'perhaps' | 'no';
  /** Closes both ends. */
  cut(): void;
  /**
   * Closes both ends when the client sends again: to the client, the server closed the connection at that very moment.
   */
  cutOnNextRequest(): void;
}

export interface Counts {
  /** Connections that reached a target. */
  made: number;
  /** Connections that a target refused. */
  refused: number;
  /** Connections that the target ended while a request waited for its answer, and those where one perhaps waited. */
  interrupted: number;
  perhapsInterrupted: number;
  /** Connections on which the client sent a request after the target had ended them. */
  late: number;
  /** Handshakes and requests on all connections. */
  turns: number;
}

export interface ServiceProxy {
  readonly url: string;
  readonly counts: Readonly<Counts>;
  /** Connections made to each target, by its port. */
  readonly made: ReadonlyMap<number, number>;
  /** Returns the open connections, of one target or of all. */
  open(target?: Target): readonly Connection[];
  /** Drops all answers from now on, but passes handshakes. */
  hold(): void;
  /** Cuts all connections, and passes answers again. */
  release(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly target: Target;
  readonly client: Socket;
  readonly server: Socket;
  lastSender: 'client' | 'server' | undefined;
  /** Times the client began to send after the server had: once for the handshake, then once for each request. */
  turns: number;
  cutNext: boolean;
  /** The server has ended it. */
  ended: boolean;
  /** Counted among those that took a request with them. */
  counted: boolean;
}

/** Listens on a free loopback port. */
export async function startProxy({ targets, refused = () => 'broken' }: ProxyOptions): Promise<ServiceProxy> {
  const pairs = new Set<Pair>();
  const counts: Counts = { made: 0, refused: 0, interrupted: 0, perhapsInterrupted: 0, late: 0, turns: 0 };
  const made = new Map<number, number>();
  const state = { holding: false };
  let turn = 0;
  const lead = (client: Socket, tried: readonly Target[]): void => {
    const left = targets().filter((target) => !tried.includes(target));
    const target = left[turn++ % left.length];
    if (target === undefined) return void client.destroy();
    const server = connect({ port: target.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const fail = () => {
      counts.refused += 1;
      if (client.destroyed) return;
      if (refused() === 'next') lead(client, [...tried, target]);
      else client.destroy();
    };
    server.once('error', fail).once('connect', () => {
      server.off('error', fail);
      if (client.destroyed) return void server.destroy();
      counts.made += 1;
      made.set(target.port, (made.get(target.port) ?? 0) + 1);
      const fresh = { lastSender: undefined, turns: 0, cutNext: false, ended: false, counted: false };
      passOn(pairs, counts, state, { target, client, server, ...fresh });
    });
  };
  const listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    lead(client, []);
  });
  await new Promise<void>((resolve) => listener.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  const cutAll = () => {
    for (const pair of pairs) cut(pair);
  };
  return {
    url: `https://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    counts,
    made,
    open: (target) => [...pairs].filter((pair) => isOpen(pair, target)).map(connectionOf),
    hold() {
      state.holding = true;
    },
    release() {
      cutAll();
      state.holding = false;
    },
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      cutAll();
      await closed;
    },
  };
}

function isOpen({ client, server, target }: Pair, wanted: Target | undefined): boolean {
  return !client.destroyed && !server.destroyed && (wanted === undefined || target === wanted);
}

function connectionOf(pair: Pair): Connection {
  return {
    target: pair.target,
    waiting: waiting(pair),
    cut: () => cut(pair),
    cutOnNextRequest: () => {
      pair.cutNext = true;
    },
  };
}

function waiting({ lastSender, turns }: Pair): Connection['waiting'] {
  if (turns <= 2) return 'perhaps';
  return lastSender === 'client' ? 'yes' : 'no';
}

function cut({ client, server }: Pair): void {
  client.destroy();
  server.destroy();
}

function passOn(pairs: Set<Pair>, counts: Counts, state: { readonly holding: boolean }, pair: Pair): void {
  const { client, server } = pair;
  pairs.add(pair);
  client.on('data', (bytes) => {
    if (pair.cutNext) return cut(pair);
    if (pair.ended && !pair.counted) {
      pair.counted = true;
      counts.late += 1;
    }
    if (pair.lastSender !== 'client') {
      pair.turns += 1;
      counts.turns += 1;
    }
    pair.lastSender = 'client';
    send(client, server, bytes);
  });
  server.on('data', (bytes) => {
    pair.lastSender = 'server';
    if (!state.holding || pair.turns < 2) send(server, client, bytes);
  });
  // Before the handlers that pass the end on.
  for (const event of ['end', 'error', 'close']) server.once(event, () => end(pair, counts));
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.once('end', () => to.end());
    from.on('error', () => to.destroy());
    // Not `resetAndDestroy`: on a socket that has ended, Node 24 then spins when the process exits.
    from.once('close', () => {
      if (!from.readableEnded) to.destroy();
      if (client.destroyed && server.destroyed) pairs.delete(pair);
    });
  }
  client.resume();
}

function send(from: Socket, to: Socket, bytes: Buffer): void {
  if (to.destroyed || to.writableEnded || to.write(bytes)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

function end(pair: Pair, counts: Counts): void {
  if (pair.ended || pair.client.readableEnded || pair.client.destroyed) return;
  pair.ended = true;
  const how = waiting(pair);
  pair.counted = how !== 'no';
  if (how === 'yes') counts.interrupted += 1;
  if (how === 'perhaps') counts.perhapsInterrupted += 1;
}

/**
 * A bound on the requests of one connection at a time. Node hands over all that lie in what was read at once, hundreds perhaps; one too many is told
 * 503 here, before the framework does anything for it, and those behind it are not answered, since the connection ends with that, and not even
 * taken apart.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Allowance } from '../load/allowance.ts';

/** The connection of a request: its address, and its requests that are not answered yet. */
export interface RequestConnection {
  readonly socket: Socket;
  readonly address: string;
  pending: number;
}
type Connection = RequestConnection;

/** A request that may begin. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** Milliseconds that it waited before it began. */
  readonly waitedMs: number;
}

export interface PipeliningOptions {
  readonly limit: number;
  readonly of: (socket: Socket) => Connection;
  readonly shed: () => void;
  /** When a request begins. */
  readonly allowance: Pick<Allowance, 'take' | 'wait'>;
  /** Whose request it is: true. Others go to the listeners that the server has by now. */
  readonly begin: (arrival: Arrival) => boolean;
  /** Hears of what `begin` threw, or a listener. */
  readonly broke: (error: unknown) => void;
}

type Begin = (arrival: Arrival) => void;
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Stands before the listeners that the server has for requests, and for what it can't read, by now. */
export function limitPipelining(server: Server, options: PipeliningOptions): void {
  const { begin } = options;
  const inner = server.listeners('request') as Listener[];
  server.removeAllListeners('request');
  const serve = hosted((arrival) => {
    if (begin(arrival)) return;
    for (const listener of inner) listener.call(server, arrival.request, arrival.response);
  });
  const bounded = boundedBy(options, stopReading(server));
  server.on('request', bounded(serve));
  // Node answers these by itself, which would ask nobody to close, and have no bound.
  server.on('checkExpectation', bounded(refusal(417, 'no expectation but 100-continue is met here\n')));
}

function boundedBy(options: PipeliningOptions, stopped: (socket: Socket) => void): (begin: Begin) => Listener {
  const { limit, of, shed, allowance } = options;
  // One for all: it is told whose answer is out.
  function answered(this: ServerResponse): void {
    of(this.req.socket).pending -= 1;
  }
  return (begin) => (request, response) => {
    const connection = of(request.socket);
    connection.pending += 1;
    if (connection.pending <= limit) {
      response.on('close', answered);
      const { address } = connection;
      const count = countOf(request);
      if (allowance.take(address, count)) attempt(begin, { request, response, connection, waitedMs: 0 }, options);
      else {
        allowance.wait(address, count, (waitedMs) => {
          if (!response.destroyed) attempt(begin, { request, response, connection, waitedMs }, options);
        });
      }
    } else if (connection.pending === limit + 1) {
      shed();
      stopped(request.socket);
      response.writeHead(503, { 'retry-after': '1', connection: 'close' }).end('too many requests at once\n');
    }
  };
}

/** Bytes of a body that counts as one of what may begin in a turn: most are smaller. */
const SMALL = 4096;
/** What a large body counts, and one that does not say how large it is. */
const MOST = 16;

/** What a request counts by its body: a small one is judged in some 60 µs. */
function countOf({ headers }: IncomingMessage): number {
  const length = headers['content-length'];
  if (length === undefined) return headers['transfer-encoding'] === undefined ? 1 : MOST;
  return Math.min(MOST, Math.max(1, Math.ceil(Number(length) / SMALL)));
}

function attempt(begin: Begin, arrival: Arrival, { broke }: PipeliningOptions): void {
  try {
    begin(arrival);
  } catch (error) {
    // Nobody is going to answer it: the caller need not wait for that.
    arrival.request.destroy();
    broke(error);
  }
}

/** HTTP/1.1 wants a host. Where Node refuses, nothing here hears of the request. */
function hosted(begin: Begin): Begin {
  const refuse = refusal(400, 'no Host\n');
  return (arrival) => {
    const { request } = arrival;
    if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(arrival);
    else begin(arrival);
  };
}

function refusal(status: number, why: string): Begin {
  return ({ response }) => void response.writeHead(status, { connection: 'close' }).end(why);
}

/** Where Node's parser of a connection hands over a request. No document tells of it; should it go, the test of pipelining tells. */
interface Parsed {
  readonly parser?: { onIncoming?: () => number } | null;
}

/** What follows is another protocol, as after an upgrade: the parser leaves it alone. */
const NOT_HTTP = 2;

/**
 * A way to have nothing more taken apart of what comes on a connection. Each request would be an object, and once the connection ends an error with
 * a stack of its own: thousands of them take longer than all else that the connection costs.
 */
function stopReading(server: Server): (socket: Socket) => void {
  const stopped = new WeakSet<Socket>();
  type Listener = (error: NodeJS.ErrnoException, socket: Socket) => void;
  const inner = server.listeners('clientError') as Listener[];
  server.removeAllListeners('clientError');
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // What is left alone need not begin where a request does. The answers that are due go out first, and the last of them ends the connection.
    if (error.code?.startsWith('HPE_') && stopped.has(socket)) return;
    for (const listener of inner) listener.call(server, error, socket);
  });
  return (socket) => {
    stopped.add(socket);
    const { parser } = socket as Parsed;
    if (parser?.onIncoming !== undefined) parser.onIncoming = () => NOT_HTTP;
  };
}

/**
 * A bound on the requests of one connection at a time. Node hands over all that lie in what was read at once, hundreds perhaps; one too many is told
 * 503 here, before the framework does anything for it, and those behind it are not answered, since the connection ends with that.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Allowance } from './allowance.ts';
import type { Connection } from './connections.ts';

export interface PipeliningOptions {
  readonly limit: number;
  readonly of: (socket: object) => Connection;
  readonly shed: () => void;
  /** When a request begins. */
  readonly allowance: Pick<Allowance, 'take'>;
}

/** Stands before the listeners that the server has for requests by now. */
export function limitPipelining(server: Server, { limit, of, shed, allowance }: PipeliningOptions): void {
  type Listener = (request: IncomingMessage, response: ServerResponse) => void;
  const inner = server.listeners('request') as Listener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = of(request.socket);
    connection.pending += 1;
    if (connection.pending <= limit) {
      response.once('close', () => {
        connection.pending -= 1;
      });
      allowance.take(connection.address, () => {
        if (response.destroyed) return;
        for (const listener of inner) listener.call(server, request, response);
      });
    } else if (connection.pending === limit + 1) {
      shed();
      response.writeHead(503, { 'retry-after': '1', connection: 'close' }).end('too many requests at once\n');
    }
  });
}

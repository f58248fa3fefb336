/** Servers and bare TLS connections that end with their test, and requests as bytes. */

import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterEach } from '@jest/globals';
import type { Deadline } from '../../../src/engine/cluster-state.ts';
import type { ClusterView } from '../../../src/rules/rule.ts';
import { claim } from '../../support/reviews.ts';
import { type ServerOptions, startServer, type TestServer } from '../../support/test-server.ts';

interface Stage {
  start(options?: ServerOptions): Promise<TestServer>;
  /** A connection whose handshake is done. Rejects when it is closed before. */
  connect(server: TestServer, options?: ConnectionOptions): Promise<TLSSocket>;
  /** Whatever else has to be closed, the last first. */
  readonly open: { close(): Promise<void> | void }[];
}

/** To be called once, at the top of a test file. */
export function stage(): Stage {
  const open: Stage['open'] = [];
  afterEach(async () => {
    for (const opened of open.splice(0).reverse()) await opened.close();
  });
  return {
    open,
    async start(options = {}) {
      const server = await startServer(options);
      open.push(server);
      return server;
    },
    connect: (server, options = {}) => secured(server, options, open),
  };
}

function secured(server: TestServer, options: ConnectionOptions, open: Stage['open']): Promise<TLSSocket> {
  const { port } = server.listening;
  const ca = server.certificates.ca;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca, ...options });
    open.push({ close: () => void socket.destroy() });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

/** A request's head and body as bytes; `length` may lie. */
export function head(body: string, length = Buffer.byteLength(body), path = '/validate'): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** All that comes until the other side ends. */
export function text(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.once('error', () => resolve(received));
    socket.once('close', () => resolve(received));
  });
}

const id = { ...claim, metadata: { name: 'id.k8s.io' } };
/** Needs the view. */
export const changeOfId = { operation: 'UPDATE', object: { ...id, spec: { value: 'two' } }, oldObject: id };

/** A view whose answers wait until `answer` is called. */
export function slowView() {
  const contexts: Deadline[] = [];
  let answer = () => {};
  const waiting = new Promise<{ known: true; value: undefined }>((resolve) => {
    answer = () => resolve({ known: true, value: undefined });
  });
  const view: ClusterView = { get: () => waiting, list: async () => ({ known: true, value: [] }) };
  const views = {
    open: (context: Deadline) => {
      contexts.push(context);
      return view;
    },
  };
  return { views, contexts, answer: () => answer() };
}

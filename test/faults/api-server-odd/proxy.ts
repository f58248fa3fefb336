/**
 * Something in between muster and a real API server: it ends TLS under a CA of its own, and hands calls on, unless an oddity
 * has been set up for them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { issueCertificates } from '../../../src/tls/issue.ts';
import type { ControlPlane } from '../../e2e/harness/index.ts';

/** An answer of the API server, to do with as one pleases. */
export interface Upstream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Asks the API server: only then anything happens there. */
  upstream(): Promise<Upstream>;
}

export type Oddity = (exchange: Exchange) => unknown;

export interface OddProxy {
  readonly url: string;
  /** Writes a kubeconfig that leads here, anew if `file` is given; returns its path. */
  kubeconfig(user: object, file?: string): string;
  /** What is done with a call; undefined: it is handed on. */
  oddity: (request: IncomingMessage) => Oddity | undefined;
  /** The credentials of a call, as they go on; undefined: refused with 401. */
  token: (authorization: string) => string | undefined;
  /** Answers of status 401 that went through, and calls that an oddity got hold of. */
  unauthorized: number;
  odd: number;
  close(): Promise<void>;
}

export async function startOddProxy({ url: target, caFile, folder }: ControlPlane): Promise<OddProxy> {
  const { cert, key, ca } = await issueCertificates({ names: ['127.0.0.1'] });
  const agent = new Agent({ keepAlive: true, ca: readFileSync(caFile) });
  const server = createServer({ cert, key, keepAliveTimeout: 100_000 });
  server.on('request', (request, response) => {
    // Whoever asked may leave at any time.
    for (const end of [request, response]) end.on('error', () => {});
    bodyOf(request).then(
      (body) => exchange(proxy, { request, response, body }, { target, agent }),
      () => {},
    );
  });
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let files = 0;
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const proxy: OddProxy = {
    url,
    kubeconfig(user, file = join(folder, `odd-proxy-${port}-${++files}.kubeconfig`)) {
      writeFileSync(file, JSON.stringify(kubeconfigOf(url, ca, user)), { mode: 0o600 });
      return file;
    },
    oddity: () => undefined,
    token: (authorization) => authorization,
    unauthorized: 0,
    odd: 0,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
  return proxy;
}

type Way = { readonly target: string; readonly agent: Agent };

async function exchange(proxy: OddProxy, one: Omit<Exchange, 'upstream'>, way: Way): Promise<void> {
  const { request, response } = one;
  const authorization = proxy.token(request.headers.authorization ?? '');
  const upstream = async (): Promise<Upstream> => {
    const answer = authorization === undefined ? REFUSED : await ask(way, one, authorization);
    if (answer.status === 401) proxy.unauthorized += 1;
    return answer;
  };
  const oddity = proxy.oddity(request);
  try {
    if (oddity !== undefined) {
      proxy.odd += 1;
      await oddity({ ...one, upstream });
      return;
    }
    handOn(response, await upstream());
  } catch {
    response.destroy();
  }
}

/** The answer as it came. */
export function handOn(response: ServerResponse, { status, headers, body }: Upstream): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length }).end(body);
}

const REFUSED: Upstream = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ kind: 'Status', apiVersion: 'v1', code: 401, message: 'Unauthorized' })),
};

function ask({ target, agent }: Way, { request, body }: Omit<Exchange, 'upstream'>, authorization: string) {
  return new Promise<Upstream>((resolve, reject) => {
    const { method, url, headers } = request;
    const { host: _, connection: __, ...rest } = headers;
    const sent = requestHttps(`${target}${url}`, { method, agent, headers: { ...rest, authorization } });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      const status = answer.statusCode ?? 0;
      bodyOf(answer).then((whole) => resolve({ status, headers: answer.headers, body: whole }), reject);
    });
    sent.end(body);
  });
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function kubeconfigOf(server: string, ca: string, user: object): object {
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'odd', cluster }],
    users: [{ name: 'muster', user }],
    contexts: [{ name: 'odd', context: { cluster: 'odd', user: 'muster', namespace: 'muster-system' } }],
    'current-context': 'odd',
  };
}

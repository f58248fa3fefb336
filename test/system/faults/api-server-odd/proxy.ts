/**
 * A proxy between muster and a real API server: it terminates TLS with a CA of its own, and passes calls on or answers
 * them with a fault.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { issueCertificates } from '../../../../src/certificates/issue.ts';
import { kubeconfigOf } from '../../../support/api-stub.ts';
import type { ControlPlane } from '../../e2e/harness/index.ts';

/** An answer of the API server. */
export interface Upstream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Sends the call to the API server. */
  upstream(): Promise<Upstream>;
}

/** Answers a call. */
export type Fault = (exchange: Exchange) => unknown;

export interface FaultyProxy {
  /** Writes a kubeconfig for this proxy, into `file` if there is one; returns its path. */
  kubeconfig(user: object, file?: string): string;
  /** Returns the flags of a server with such a kubeconfig. */
  flags(kubeconfig: string): readonly string[];
  /** Returns the fault of a call; undefined passes it on. */
  fault: (request: IncomingMessage) => Fault | undefined;
  /** Returns the credentials of a call as they are passed on; undefined answers it with 401. */
  token: (authorization: string) => string | undefined;
  /** Answers of status 401, and calls that got a fault. */
  unauthorized: number;
  faulty: number;
  close(): Promise<void>;
}

export async function startFaultyProxy({ url: target, caFile, folder }: ControlPlane): Promise<FaultyProxy> {
  const { cert, key, ca } = await issueCertificates({ names: ['127.0.0.1'] });
  const agent = new Agent({ keepAlive: true, ca: readFileSync(caFile) });
  const server = createServer({ cert, key, keepAliveTimeout: 100_000 });
  server.on('request', (request, response) => {
    // The caller may close the connection at any time.
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
  const cluster = { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const proxy: FaultyProxy = {
    kubeconfig(user, file = join(folder, `faulty-proxy-${port}-${++files}.kubeconfig`)) {
      const text = JSON.stringify(kubeconfigOf(`https://127.0.0.1:${port}`, user, cluster));
      writeFileSync(file, text, { mode: 0o600 });
      return file;
    },
    flags: (kubeconfig) => ['--kubeconfig', kubeconfig, '--namespace', 'muster-system'],
    fault: () => undefined,
    token: (authorization) => authorization,
    unauthorized: 0,
    faulty: 0,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
  return proxy;
}

type Server = { readonly target: string; readonly agent: Agent };

async function exchange(proxy: FaultyProxy, one: Omit<Exchange, 'upstream'>, server: Server): Promise<void> {
  const { request, response } = one;
  const authorization = proxy.token(request.headers.authorization ?? '');
  const upstream = async (): Promise<Upstream> => {
    const answer = authorization === undefined ? REFUSED : await ask(server, one, authorization);
    if (answer.status === 401) proxy.unauthorized += 1;
    return answer;
  };
  const fault = proxy.fault(request);
  try {
    if (fault !== undefined) {
      proxy.faulty += 1;
      await fault({ ...one, upstream });
      return;
    }
    pass(response, await upstream());
  } catch {
    response.destroy();
  }
}

/** Passes an answer on unchanged. */
export function pass(response: ServerResponse, { status, headers, body }: Upstream): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length }).end(body);
}

const REFUSED: Upstream = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ kind: 'Status', apiVersion: 'v1', code: 401, message: 'Unauthorized' })),
};

function ask({ target, agent }: Server, { request, body }: Omit<Exchange, 'upstream'>, authorization: string) {
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

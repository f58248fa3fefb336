/**
 * A real HTTPS server that answers as a test wants, and a kubeconfig for it: for what breaks on the way, not for what
 * an API server means.
 */
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type IssuedCertificates, issueCertificates } from '../../src/certificates/issue.ts';
import type { ApiRequest } from '../../src/cluster/live/client.ts';
import type { MemoryApi } from './memory-api.ts';

export interface ApiStub {
  readonly port: number;
  readonly kubeconfig: string;
  /** What came in: method, path, authorization. */
  readonly requests: readonly { method: string; url: string; token: string; body: string }[];
  connections: number;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** @param issued default: a certificate for 127.0.0.1 */
export async function startApiStub(
  folder: string,
  issued?: Pick<IssuedCertificates, 'cert' | 'key' | 'ca'>,
): Promise<ApiStub> {
  const { cert, key, ca } = issued ?? (await issueCertificates({ names: ['127.0.0.1'] }));
  const requests: { method: string; url: string; token: string; body: string }[] = [];
  const server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, token: headers.authorization ?? '', body: Buffer.concat(chunks).toString() });
      stub.answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  const kubeconfig = join(folder, 'kubeconfig');
  const stub: ApiStub = {
    port: address.port,
    kubeconfig,
    requests,
    connections: 0,
    answer: (_, response) => json(response, 200, {}),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on('secureConnection', () => {
    stub.connections += 1;
  });
  const cluster = { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const config = kubeconfigOf(`https://127.0.0.1:${address.port}`, { token: 'first' }, cluster, 'fleet');
  writeFileSync(kubeconfig, JSON.stringify(config));
  return stub;
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers a request to the stub as an API server in memory does. */
export function answerFrom({ answer }: MemoryApi, stub: ApiStub): ApiStub['answer'] {
  return ({ method, url: path = '' }, response) => {
    const body = JSON.parse(stub.requests.at(-1)?.body || '{}');
    const answered = answer({ method: method as ApiRequest['method'], path, body });
    json(response, answered.status, answered.body);
  };
}

/** Returns a kubeconfig of one cluster and one user. */
export function kubeconfigOf(
  server: string,
  user: object = { token: 'secret-token' },
  cluster: object = {},
  namespace?: string,
) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', ...(namespace !== undefined && { namespace }) } }],
    'current-context': 'x',
  };
}

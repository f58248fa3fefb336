/** A webhook that answers as a test tells it to, whatever that is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificates } from '../../../src/tls/issue.ts';
import type { Json } from '../harness/index.ts';

export interface Call {
  /** Path with query. */
  readonly url: string;
  readonly httpVersion: string;
  /** The AdmissionReview's request. */
  readonly request: Json;
  /** 1 for the first call of this script. */
  readonly count: number;
}

/** Answers one call. */
export type Script = (call: Call, response: ServerResponse) => void;

export interface ScriptedWebhook {
  readonly url: string;
  readonly caFile: string;
  /** From now on, by this script; the calls of the former one are forgotten. */
  follow(script: Script): void;
  readonly calls: readonly Call[];
  stop(): Promise<void>;
}

export async function startScriptedWebhook(): Promise<ScriptedWebhook> {
  const issued = await issueCertificates({ names: ['127.0.0.1'] });
  const folder = mkdtempSync(join(tmpdir(), 'muster-e2e-script-'));
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, issued.ca);
  const calls: Call[] = [];
  let script: Script = (_, response) => response.end();
  const server = createServer({ cert: issued.cert, key: issued.key }, (message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { request } = JSON.parse(Buffer.concat(chunks).toString());
      const call = { url: message.url ?? '', httpVersion: message.httpVersion, request, count: calls.length + 1 };
      calls.push(call);
      script(call, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caFile,
    calls,
    follow(next) {
      calls.length = 0;
      script = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A review whose response has these fields beside the right uid. */
export function review(fields: Json): Script {
  return ({ request }, response) => sendJson(response, 200, reviewOf({ uid: request.uid, ...fields }));
}

export function reviewOf(response: Json): Json {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

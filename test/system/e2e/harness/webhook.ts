/** A webhook in place of muster: a server that answers each call as a test wants it. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Json } from './api.ts';
import { servingCertificates } from './serving.ts';

export interface WebhookCall {
  readonly path: string;
  /** The AdmissionReview, and its request. */
  readonly review: Json;
  readonly request: Json;
}

export interface ScriptedWebhook {
  readonly url: string;
  readonly caFile: string;
  close(): void;
}

/** Listens on a free loopback port, with certificates in the folder. */
export async function startWebhook(
  folder: string,
  answer: (call: WebhookCall, response: ServerResponse) => void,
): Promise<ScriptedWebhook> {
  await servingCertificates(folder);
  const read = (name: string) => readFileSync(join(folder, name));
  const tls = { cert: read('tls.crt'), key: read('tls.key'), keepAliveTimeout: 120_000 };
  const server = createServer(tls, async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const review = JSON.parse(Buffer.concat(chunks).toString());
    const [path = ''] = (message.url ?? '').split('?');
    response.setHeader('content-type', 'application/json');
    answer({ path, review, request: review.request }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caFile: join(folder, 'ca.crt'),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

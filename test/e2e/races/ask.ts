/** muster asked directly, as an API server asks it: for the time when there is none. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { Json, Muster } from '../harness/index.ts';

export interface Asker {
  /** The response of a review of this write. */
  ask(write: Write): Promise<Json>;
  close(): void;
}

export interface Write {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly object?: Json;
  readonly oldObject?: Json;
}

export interface AskerOptions {
  /** As a webhook configuration names it. Default: 5 s. */
  readonly timeout?: string;
  /** Default: jane. */
  readonly user?: string;
}

export function askerOf(muster: Pick<Muster, 'url' | 'caFile'>, options: AskerOptions = {}): Asker {
  const { timeout = '5s', user = 'jane' } = options;
  const agent = new Agent({ keepAlive: true, ca: readFileSync(muster.caFile) });
  return {
    ask: (write) => post(`${muster.url}/validate?timeout=${timeout}`, agent, reviewOf(write, user)),
    close: () => agent.destroy(),
  };
}

function reviewOf({ operation, object = null, oldObject = null }: Write, username: string): Json {
  const { apiVersion, kind, metadata } = object ?? oldObject;
  const [group, version] = apiVersion.split('/');
  const request = {
    uid: 'asked-by-a-test',
    kind: { group, version, kind },
    operation,
    name: metadata.name,
    userInfo: { username, groups: ['system:authenticated'] },
    object,
    oldObject,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

function post(url: string, agent: Agent, body: Json): Promise<Json> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
    sent.once('error', reject);
    sent.once('response', (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.once('error', reject);
      message.once('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()).response));
    });
    sent.end(JSON.stringify(body));
  });
}

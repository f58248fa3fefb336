/** A caller that makes a connection of its own for each review, and so a handshake each time. */
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Json } from '../../e2e/harness/index.ts';

export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Probe {
  /** SHA-256 of the certificate that was shown. */
  readonly shown: string;
  readonly response: Json;
}

/** @param ca PEM of all that is trusted; rejects where there was no handshake or no answer */
export function probe(port: number, ca: string, review: Json, identity?: Identity): Promise<Probe> {
  return new Promise((resolve, reject) => {
    const sent = request(`https://127.0.0.1:${port}/validate?timeout=5s`, {
      method: 'POST',
      agent: false,
      ca,
      ...identity,
      headers: { 'content-type': 'application/json' },
    });
    sent.once('error', reject);
    sent.once('response', (message) => {
      const shown = (message.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? '';
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.once('error', reject);
      message.once('end', () => resolve({ shown, response: JSON.parse(Buffer.concat(chunks).toString()).response }));
    });
    sent.end(JSON.stringify(review));
  });
}

export interface Asked {
  readonly operation: string;
  readonly subresource?: string;
  readonly object?: Json;
  readonly old?: Json;
}

/** A review of a dry run by jane. */
export function reviewOf({ operation, subresource = '', object = null, old = null }: Asked): Json {
  const { apiVersion, kind, metadata } = object ?? old;
  const [group, version] = apiVersion.split('/');
  const request = {
    uid: 'asked-by-a-test',
    kind: { group, version, kind },
    subResource: subresource,
    operation,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    userInfo: { username: 'jane', groups: ['system:authenticated'] },
    object,
    oldObject: old,
    dryRun: true,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

export function codeOf(response: Json): number {
  return response.allowed ? 200 : response.status.code;
}

/** A client that opens a connection for each review, and reviews that it sends. */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Caller } from '../../../support/callers.ts';
import { configurationOf } from '../../../support/configuration.ts';
import { reviewOf } from '../../../support/writes.ts';
import type { Json } from '../../e2e/harness/index.ts';
import { claim, feature, here } from '../../e2e/verbs/objects.ts';

export interface Probe {
  /** SHA-256 of the server's certificate. */
  readonly certificate: string;
  readonly response: Json;
}

/** Sends a review. `ca` is the PEM of all trusted CAs. Rejects without a handshake or an answer. */
export function probe(port: number, ca: string, review: Json, caller?: Caller): Promise<Probe> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent: false, ca, ...caller, headers: { 'content-type': 'application/json' } };
    const sent = request(`https://127.0.0.1:${port}/validate?timeout=5s`, options, async (message) => {
      const { fingerprint256 = '' } = (message.socket as TLSSocket).getPeerX509Certificate() ?? {};
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of message) chunks.push(chunk as Buffer);
        resolve({ certificate: fingerprint256, response: JSON.parse(Buffer.concat(chunks).toString()).response });
      } catch (error) {
        reject(error);
      }
    });
    sent.once('error', reject);
    sent.end(JSON.stringify(review));
  });
}

/** A review that one of two configurations refuses, and the other one warns of. */
export const RESERVED = reviewOf({ operation: 'CREATE', object: claim('zone.k8s.io', 'a'), dryRun: true });

/** Returns a MusterConfiguration with this action for a reserved name. */
export function configuration(action: 'deny' | 'warn'): string {
  return JSON.stringify(configurationOf({ rules: { 'claim/reserved-name': action } }));
}

const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url));

/** Returns reviews of every rule's examples, and of times that a clock half an hour off takes for others. */
export function fixtureReviews(): { name: string; review: Json }[] {
  const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const examples = files.map((name) => ({ name, ...parse(readFileSync(join(FIXTURES, name), 'utf8')) }));
  const whole = examples.filter(({ operation, object, old }) => operation && (object ?? old)?.metadata?.name);
  return [
    ...whole.map(({ name, operation, subresource, object, old }) => ({
      name,
      review: reviewOf({ operation, subresource, object, old, dryRun: true }),
    })),
    { name: 'a time that a fast clock takes for past', review: timed(15) },
    { name: 'a time that a slow clock takes for future', review: timed(-15) },
  ];
}

/** A feature that completes its transition, with an evaluation time so many minutes from now. */
function timed(minutes: number): Json {
  const of = (status: object) =>
    feature('timed', { spec: {}, status: { default: 'Enabled', source: 'Default', ...status } }, here);
  const useEvaluationTime = new Date(Date.now() + minutes * 60_000).toISOString().replace(/\.\d+Z/, 'Z');
  const old = of({ state: 'TurningOn', transitionTasks: ['WaitForUses'], useEvaluationTime });
  const object = of({ state: 'On', transitionTasks: [] });
  return reviewOf({ operation: 'UPDATE', subresource: 'status', object, old, dryRun: true });
}

/** Calls muster directly, as an API server calls it. */
import { readFileSync } from 'node:fs';
import type { Subresource } from '../../../../src/rules/rule.ts';
import { reviewOf as reviewOfWrite } from '../../../support/writes.ts';
import { createApi, type Json } from './api.ts';

export interface Write {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly subresource?: Subresource;
  readonly object?: Json;
  readonly oldObject?: Json;
}

export interface Asker {
  /** Returns the response of a review of this write. */
  ask(write: Write): Promise<Json>;
  close(): void;
}

interface AskerOptions {
  /** The timeout of the call. Default: 5 s. */
  readonly timeout?: string;
  /** Default: jane. */
  readonly user?: string;
}

export function askerOf(muster: { readonly url: string; readonly caFile: string }, options: AskerOptions = {}): Asker {
  const { timeout = '5s', user = 'jane' } = options;
  const api = createApi(muster.url, readFileSync(muster.caFile, 'utf8'), undefined);
  return {
    ask: async (write) =>
      (await api.call('POST', `/validate?timeout=${timeout}`, reviewOf(write, { username: user }))).body.response,
    close: api.close,
  };
}

/** Returns the AdmissionReview of a write. */
export function reviewOf({ oldObject, ...write }: Write, { username = 'jane', dryRun = false } = {}): Json {
  const user = { username, groups: ['system:authenticated'] };
  return reviewOfWrite({ ...write, ...(oldObject && { old: oldObject }), user, dryRun });
}

/** Returns the status code of a response; 200 if the write is allowed. */
export function codeOf(response: Json): number {
  return response.allowed ? 200 : response.status.code;
}

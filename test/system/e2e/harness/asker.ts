/** Calls muster directly, as an API server calls it. */
import { readFileSync } from 'node:fs';
import { reviewOf, type Write } from '../../../support/writes.ts';
import { createApi, type Json } from './api.ts';

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
    async ask(write) {
      const review = reviewOf({ user: { username: user, groups: ['system:authenticated'] }, ...write });
      return (await api.call('POST', `/validate?timeout=${timeout}`, review)).body.response;
    },
    close: api.close,
  };
}

/** Returns the status code of a response; 200 if the write is allowed. */
export function codeOf(response: Json): number {
  return response.allowed ? 200 : response.status.code;
}

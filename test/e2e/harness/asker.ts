/** Calls muster directly, as an API server calls it. */
import { readFileSync } from 'node:fs';
import { createApi, type Json } from './api.ts';

export interface Write {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly subresource?: string;
  readonly object?: Json;
  readonly oldObject?: Json;
}

export interface Asker {
  /** Returns the response of a review of this write. */
  ask(write: Write): Promise<Json>;
  close(): void;
}

export interface AskerOptions {
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
export function reviewOf(
  { operation, subresource = '', object = null, oldObject = null }: Write,
  { username = 'jane', dryRun = false } = {},
): Json {
  const { apiVersion, kind, metadata } = object ?? oldObject;
  const [group, version] = apiVersion.split('/');
  const request = {
    uid: 'asked-by-a-test',
    kind: { group, version, kind },
    subResource: subresource,
    operation,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    userInfo: { username, groups: ['system:authenticated'] },
    object,
    oldObject,
    dryRun,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

/** Returns the status code of a response; 200 if the write is allowed. */
export function codeOf(response: Json): number {
  return response.allowed ? 200 : response.status.code;
}

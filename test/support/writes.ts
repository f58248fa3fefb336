/** Writes, and the reviews that the API server would send for them. */
import type { JsonObject } from '../../src/base/json.ts';
import type { Operation, Subresource } from '../../src/rules/rule.ts';

/** One write, and what is stored before it. */
export interface Write {
  readonly operation: Operation;
  readonly subresource?: Subresource;
  readonly user?: { readonly username: string; readonly groups?: readonly string[] };
  readonly dryRun?: boolean;
  /** Default: the object's name. Reviews of deletecollection leave it empty. */
  readonly name?: string;
  readonly now?: string;
  readonly state?: readonly JsonObject[];
  /** The Leases of the registrar's hub. */
  readonly hub?: readonly JsonObject[];
  readonly old?: JsonObject;
  readonly object?: JsonObject;
}

/** Returns the AdmissionReview that the API server would send for a write. */
export function reviewOf(write: Write): JsonObject {
  const { operation, subresource = '', user, dryRun = false, old, object } = write;
  const written = (operation === 'DELETE' ? old : object) ?? {};
  const [group = '', version = ''] = String(written['apiVersion']).split('/');
  const { name = '', namespace } = written['metadata'] as { readonly name?: string; readonly namespace?: string };
  const request = {
    uid: '6d9f1c3e-1d7c-4c8e-9f57-1f3c2c1f0a11',
    kind: { group, version, kind: String(written['kind']) },
    operation,
    ...(subresource && { subResource: subresource }),
    name: write.name ?? name,
    ...(namespace && { namespace }),
    userInfo: { username: user?.username ?? 'jane', groups: user?.groups ?? [] },
    object: operation === 'DELETE' ? null : written,
    oldObject: old ?? null,
    dryRun,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

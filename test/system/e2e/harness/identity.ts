/** The identity of one cluster in one dialect: its id and its membership, written by plain calls without retries. */
import {
  type ClaimDetails,
  clusterClaim,
  clusterProperty,
  type Dialect,
  ocmClusterClaim,
} from '../../../../src/api/dialects.ts';
import type { Api, ApiAnswer, Json } from './api.ts';
import type { ControlPlane } from './control-plane.ts';

export type ClaimDialect = Dialect & { readonly claim: ClaimDetails };

/** All dialects in which a cluster can have an identity. Each has its own lock. */
export const DIALECTS: readonly ClaimDialect[] = [clusterClaim, ocmClusterClaim, clusterProperty];

export interface Identity {
  readonly dialect: ClaimDialect;
  join(): Promise<ApiAnswer>;
  leave(): Promise<ApiAnswer>;
  createId(value: string): Promise<ApiAnswer>;
  changeId(value: string): Promise<ApiAnswer>;
  deleteId(): Promise<ApiAnswer>;
  id(): Promise<ApiAnswer>;
  membership(): Promise<ApiAnswer>;
}

export function identityOf(dialect: ClaimDialect, api: Api): Identity {
  const { claim, group, kind, plural } = dialect;
  const version = dialect.versions.at(-1) ?? '';
  const root = `/apis/${group}/${version}/${plural}`;
  const [idName = ''] = claim.idNames;
  const create = (name: string, value: string) =>
    api.call('POST', root, { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec: { value } });
  return {
    dialect,
    join: () => create(claim.membershipName, 'fleet'),
    leave: () => api.call('DELETE', `${root}/${claim.membershipName}`),
    createId: (value) => create(idName, value),
    changeId: (value) => api.call('PATCH', `${root}/${idName}`, { spec: { value } }),
    deleteId: () => api.call('DELETE', `${root}/${idName}`),
    id: () => api.call('GET', `${root}/${idName}`),
    membership: () => api.call('GET', `${root}/${claim.membershipName}`),
  };
}

/** Patches the Lease that holds the lock of a dialect. @throws Error on any refusal */
export async function patchLease({ api }: ControlPlane, { name }: ClaimDialect, patch: Json): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-${name}`;
  done(await api('admin').call('PATCH', path, patch));
}

/** Frees the lock of a dialect, as docs/live.md describes. */
export function freeLock(controlPlane: ControlPlane, dialect: ClaimDialect): Promise<void> {
  return patchLease(controlPlane, dialect, { spec: { holderIdentity: null } });
}

/** Gives every dialect an id of this value, no membership and a free lock. */
export async function resetIdentities(controlPlane: ControlPlane, value: string): Promise<void> {
  for (const one of DIALECTS.map((dialect) => identityOf(dialect, controlPlane.api('jane')))) {
    await freeLock(controlPlane, one.dialect);
    if ((await one.membership()).status === 200) done(await one.leave());
    done((await one.id()).status === 404 ? await one.createId(value) : await one.changeId(value));
  }
}

/** @throws Error if a write was refused */
export function done({ status, body }: ApiAnswer): void {
  if (status >= 300) throw new Error(`${status} ${body.message}`);
}

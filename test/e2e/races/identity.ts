/** The identity of one cluster in one dialect: its id and its membership, written by plain calls that never try again. */
import {
  type ClaimFacts,
  clusterClaim,
  clusterProperty,
  type Dialect,
  ocmClusterClaim,
} from '../../../src/api/dialects.ts';
import type { Api, ApiAnswer } from '../harness/index.ts';

export type ClaimDialect = Dialect & { readonly claim: ClaimFacts };

/** All in which a cluster can have an identity. */
export const DIALECTS: readonly ClaimDialect[] = [clusterClaim, ocmClusterClaim, clusterProperty];

export interface Identity {
  readonly dialect: ClaimDialect;
  readonly idName: string;
  join(set?: string): Promise<ApiAnswer>;
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
  const object = (name: string, value: string) => ({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name },
    spec: { value },
  });
  return {
    dialect,
    idName,
    join: (set = 'fleet') => api.call('POST', root, object(claim.membershipName, set)),
    leave: () => api.call('DELETE', `${root}/${claim.membershipName}`),
    createId: (value) => api.call('POST', root, object(idName, value)),
    changeId: (value) => api.call('PATCH', `${root}/${idName}`, { spec: { value } }),
    deleteId: () => api.call('DELETE', `${root}/${idName}`),
    id: () => api.call('GET', `${root}/${idName}`),
    membership: () => api.call('GET', `${root}/${claim.membershipName}`),
  };
}

/** The writes whose order matters: those that change what a cluster is, or that it is in a ClusterSet. */
import { createHash } from 'node:crypto';
import type { Dialect } from '../../api/dialects.ts';
import type { Subject } from '../../engine/index.ts';
import { at, same, textAt } from '../../rules/json.ts';
import { isTerminating } from '../../rules/object.ts';
import type { Operation } from '../../rules/rule.ts';

export interface IdentityWrite {
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly name: string;
  /** A digest of who writes what: the same user request calls several times, and is one owner each time. */
  readonly owner: string;
  /** Of the object: on CREATE the one that it will have. */
  readonly uid: string | undefined;
  /** Of the stored object, on UPDATE and DELETE: admission holds for this one alone. */
  readonly resourceVersion: string | undefined;
}

/**
 * Joining; changing or deleting an id; and creating an id where it goes by two names, for the new one may contradict the
 * other. Undefined for any other write: it changes nothing that another object's rules look at.
 */
export function identityWriteOf(subject: Subject): IdentityWrite | undefined {
  const { dialect, operation, name, object, oldObject } = subject;
  if (!isIdentityWrite(subject)) return undefined;
  const stored = operation === 'CREATE' ? object : oldObject;
  return {
    dialect,
    operation,
    name,
    owner: ownerOf(subject),
    uid: textAt(stored, ['metadata', 'uid']) || undefined,
    resourceVersion: operation === 'CREATE' ? undefined : textAt(stored, ['metadata', 'resourceVersion']) || undefined,
  };
}

/** Whether the write ends the cluster's membership: it settles the join. */
export function isLeave({ dialect, operation, name, subresource }: Subject): boolean {
  return operation === 'DELETE' && subresource === '' && name === dialect.claim?.membershipName;
}

function isIdentityWrite({ dialect, operation, subresource, name, object, oldObject }: Subject): boolean {
  const { claim } = dialect;
  if (claim === undefined || subresource !== '') return false;
  const isId = claim.idNames.includes(name);
  if (operation === 'CREATE') return name === claim.membershipName || (isId && claim.idNames.length > 1);
  if (operation === 'DELETE') return isId && !isTerminating(oldObject);
  return isId && !same(at(object, ['spec', 'value']), at(oldObject, ['spec', 'value']));
}

/** Hashed, since values and user names are nobody's business who may read Leases. */
function ownerOf({ dialect, operation, name, object, identity }: Subject): string {
  const value = operation === 'DELETE' ? null : (at(object, ['spec', 'value']) ?? null);
  const facts = [identity?.username ?? null, operation, dialect.group, dialect.plural, name, value];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** Which writes need the lock: those that change what identifies a cluster, or that it is a member of a ClusterSet. */
import { createHash } from 'node:crypto';
import type { Dialect } from '../../api/dialects.ts';
import { at, same, textAt } from '../../base/json.ts';
import { isTerminating } from '../../base/object.ts';
import { mayJoin } from '../../rules/claim/identities.ts';
import type { Operation, Subject } from '../../rules/rule.ts';

export interface IdentityWrite {
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly name: string;
  /** A digest of the user and of what is written: one request calls the webhook several times, and is one writer. */
  readonly writer: string;
  /** Of the object: on CREATE the one that it will have. */
  readonly uid: string | undefined;
  /** Of the stored object, on UPDATE and DELETE: the admission is valid for this version alone. */
  readonly resourceVersion: string | undefined;
}

/**
 * Returns the identity write of a subject: joining; changing or deleting an id; creating an id that has two names, as
 * it may contradict the other one; with a registrar, all that `mayJoin`. Undefined for any other write, which changes
 * nothing that rules on other objects read.
 * @param isReserving whether ids are reserved: then a join must not miss an id that is being created
 */
export function findIdentityWrite(subject: Subject, isReserving = false): IdentityWrite | undefined {
  const { dialect, operation, name, object, oldObject } = subject;
  if (!isIdentityWrite(subject) && !(isReserving && mayJoin(subject))) return undefined;
  const stored = operation === 'CREATE' ? object : oldObject;
  const resourceVersion = textAt(oldObject, ['metadata', 'resourceVersion']) || undefined;
  return {
    dialect,
    operation,
    name,
    writer: writerOf(subject),
    uid: textAt(stored, ['metadata', 'uid']) || undefined,
    resourceVersion: operation === 'CREATE' ? undefined : resourceVersion,
  };
}

/** Whether the write ends the cluster's membership. */
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

/** Hashed, since whoever may read Leases need not know values and user names. */
function writerOf({ dialect, operation, name, object, identity }: Subject): string {
  const value = operation === 'DELETE' ? null : (at(object, ['spec', 'value']) ?? null);
  const facts = [identity?.username ?? null, operation, dialect.group, dialect.plural, name, value];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

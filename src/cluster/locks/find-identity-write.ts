/** Finds the writes that need a lock: joins, changes and deletions of an id, and some creations of one. */
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
  /** A digest of the user and the write. An API server may send one write several times: these are the same writer. */
  readonly writer: string;
  /** The uid of the object; on CREATE, the one that it will have. */
  readonly uid: string | undefined;
  /** That of the stored object, on UPDATE and DELETE: the write is stored only if it is unchanged. */
  readonly resourceVersion: string | undefined;
}

/**
 * Returns the identity write of a subject: a join; a change or deletion of an id; the creation of an id that has two
 * names, as it may contradict the other one; with a registrar, every write for which `mayJoin` holds. Undefined for any
 * other write: it changes nothing that rules on other objects read.
 * @param isReserving whether there is a registrar. Then creating an id needs the lock too, so that a join does not miss
 *   it
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

/** Returns the digest of a writer. It hides the value and the user name from readers of Leases. */
function writerOf({ dialect, operation, name, object, identity }: Subject): string {
  const value = operation === 'DELETE' ? null : (at(object, ['spec', 'value']) ?? null);
  const facts = [identity?.username ?? null, operation, dialect.group, dialect.plural, name, value];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

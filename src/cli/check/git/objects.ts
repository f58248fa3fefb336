/** What identifies objects when a revision is compared with the working tree. */

import { textAt } from '../../../base/json.ts';
import { dialectOfObject, type InputObject, keyOf, referenceTo } from '../../../cluster/files/index.ts';

/**
 * Returns the identity of an object: cluster, kind in any version, namespace, name. Undefined for other kinds, or
 * without a name.
 */
export function identityOf(input: InputObject): string | undefined {
  const key = objectKey(input);
  return key && `${input.cluster ?? ''}\n${key}`;
}

/** Returns what identifies an object within a cluster. */
export function objectKey({ object }: InputObject): string | undefined {
  const dialect = dialectOfObject(object);
  if (dialect === undefined || !textAt(object, ['metadata', 'name'])) return undefined;
  return keyOf(referenceTo(dialect, object));
}

/** Returns the object as one of a cluster. */
export function inCluster(input: InputObject, cluster: string | undefined): InputObject {
  return cluster === undefined ? input : { ...input, cluster };
}

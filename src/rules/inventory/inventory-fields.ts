/** Fields of inventory objects that several rules read: the manager, its label, the well-known properties. */

import { clusterProperty } from '../../api/dialects.ts';
import { MANAGER_LABEL, MEMBER_ID_LABEL } from '../../api/labels.ts';
import { at, type Json, type JsonObject, type Path, textOf } from '../../base/json.ts';
import { metadataOf } from '../../base/object.ts';
import { isLabelValue } from '../../base/syntax.ts';
import type { Action, Context } from '../rule.ts';

export const MANAGER: Path = ['spec', 'clusterManager'];
export const MANAGER_NAME: Path = ['spec', 'clusterManager', 'name'];
export const MANAGER_LABEL_PATH: Path = ['metadata', 'labels', MANAGER_LABEL];
export const MEMBER_ID_PATH: Path = ['metadata', 'labels', MEMBER_ID_LABEL];
export const PROPERTIES: Path = ['status', 'properties'];

/** The names of the property with the cluster's id: two names of the same id. */
export const ID_PROPERTIES: readonly string[] = clusterProperty.claim.idNames;
export const MEMBERSHIP_PROPERTY: string = clusterProperty.claim.membershipName;

/**
 * A `capAction`: on /status the rule only warns, so that one wrong value does not stop all health reports of a cluster.
 */
export function neverFreezesStatus(context: Context): Action {
  return context.subresource === 'status' ? 'warn' : 'deny';
}

/** Returns `spec.clusterManager.name`, of any type; null is absent. */
export function managerNameOf(object: JsonObject | undefined): Json | undefined {
  return at(object, MANAGER_NAME);
}

/**
 * Returns the manager's name if it is a valid label value; else undefined, and `inventory/cluster-manager` reports it.
 */
export function managerOf(object: JsonObject | undefined): string | undefined {
  const name = managerNameOf(object);
  return typeof name === 'string' && isLabelValue(name) ? name : undefined;
}

/** Returns the label with the manager's name, of any type; null is absent. */
export function managerLabelOf(object: JsonObject | undefined): Json | undefined {
  return at(object, MANAGER_LABEL_PATH);
}

/** Whether an object of a list is the one that is evaluated. */
export function isItself(context: Context, other: JsonObject): boolean {
  const metadata = metadataOf(other);
  if (textOf(metadata?.['name']) !== context.name) return false;
  // A file may have a namespace in an object of a cluster-scoped kind: it is ignored.
  return context.dialect.scope === 'Cluster' || textOf(metadata?.['namespace']) === context.namespace;
}

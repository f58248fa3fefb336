/** What the rules on inventory objects read alike: the manager, its label, the well-known properties. */

import { clusterProperty } from '../../api/dialects.ts';
import { MANAGER_LABEL, MEMBER_ID_LABEL } from '../../api/labels.ts';
import { at, type Json, type JsonObject, listAt, type Path, textAt, textOf } from '../../base/json.ts';
import { metadataOf } from '../../base/object.ts';
import { isLabelValue } from '../../base/syntax.ts';
import type { Action, Context } from '../rule.ts';

export const MANAGER: Path = ['spec', 'clusterManager'];
export const MANAGER_NAME: Path = ['spec', 'clusterManager', 'name'];
export const MANAGER_LABEL_PATH: Path = ['metadata', 'labels', MANAGER_LABEL];
export const MEMBER_ID_PATH: Path = ['metadata', 'labels', MEMBER_ID_LABEL];
export const NAME: Path = ['metadata', 'name'];
export const PROPERTIES: Path = ['status', 'properties'];

/** The names under which a property holds the cluster's id; they are one id. */
export const ID_PROPERTIES: readonly string[] = clusterProperty.claim.idNames;
export const MEMBERSHIP_PROPERTY: string = clusterProperty.claim.membershipName;

/**
 * For `capAction`: on /status the rule warns at most, so that one wrong value does not stop all health reports of a
 * cluster.
 */
export function neverFreezesStatus(context: Context): Action {
  return context.subresource === 'status' ? 'warn' : 'deny';
}

/** `spec.clusterManager.name`, of whatever kind; null is absent. */
export function managerNameOf(object: JsonObject | undefined): Json | undefined {
  return at(object, MANAGER_NAME);
}

/**
 * The manager's name where it is one that a label can hold, else undefined: `inventory/cluster-manager` reports it
 * then.
 */
export function managerOf(object: JsonObject | undefined): string | undefined {
  const name = managerNameOf(object);
  return typeof name === 'string' && isLabelValue(name) ? name : undefined;
}

/** The label that repeats the manager's name, of whatever kind; null is absent. */
export function managerLabelOf(object: JsonObject | undefined): Json | undefined {
  return at(object, MANAGER_LABEL_PATH);
}

/** The text values of all properties of these names, with the path of each. */
export function propertiesNamed(object: JsonObject, names: readonly string[]): { path: Path; value: string }[] {
  return listAt(object, PROPERTIES).flatMap((property, index) => {
    const name = textAt(property, ['name']);
    const value = textAt(property, ['value']);
    if (name === undefined || value === undefined || !names.includes(name)) return [];
    return [{ path: [...PROPERTIES, index, 'value'], value }];
  });
}

/** Whether an object of a list is the evaluated one itself. */
export function isItself(context: Context, other: JsonObject): boolean {
  const metadata = metadataOf(other);
  if (textOf(metadata?.['name']) !== context.name) return false;
  // A file may give an object of a cluster-scoped kind a namespace; it means nothing.
  return context.dialect.scope === 'Cluster' || textOf(metadata?.['namespace']) === context.namespace;
}

/** What the rules on inventory objects read alike: the manager, its label, the well-known properties. */
import { clusterProperty } from '../../schemas/dialects.ts';
import { listAt, textAt } from '../json.ts';
import type { Action, Context, JsonObject, Path } from '../rule.ts';
import { isLabelValue } from '../syntax.ts';

export const MANAGER: Path = ['spec', 'clusterManager'];
export const MANAGER_NAME: Path = ['spec', 'clusterManager', 'name'];
export const MANAGER_LABEL = 'x-k8s.io/cluster-manager';
export const MANAGER_LABEL_PATH: Path = ['metadata', 'labels', MANAGER_LABEL];
export const MEMBER_ID: Path = ['metadata', 'labels', 'multicluster.x-k8s.io/inventory-member-id'];
export const NAME: Path = ['metadata', 'name'];
export const PROPERTIES: Path = ['status', 'properties'];

/** The names under which a property holds the cluster's id; they are one id. */
export const ID_PROPERTIES: readonly string[] = clusterProperty.claim.idNames;
export const MEMBERSHIP_PROPERTY: string = clusterProperty.claim.membershipName;

/** Health reports must not freeze: where a rule judges a status, it warns at most. */
export function neverFreezesStatus(context: Context): Action {
  return context.subresource === 'status' ? 'warn' : 'deny';
}

/** The manager's name where it is one that a label can hold, else undefined: `inventory/cluster-manager` speaks then. */
export function managerOf(object: JsonObject | undefined): string | undefined {
  const name = textAt(object, MANAGER_NAME);
  return name !== undefined && isLabelValue(name) ? name : undefined;
}

/** The text values of all properties of these names, with where each stands. */
export function propertiesNamed(object: JsonObject, names: readonly string[]): { path: Path; value: string }[] {
  const found: { path: Path; value: string }[] = [];
  listAt(object, PROPERTIES).forEach((property, index) => {
    const name = textAt(property, ['name']);
    const value = textAt(property, ['value']);
    if (value !== undefined && names.some((known) => known === name))
      found.push({ path: [...PROPERTIES, index, 'value'], value });
  });
  return found;
}

/** Whether an object of a list is the judged one itself. */
export function isItself(context: Context, other: JsonObject): boolean {
  if (textAt(other, NAME) !== context.name) return false;
  // A file may give an object of a cluster-scoped kind a namespace; it means nothing.
  return context.dialect.scope === 'Cluster' || textAt(other, ['metadata', 'namespace']) === context.namespace;
}

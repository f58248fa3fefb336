/** Fields of PlacementDecisions that several rules read: references to ClusterProfiles, and labels of slices. */
import {
  DECISION_INDEX_LABEL,
  DECISION_KEY_LABEL,
  DECISION_REVISION_LABEL,
  PLACEMENT_KEY_LABEL,
} from '../../api/labels.ts';
import { at, isObject, type JsonObject, listAt, type Path, textAt } from '../../base/json.ts';
import type { ObjectFact } from '../rule.ts';

export const SCHEDULER_NAME: Path = ['schedulerName'];
export const DECISIONS: Path = ['decisions'];
export const LABELS: Path = ['metadata', 'labels'];

export const PLACEMENT_KEY: Path = [...LABELS, PLACEMENT_KEY_LABEL];
export const DECISION_KEY: Path = [...LABELS, DECISION_KEY_LABEL];
export const DECISION_INDEX: Path = [...LABELS, DECISION_INDEX_LABEL];
export const DECISION_REVISION: Path = [...LABELS, DECISION_REVISION_LABEL];

/** A reference to a ClusterProfile, with its place in the list. */
export interface ProfileReference {
  readonly namespace: string;
  /** Empty: it names none. */
  readonly name: string;
  readonly path: Path;
}

/** Returns the valid references of an object. An empty namespace means the object's own. */
export function referencesIn(object: JsonObject | undefined, ownNamespace = ''): readonly ProfileReference[] {
  return entriesIn(object, ownNamespace).filter(({ name }) => name !== '');
}

/** The same, and the entries that name no profile: upstream's CRD takes an empty name. */
export function entriesIn(object: JsonObject | undefined, ownNamespace = ''): readonly ProfileReference[] {
  return listAt(object, DECISIONS).flatMap((decision, index) => {
    const reference = at(decision, ['clusterProfileRef']) ?? {};
    const name = at(reference, ['name']) ?? '';
    const namespace = at(reference, ['namespace']) ?? '';
    if (!isObject(decision) || !isObject(reference)) return [];
    if (typeof name !== 'string' || typeof namespace !== 'string') return [];
    const path = [...DECISIONS, index, 'clusterProfileRef', 'name'];
    return [{ namespace: namespace || ownNamespace, name, path }];
  });
}

/** Returns a text that is equal for two references exactly if they name the same profile. */
export function keyOf({ namespace, name }: Pick<ProfileReference, 'namespace' | 'name'>): string {
  return JSON.stringify([namespace, name]);
}

/** Returns the first reference to each profile, in the order of the list. */
export function distinct(references: readonly ProfileReference[]): readonly ProfileReference[] {
  return [...Map.groupBy(references, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** Returns a reference as messages show it. */
export function shown({ namespace, name }: ProfileReference): string {
  return `${namespace}/${name}`;
}

/** Returns the scheduler that an object names; undefined where it names none. */
export function schedulerOf(object: JsonObject | undefined): string | undefined {
  return textAt(object, SCHEDULER_NAME) || undefined;
}

const INDEX = /^(0|[1-9][0-9]*)$/;
export const indexPattern: string = INDEX.source;

/** Whether a label's value is a whole number from 0, without sign or leading zeros. */
export function isIndex(value: string): boolean {
  return INDEX.test(value);
}

/** What the comparisons keep of a slice. Each adds what it compares. */
export interface Slice {
  readonly decisionKey: string;
}

/** Returns the slices of each decision: those of one decision key in one namespace of one cluster. */
export function decisionsAmong<S extends Slice>(kept: readonly ObjectFact<S>[]): readonly (readonly ObjectFact<S>[])[] {
  return groupsOf(kept, ({ fact }) => [fact.decisionKey]);
}

/** Groups objects by cluster, namespace, and the texts that `textsOf` returns. */
export function groupsOf<Fact>(
  kept: readonly ObjectFact<Fact>[],
  textsOf: (one: ObjectFact<Fact>) => readonly string[],
): readonly (readonly ObjectFact<Fact>[])[] {
  const keyOfGroup = (one: ObjectFact<Fact>) =>
    JSON.stringify([one.object.cluster, one.object.namespace, ...textsOf(one)]);
  return [...Map.groupBy(kept, keyOfGroup).values()];
}

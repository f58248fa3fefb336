/** Compares the slices of a decision: their indices, and the keys that join them. */
import { placementDecision } from '../../api/dialects.ts';
import { firstOther } from '../../base/collections.ts';
import { type Path, textAt } from '../../base/json.ts';
import type { ComparedClusters, Conflict, ObjectComparison, ObjectFact, Problem } from '../rule.ts';
import {
  DECISION_INDEX,
  DECISION_KEY,
  decisionsAmong,
  groupsOf,
  isIndex,
  PLACEMENT_KEY,
  type Slice,
  schedulerOf,
} from './placement-fields.ts';

export interface NumberedSlice extends Slice {
  readonly index: string | undefined;
  /** The scheduler and the placement key, where the object names both. */
  readonly request: readonly string[];
}

/**
 * Reports indices (`unnumbered`, `repeated`, `gap`) and decision keys (`keyless`, `different`). The message `other` is
 * for the other slice.
 */
export const numbering: ObjectComparison<NumberedSlice> = {
  kinds: [placementDecision],
  acrossOnly: false,
  factOf(object) {
    const decisionKey = textAt(object, DECISION_KEY) ?? '';
    const request = [schedulerOf(object) ?? '', textAt(object, PLACEMENT_KEY) ?? ''];
    const isOfRequest = request.every((text) => text !== '');
    if (decisionKey === '' && !isOfRequest) return undefined;
    return { decisionKey, index: textAt(object, DECISION_INDEX), request: isOfRequest ? request : [] };
  },
  conflicts(kept, { unread }) {
    const keyed = kept.filter(({ fact }) => fact.decisionKey !== '');
    const requested = kept.filter(({ fact }) => fact.request.length > 0);
    return [
      ...decisionsAmong(keyed).flatMap((slices) => misnumbered(slices, unread)),
      ...groupsOf(requested, ({ fact }) => fact.request).flatMap(differentlyKeyed),
    ];
  },
};

type KeptSlice = ObjectFact<NumberedSlice>;

/**
 * Reports wrong indices: if one slice has an index, all must, from 0 without a gap, each once. placement/index reports
 * an index that is not a number.
 */
function misnumbered(slices: readonly KeptSlice[], unread: ComparedClusters['unread']): readonly Conflict[] {
  const numbered = slices.filter(({ fact }) => fact.index !== undefined);
  const [first] = numbered;
  if (first === undefined) return [];
  const bare = slices.filter(({ fact }) => fact.index === undefined);
  const byIndex = Map.groupBy(
    numbered.filter(({ fact }) => isIndex(fact.index ?? '')),
    ({ fact }) => fact.index ?? '',
  );
  const repeated = [...byIndex.values()].filter(({ length }) => length > 1);
  const wrong = [
    ...bare.map((slice) => conflict(slice, DECISION_INDEX, 'unnumbered', first)),
    ...repeated.flatMap((same) =>
      same.map((slice) => conflict(slice, DECISION_INDEX, 'repeated', anotherOf(slice, same))),
    ),
  ];
  if (wrong.length > 0 || byIndex.size < numbered.length) return wrong;
  return numbered.flatMap((slice) => {
    const before = BigInt(slice.fact.index ?? 0) - 1n;
    if (before < 0n || byIndex.has(String(before))) return [];
    // A slice that was not read may have the missing index.
    const unknown = unread(slice.object.cluster, placementDecision, slice.object.namespace);
    const data = { value: slice.fact.index, missing: String(before) };
    const problem = unknown === undefined ? { messageId: 'gap', data } : { unknown };
    return [{ object: slice.object, problem: { path: DECISION_INDEX, ...problem }, related: [] }];
  });
}

/** Reports slices of one scheduler and placement key whose decision keys differ. */
function differentlyKeyed(slices: readonly KeptSlice[]): readonly Conflict[] {
  const keyed = slices.filter(({ fact }) => fact.decisionKey !== '');
  const otherKeyed = firstOther(keyed, ({ fact }) => fact.decisionKey);
  return slices.flatMap((slice) => {
    const isKeyless = slice.fact.decisionKey === '';
    const other = isKeyless ? slices.find((one) => one !== slice) : otherKeyed(slice);
    return other ? [conflict(slice, DECISION_KEY, isKeyless ? 'keyless' : 'different', other)] : [];
  });
}

function anotherOf(slice: KeptSlice, same: readonly KeptSlice[]): KeptSlice {
  return same.find((one) => one !== slice) ?? slice;
}

function conflict({ object, fact }: KeptSlice, path: Path, messageId: string, other: KeptSlice): Conflict {
  const value = path === DECISION_KEY ? fact.decisionKey : fact.index;
  const problem: Problem = { path, messageId, data: { value, other: other.object.name } };
  return { object, problem, related: [{ object: other.object, path, messageId: 'other' }] };
}

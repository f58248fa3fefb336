/**
 * Which rules a scan asks, and how. A stored object is judged as if it were created as it is, its status as if it were written
 * upon none. A rule on a change, a deletion or a caller has nothing to look at; here stands why, for each.
 */
import { rule as tasksOnEntry } from '../../rules/feature/tasks-on-entry.ts';
import { type RuleId, rules } from '../../rules/index.ts';
import type { Rule } from '../../rules/rule.ts';
import { contradictingIds, memberWithoutId, unfinishedTasks } from './variants.ts';

export type Scanned =
  /** Of the object alone, by the rule as it is. */
  | { readonly by: 'object' }
  /** Of the object and those it is compared with, once all are known. */
  | { readonly by: 'comparison' }
  /** By the rule as it reads for what is stored. `how` says what differs. */
  | { readonly by: 'variant'; readonly rule: Rule; readonly how: string }
  | { readonly by: 'nothing'; readonly why: string };

const object: Scanned = { by: 'object' };
const comparison: Scanned = { by: 'comparison' };
const nothing = (why: string): Scanned => ({ by: 'nothing', why });
const TRANSITION = nothing('a change: what was stored before is gone');
const CALLER = nothing('a caller: who wrote an object is not stored with it');

/** In the order of the catalogue. */
export const SCANNED: Readonly<Record<RuleId, Scanned>> = {
  'claim/value': object,
  'claim/reserved-name': object,
  'claim/id-syntax': object,
  'claim/id-length': object,
  'claim/id-mcs-form': object,
  'claim/id-immutable-in-clusterset': {
    by: 'variant',
    rule: contradictingIds,
    how: "ClusterProperty: the id's two names hold different values in a ClusterSet; told once, of the older name",
  },
  'claim/id-present-in-clusterset': nothing(
    'a deletion; what it leaves behind is told by `claim/clusterset-requires-id`',
  ),
  'claim/id-stable': TRANSITION,
  'claim/id-present': nothing('a deletion; a cluster outside of a ClusterSet may not have its id yet'),
  'claim/clusterset-requires-id': {
    by: 'variant',
    rule: memberWithoutId,
    how: 'a member without an id is a MUST here: nothing that is applied just now can still bring it',
  },
  'claim/clusterset-value': object,
  'claim/clusterset-immutable': TRANSITION,
  'claim/clusterset-manager': CALLER,
  'claim/qualified-name': object,
  'inventory/cluster-manager': object,
  'inventory/cluster-manager-immutable': TRANSITION,
  'inventory/cluster-manager-label': object,
  'inventory/sole-manager': CALLER,
  'inventory/known-manager': object,
  'inventory/unique-cluster-id': comparison,
  'inventory/unique-name': comparison,
  'inventory/generated-name': object,
  'inventory/name-prefix': object,
  'inventory/conditions': object,
  'inventory/properties': object,
  'inventory/known-properties': object,
  'inventory/condition-times': TRANSITION,
  'inventory/access-providers': object,
  'inventory/version': object,
  'inventory/member-id': object,
  'inventory/member-id-stable': TRANSITION,
  'inventory/member-id-unique': comparison,
  'feature/shape': object,
  'feature/transition': TRANSITION,
  'feature/tasks-on-entry': {
    by: 'variant',
    rule: unfinishedTasks(tasksOnEntry),
    how: 'the tasks that are left end in WaitForUses; none left is well, the transition may complete',
  },
  'feature/tasks-in-order': TRANSITION,
  'feature/completion': object,
  'feature/uses-agree': nothing('a change: a client may report its use at any time, after the transition too'),
  'feature/evaluation-time': nothing('a change: a time that lay in the future has passed by now'),
  'feature/evaluation-wait': TRANSITION,
  'feature/direction': nothing('a change: the configured value may have turned since, and the transition goes on'),
  'feature/server-flow': CALLER,
  'feature/client-uses': CALLER,
  'feature/dynamic-opt-in': object,
  'feature/available': TRANSITION,
  'feature/preserved': nothing('a deletion'),
  'feature/class-and-name': object,
};

/** The rules that judge an object by itself, or by the few claims that are read with it. */
export const aloneRules: readonly Rule[] = rules.flatMap((rule: Rule) => {
  const scanned = SCANNED[rule.id as RuleId];
  if (scanned.by === 'variant') return [uncapped(scanned.rule)];
  return scanned.by === 'object' ? [uncapped(rule)] : [];
});

/** The rules that compare an object with all others of its kind. */
export const comparingRules: readonly Rule[] = rules
  .filter(({ id }) => SCANNED[id].by === 'comparison')
  .map((rule: Rule) => uncapped(rule));

/** Caps keep a write from being refused (a health report, a dry run); a scan refuses nothing. */
function uncapped(rule: Rule): Rule {
  const { atMost: _, ...rest } = rule;
  return rest;
}

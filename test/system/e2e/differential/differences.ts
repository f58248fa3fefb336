/**
 * Where the webhook, the fallback policies and `muster check` are known to differ, each with its reason. The
 * differential test lets nothing else pass, and fails where an entry is no longer met.
 */

import { isDeepStrictEqual } from 'node:util';
import { MANAGER_LABEL } from '../../../../src/api/labels.ts';
import { at, type JsonObject, listAt, same } from '../../../../src/base/json.ts';
import { rules } from '../../../../src/rules/index.ts';
import type { Update } from './update.ts';

export interface Difference {
  /** Whose verdict is not the webhook's. */
  readonly side: 'policies' | 'check';
  readonly ruleId: string;
  /** Who found something that the other did not, or did the stronger thing. */
  readonly by: 'webhook' | 'other';
  /** Only such updates. */
  applies(update: Update): boolean;
  /** In plain English, as docs/fallback-policies.md has it. */
  readonly reason: string;
}

const always = () => true;

/** Rules on updates that no policy expresses: their catalogue entry has the reason. */
const withoutPolicy: readonly Difference[] = rules.flatMap(({ id, on, cel }): Difference[] =>
  // It asks a hub, which this test has none of.
  id !== 'claim/id-reserved' && cel !== undefined && 'reason' in cel && on.includes('UPDATE')
    ? [{ side: 'policies', ruleId: id, by: 'webhook', applies: always, reason: cel.reason }]
    : [],
);

const BETWEEN_OBJECTS = 'check compares the objects of one run with each other, and the webhook reviews one object';

/** Whether a time to evaluate the uses at stands in the stored status or in the new one. */
function hasTime({ old, object }: Update): boolean {
  return [old, object].some((one) => at(one, ['status', 'useEvaluationTime']) !== undefined);
}

/** Whether the update takes off the label that names the manager, where it was right. */
function losesLabel({ old, object }: Update): boolean {
  const [before, after] = [old, object].map((one) => at(one, ['metadata', 'labels', MANAGER_LABEL]));
  return after === undefined && before !== undefined && before === at(object, ['spec', 'clusterManager', 'name']);
}

/** Whether two uses of the list have the same version and value. */
function hasDuplicates(object: JsonObject): boolean {
  const keys = listAt(object, ['status', 'uses']).map((use) =>
    JSON.stringify([at(use, ['version']), at(use, ['enabled'])]),
  );
  return new Set(keys).size < keys.length;
}

/** Whether the manager stays the same but for a member that is null, two levels down. */
function nullsDeepInManager({ old, object }: Update): boolean {
  const [before, after] = [old, object].map((one) => at(one, ['spec', 'clusterManager']));
  return same(before, after) && !isDeepStrictEqual(before, after);
}

const ofPolicies: readonly Difference[] = [
  {
    side: 'policies',
    ruleId: 'inventory/cluster-manager-immutable',
    by: 'other',
    applies: nullsDeepInManager,
    reason: 'depth: `null` counts as absent, but in a policy only one level deep where whole values are compared',
  },
  {
    side: 'policies',
    ruleId: 'inventory/cluster-manager-label',
    by: 'other',
    applies: losesLabel,
    reason: 'repair: the mutating webhook restores the label, a policy can only refuse',
  },
  {
    side: 'policies',
    ruleId: 'feature/evaluation-wait',
    by: 'webhook',
    applies: ({ object }) => at(object, ['status', 'useEvaluationTime']) !== undefined,
    reason: 'time: CEL has no clock, so whether a time is left over from an earlier transition is not evaluated',
  },
  {
    side: 'policies',
    ruleId: 'feature/shape',
    by: 'other',
    applies: ({ old, object }) => hasDuplicates(old) && hasDuplicates(object),
    reason:
      'places: where the stored list has a use twice, the webhook allows another duplicate of the same version in its place',
  },
  {
    side: 'policies',
    ruleId: 'feature/evaluation-time',
    by: 'webhook',
    applies: hasTime,
    reason: 'time: CEL has no clock, so whether a time is past or still to come is not evaluated',
  },
];

const ofCheck: readonly Difference[] = [
  ...['inventory/unique-cluster-id', 'inventory/member-id-unique', 'inventory/member-id-agrees'].map(
    (ruleId): Difference => ({ side: 'check', ruleId, by: 'other', applies: always, reason: BETWEEN_OBJECTS }),
  ),
  {
    side: 'check',
    ruleId: 'placement/profile-exists',
    by: 'other',
    applies: always,
    reason:
      'for check, no other profiles than those of the run exist; the webhook reports nothing if it does not know them, and warns where check denies',
  },
];

/** Whether an address or a family of an import is no text. */
function hasWrongType({ old, object }: Update): boolean {
  const entries = [old, object].flatMap((one) => [
    ...listAt(one, ['spec', 'ips']),
    ...listAt(one, ['spec', 'ipFamilies']),
  ]);
  return entries.some((entry) => typeof entry !== 'string');
}

/** Whether a list of the stored import may be wrong already. */
function hasList({ old }: Update): boolean {
  return [listAt(old, ['spec', 'ips']), listAt(old, ['spec', 'ports'])].some((list) => list.length > 1);
}

const IMPORT_PLACES =
  'places: where a list of the stored import is wrong already, a policy and the webhook differ on another fault in it';

const ofImportPolicies: readonly Difference[] = [
  ...(['webhook', 'other'] as const).flatMap((by): readonly Difference[] => [
    {
      side: 'policies',
      ruleId: 'import/addresses',
      by,
      applies: (update) => hasWrongType(update) || hasList(update),
      reason: IMPORT_PLACES,
    },
    { side: 'policies', ruleId: 'import/ports', by, applies: hasList, reason: IMPORT_PLACES },
  ]),
  {
    side: 'policies',
    ruleId: 'import/addresses-stable',
    by: 'other',
    applies: hasWrongType,
    reason: 'types: where an address is no text, which the CRD refuses, a policy finds the others gone',
  },
];

/** A check of manifests may deny what a webhook must not keep a controller from writing. */
const ofImports = ['import/ports', 'import/addresses', 'import/session-affinity'].map(
  (ruleId): Difference => ({
    side: 'check',
    ruleId,
    by: 'other',
    applies: always,
    reason: 'the webhook warns, as controllers write imports; check denies, as people wrote the file',
  }),
);

export const differences: readonly Difference[] = [
  ...withoutPolicy,
  ...ofPolicies,
  ...ofImportPolicies,
  ...ofCheck,
  ...ofImports,
];

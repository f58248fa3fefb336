import { describe, expect, test } from '@jest/globals';
import { clusterProfile, placementDecision } from '../../../../src/api/dialects.ts';
import { createComparison, createEngine, freeze } from '../../../../src/engine/index.ts';
import { rule } from '../../../../src/rules/placement/profile-exists.ts';
import type { ClusterView, Reference } from '../../../../src/rules/rule.ts';
import { decisionsOf, inventory, placement, profile, profileAlpha } from '../../../support/bases.ts';
import { conflictsIn } from '../../../support/compared.ts';
import {
  evaluate as evaluateRow,
  finds,
  type RuleCase,
  subjectOf,
  testRule,
  tweaked,
} from '../../../support/rule-tester.ts';

const names = (...references: readonly string[]) => ({ '/decisions': decisionsOf(...references) });
const missing = (index: number, value: string, action: 'warn' | 'deny' = 'warn') =>
  finds(
    `decisions[${index}].clusterProfileRef.name`,
    `names the ClusterProfile "${value}", which does not exist; create the profile first, or correct the name and the namespace`,
    action,
  );
const entries = (...named: readonly string[]) => ({
  '/decisions': named.map((name) => ({ clusterProfileRef: { name } })),
});
const state = [profile];

testRule(rule, placement, {
  allow: [
    { name: 'a profile that is there', state },
    { name: 'one of another version', state: [profileAlpha] },
    { name: 'one that is being deleted', state: [tweaked(profile, { '/metadata/deletionTimestamp': 'x' })] },
    { name: 'in another namespace', state, set: { ...names('fleet-a/harbour-7k2'), '/metadata/namespace': 'apps' } },
    { name: 'no decision', state, set: names() },
    { name: 'no list', state, set: { '/decisions': 'x' } },
    { name: 'what is stored, elsewhere', old: names('b', 'a'), set: names('fleet-a/a', 'b') },
    { name: 'less than is stored', old: names('a', 'b'), set: names('a') },
    { name: 'an empty name that is stored, elsewhere', state, old: entries('', 'b'), set: entries('b', '') },
    { name: 'entries that the API refuses', state, set: { '/decisions': ['x', null, { clusterProfileRef: 'x' }] } },
    { name: 'a deletion', operation: 'DELETE' },
  ],
  deny: [
    { name: 'one that is not there', ...missing(0, 'fleet-a/harbour-7k2') },
    { name: 'of another kind', state: [inventory], ...missing(0, 'fleet-a/harbour-7k2') },
    {
      name: 'in a namespace without it',
      state,
      set: names('fleet-b/harbour-7k2'),
      ...missing(0, 'fleet-b/harbour-7k2'),
    },
    { name: 'a second one', state, set: names('harbour-7k2', 'b'), ...missing(1, 'fleet-a/b') },
    { name: 'the same twice', state, set: names('b', 'b'), ...missing(0, 'fleet-a/b') },
    { name: 'a new one', old: names('a'), set: names('b', 'a'), ...missing(0, 'fleet-a/b') },
    { name: 'denied by check', point: 'check', ...missing(0, 'fleet-a/harbour-7k2', 'deny') },
    { name: 'nothing is known', state: 'unknown', unknown: 'silent' },
    { name: 'nothing is known to check', point: 'check', state: 'unknown', unknown: 'indeterminate' },
  ],
});

/** By itself: no profile has to be known. */
test.each<[name: string, row: Partial<RuleCase>, found: readonly string[]]>([
  ['an empty name', { state, set: entries('harbour-7k2', '', '') }, ['warn decisions[1]']],
  ['where nothing is known', { state: 'unknown', set: entries('', 'b') }, ['warn decisions[0]']],
  ['null for a name', { state, set: { '/decisions': [{ clusterProfileRef: { name: null } }] } }, ['warn decisions[0]']],
  ['no reference', { point: 'check', state, set: { '/decisions': [{ reason: 'x' }] } }, ['deny decisions[0]']],
  ['beside what is stored', { state: [], old: entries('b'), set: entries('b', '') }, ['warn decisions[1]']],
])('an entry that names no profile: %s', async (name, row, found) => {
  const { findings } = await evaluateRow([rule], placement, { name, ...row });
  expect(findings.map(({ action, field }) => `${action} ${field}`)).toEqual(
    found.map((one) => `${one}.clusterProfileRef.name`),
  );
  expect(findings.map(({ message }) => message)).toEqual(
    found.map(() => 'names no ClusterProfile; set it to the name of one, or remove the entry'),
  );
});

describe('the reads of one write', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

  async function evaluate(
    old: readonly string[] | undefined,
    now: readonly string[],
    answer = { known: true, value: profile },
  ) {
    const reads: Reference[] = [];
    const view: ClusterView = {
      get: (reference) => {
        reads.push(reference);
        return Promise.resolve(answer as never);
      },
      list: () => ({ known: false, reason: 'not listed' }),
    };
    const row = { name: '', ...(old && { old: names(...old) }), set: names(...now) };
    const engine = createEngine({ point: 'webhook', catalogue: [rule] });
    const verdict = await engine.evaluate(subjectOf(placement, row), view);
    return { verdict, reads };
  }

  test('are one for each profile, and a hundred at most', async () => {
    const { reads } = await evaluate(undefined, ['a', 'fleet-b/a', 'b', 'fleet-a/a']);
    expect(reads).toEqual([
      { dialect: clusterProfile, namespace: 'fleet-a', name: 'a' },
      { dialect: clusterProfile, namespace: 'fleet-b', name: 'a' },
      { dialect: clusterProfile, namespace: 'fleet-a', name: 'b' },
    ]);
    const hundred = await evaluate(undefined, many(100));
    expect(hundred.reads).toHaveLength(100);
    expect(hundred.verdict.silentUnknowns).toEqual([]);
    const more = await evaluate(undefined, many(101));
    expect(more.reads).toHaveLength(100);
    expect(more.verdict.silentUnknowns).toEqual([rule.id]);
  });

  test('are of new references alone', async () => {
    const { reads } = await evaluate(many(99), [...many(99), 'new']);
    expect(reads.map(({ name }) => name)).toEqual(['new']);
    expect((await evaluate(many(99), many(99).toReversed())).reads).toEqual([]);
  });

  test('that fail are one unknown', async () => {
    const unread = { known: false, reason: 'no answer' };
    const { verdict } = await evaluate(undefined, many(3), unread as never);
    expect(verdict).toMatchObject({ outcome: 'allowed', findings: [], silentUnknowns: [rule.id] });
  });
});

describe('scan', () => {
  const decision = tweaked(placement, names('harbour-7k2', 'gone', 'gone'));
  const found =
    'hub PlacementDecision fleet-a/crane-0: deny placement/profile-exists decisions[1].clusterProfileRef.name';

  test('finds what no profile of the cluster is, in whatever order they come', async () => {
    expect(await conflictsIn({ hub: [decision, profile] })).toEqual([found]);
    expect(await conflictsIn({ hub: [profile, inventory, decision] })).toEqual([found]);
    expect(await conflictsIn({ hub: [decision], other: [tweaked(profile, { '/metadata/name': 'gone' })] })).toEqual([
      found.replace('[1]', '[0]'),
      found,
    ]);
  });

  test('finds an entry that names none', async () => {
    const nameless = tweaked(placement, entries('harbour-7k2', ''));
    expect(await conflictsIn({ hub: [nameless, profile] })).toEqual([found]);
  });

  test('check does not compare', async () => {
    expect(await conflictsIn({ hub: [decision] }, { point: 'check' })).toEqual([]);
  });

  test('of profiles that could not be read nothing follows', async () => {
    const comparison = createComparison<string>({ point: 'scan', isAcross: false });
    const part = comparison.begin('');
    part.add(placementDecision, freeze(decision), 'it');
    part.commit(new Map([[clusterProfile, 'no right to list']]));
    const [compared] = await comparison.finish();
    expect(compared?.verdict).toMatchObject({
      outcome: 'indeterminate',
      findings: [],
      indeterminate: [{ field: 'decisions[0].clusterProfileRef.name', message: expect.stringContaining('no right') }],
    });
  });
});

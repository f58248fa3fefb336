/** Which ids a write reserves at the hub, what the answers lead to, and what nobody asks the hub for. */
import { describe, expect, test } from '@jest/globals';
import { clusterProperty } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/claim/id-reserved.ts';
import { identitiesOf, mayJoin } from '../../../../src/rules/claim/identities.ts';
import type { ClusterIdentity, ReservationAnswer } from '../../../../src/rules/rule.ts';
import { alpha, custom, id, inventory, membership, ocm, property } from '../../../support/bases.ts';
import { evaluate, finds, type RuleCase, subjectOf, testRule, tweaked, viewOf } from '../../../support/rule-tester.ts';

const HELD = { kind: 'held', holder: 'a-uid', since: 'May', confirmed: true, lease: 'id-0a' } as const;
const held = (answer: Partial<ReservationAnswer> = {}) => ({
  reserve: () => ({ ...HELD, ...answer }) as ReservationAnswer,
});
const away = (kind: 'unreachable' | 'unreserved') => ({
  reserve: () => ({ kind, reason: 'it did not answer' }) as const,
});
const OURS: ClusterIdentity = { apiGroup: 'multicluster.x-k8s.io', clusterSet: 'blue-fleet', id: 'north-1' };
/** All other ids are held by others. */
const ours = {
  reserve: (asked: ClusterIdentity) =>
    JSON.stringify(asked) === JSON.stringify(OURS) ? ({ kind: 'ours' } as const) : HELD,
};
const member = { state: [id, membership], ...held() };
const valued = (value: string) => ({ old: {}, set: { '/spec/value': value } });

const reserved = (
  { id = 'north-1', set = 'blue-fleet', group = 'multicluster.x-k8s.io' } = {},
  confirmed = 'confirmed as a member',
  since = 'May',
  quote = '',
  holder = 'a-uid',
) =>
  finds(
    'spec.value',
    `the id "${id}" of the ClusterSet "${set}" is reserved since ${since} by another cluster, whose kube-system ` +
      `namespace has the uid ${holder}, and is ${confirmed}; choose another id, wait until the muster of that cluster ` +
      `gives it back, or, once that cluster is gone, run muster registrar release ${id} --cluster-set ${quote}${set}${quote} ` +
      `--api-group ${group} --holder ${holder === 'a-uid' ? holder : `'${holder}'`} --config FILE`,
  );
const south = tweaked(property.olderId, { '/spec/value': 'south' });

testRule(rule, membership, {
  allow: [
    { name: 'joining with an id that is ours', state: [id], ...ours },
    { name: 'an id that is ours, while a member', base: id, state: [membership], ...ours },
    { name: 'joining without an id', ...held() },
    { name: 'joining with an id of another dialect', state: [ocm.id, property.id], ...held() },
    { name: 'joining with an id without a value', state: [tweaked(id, { '/spec/value': undefined })], ...held() },
    { name: 'joining with an id whose value is empty', state: [tweaked(id, { '/spec/value': '' })], ...held() },
    { name: 'joining with an id whose value is no text', state: [tweaked(id, { '/spec/value': 7 })], ...held() },
    { name: 'a ClusterSet whose name is blank', state: [id], set: { '/spec/value': ' ' }, ...held() },
    { name: 'a ClusterSet without a name', state: [id], set: { '/spec/value': undefined }, ...held() },
    { name: 'an id outside of a ClusterSet', base: id, ...held() },
    { name: 'another claim of a member', ...member, base: custom },
    { name: 'another claim of a member that changes', ...member, base: custom, ...valued('x') },
    { name: 'a membership that keeps its value', ...member, old: {}, set: { '/metadata/labels': { a: 'b' } } },
    { name: 'an id that keeps its value', ...member, base: id, old: {}, set: { '/metadata/labels': { a: 'b' } } },
    { name: 'leaving', ...member, operation: 'DELETE' },
    { name: 'a write of /status', ...member, subresource: 'status', ...valued('red-fleet') },
    { name: 'a scan of the id of a member', ...member, base: id, stored: true },
    { name: 'a scan of another claim', ...member, base: custom, stored: true },
    { name: 'a scan of a member whose id is ours', state: [id, membership], ...ours, stored: true },
  ],
  deny: [
    { name: 'joining', state: [id], ...held(), ...reserved() },
    { name: 'joining by a dry run', state: [id], ...held(), dryRun: true, ...reserved() },
    { name: 'an id of a member', ...member, base: id, ...reserved() },
    { name: 'an id of a member that changes', ...member, base: id, ...valued('east'), ...reserved({ id: 'east' }) },
    { name: 'a member that changes its ClusterSet', ...member, ...valued('red'), ...reserved({ set: 'red' }) },
    {
      name: 'a ClusterSet that a shell would take apart',
      ...member,
      ...valued('red; blue'),
      ...reserved({ set: 'red; blue' }, undefined, undefined, "'"),
    },
    {
      name: 'OCM',
      base: ocm.membership,
      state: [ocm.id],
      ...held(),
      ...reserved({ group: 'cluster.open-cluster-management.io' }),
    },
    {
      name: 'a property under its older name',
      base: alpha.membership,
      state: [property.olderId],
      ...held(),
      ...reserved({ group: 'about.k8s.io' }),
    },
    {
      name: 'the first of two ids that differ',
      base: property.membership,
      state: [property.id, south],
      reserve: (asked) => (asked.id === 'north-1' ? HELD : { kind: 'ours' }),
      ...reserved({ group: 'about.k8s.io' }),
    },
    {
      name: 'the second of two ids that differ',
      base: property.membership,
      state: [property.id, south],
      reserve: (asked) => (asked.id === 'south' ? HELD : { kind: 'ours' }),
      ...reserved({ group: 'about.k8s.io', id: 'south' }),
    },
    {
      name: 'one id under two names, once',
      base: property.membership,
      state: [property.id, property.olderId],
      ...held(),
      ...reserved({ group: 'about.k8s.io' }),
    },
    {
      name: 'one whose join is not known to be stored',
      state: [id],
      ...held({ confirmed: false }),
      ...reserved({}, 'not confirmed as a member yet'),
    },
    {
      name: 'since nobody knows when',
      state: [id],
      ...held({ since: undefined }),
      ...reserved({}, 'confirmed as a member', 'an unknown time'),
    },
    {
      name: 'a holder that a shell would run, in a command to paste',
      state: [id],
      ...held({ holder: '$(id)' }),
      ...reserved({}, 'confirmed as a member', 'May', '', '$(id)'),
    },
    {
      name: 'a reservation of nobody',
      state: [id],
      ...held({ holder: undefined }),
      ...finds(
        'spec.value',
        'the id "north-1" of the ClusterSet "blue-fleet" is reserved since May by a Lease that names no holder; ' +
          "choose another id, or, if no cluster has it, delete the Lease id-0a in the hub's namespace",
      ),
    },
    { name: 'a hub that does not answer', state: [id], ...away('unreachable'), unknown: 'indeterminate' },
    {
      name: 'a hub that does not answer, where the configuration lets joins pass',
      state: [id],
      ...away('unreserved'),
      ...finds(
        'spec.value',
        'the id "north-1" of the ClusterSet "blue-fleet" is not reserved, so another cluster may have it: it did not ' +
          'answer; once the hub answers, see muster registrar list --config FILE',
        'warn',
      ),
    },
    { name: "a membership that can't be read", base: id, state: 'unknown', ...held(), unknown: 'indeterminate' },
    { name: "an id that can't be read", state: 'unknown', ...held(), unknown: 'indeterminate' },
    {
      name: 'a scan of a member',
      ...member,
      stored: true,
      ...finds(
        'spec.value',
        'the id "north-1" of the ClusterSet "blue-fleet" is reserved since May by another cluster, whose kube-system ' +
          'namespace has the uid a-uid, and is confirmed as a member; give one of the two another id: delete its ' +
          'membership, change the id, then join again',
      ),
    },
  ],
});

test('a hub that does not answer is told with the id', async () => {
  const { indeterminate } = await evaluate([rule], membership, { name: '', state: [id], ...away('unreachable') });
  expect(indeterminate.map(({ message }) => message)).toEqual([
    `cannot be decided now: the id "north-1" can't be reserved in the ClusterSet "blue-fleet": it did not answer; try again`,
  ]);
});

describe('which writes may join', () => {
  const changes = { old: {}, set: { '/spec/value': 'x' } };
  const stays = { old: {}, set: { '/metadata/labels': {} } };
  test.each<[string, JsonObject, Omit<RuleCase, 'name'>, boolean]>([
    ['a membership that is created', membership, {}, true],
    ['an id that is created', property.olderId, {}, true],
    ['one that is created without a value, which another webhook may add', id, { set: { '/spec': undefined } }, true],
    ['an id that changes', id, changes, true],
    ['a membership that changes', membership, changes, true],
    ['an id that stays', id, stays, false],
    ['another claim', custom, {}, false],
    ['a write of /status', id, { ...changes, subresource: 'status' }, false],
    ['a deletion', tweaked(id, { '/spec': undefined }), { operation: 'DELETE' }, false],
    ['another kind', tweaked(inventory, { '/metadata/name': 'id.k8s.io' }), {}, false],
  ])('%s', (_, base, row, expected) => {
    expect(mayJoin(subjectOf(base, { name: '', ...row }))).toBe(expected);
  });

  test('an id that is deleted does not, whatever the request holds beside the stored object', () => {
    const subject = subjectOf(id, { name: '', ...changes });
    expect(mayJoin({ ...subject, operation: 'DELETE' })).toBe(false);
  });
});

describe('the ids of a member', () => {
  const NORTH = { apiGroup: 'about.k8s.io', clusterSet: 'blue-fleet', id: 'north-1' };

  test.each([
    [
      'are both, where its two names differ',
      [property.membership, property.id, south],
      [NORTH, { ...NORTH, id: 'south' }],
    ],
    ['are none without an id', [property.membership], []],
    ['are none without a membership', [property.id], []],
  ])('%s', async (_, state, value) => {
    expect(await identitiesOf(clusterProperty, viewOf(state))).toEqual({ known: true, value });
  });
});

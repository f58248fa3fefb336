/** Nearly all writes are sound, so what a rule does on them is what muster costs: it says NOTHING, that very list, and makes no other. */
import { describe, expect, test } from '@jest/globals';
import { defaultPolicy } from '../../src/engine/index.ts';
import { planOf } from '../../src/engine/plan.ts';
import { rules } from '../../src/rules/index.ts';
import { textAt } from '../../src/rules/json.ts';
import {
  type ClusterView,
  type Context,
  type JsonObject,
  NOTHING,
  type Operation,
  type RuleSettings,
  type Subresource,
} from '../../src/rules/rule.ts';
import {
  custom,
  feature,
  id,
  inventory,
  membership,
  ocmCustom,
  profile,
  propertyCustom,
  propertyId,
  propertyMembership,
} from './bases.ts';
import { subjectOf, type Tweak } from './rule-tester.ts';

const JANE = { username: 'jane', groups: [] };
const CLERK = { username: 'clerk', groups: [] };
const settings: RuleSettings = {
  claims: { allowedReservedNames: [], membershipManagers: [{ user: 'jane' }] },
  inventory: { managers: new Map([['harbour', [{ user: 'jane' }]]]) },
  features: {
    dynamic: [{ namespace: 'kube-system', name: 'fastlane' }],
    serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'jane' }] }],
    clockSkewSeconds: 5,
  },
};
const warn = { webhook: 'warn', check: 'warn', scan: 'warn' } as const;
const actions = new Map(rules.map((rule) => [rule.id, warn]));
const plan = planOf({ ...defaultPolicy, settings, actions }, 'webhook');
/** A member of a ClusterSet with an id, and nothing else. */
const view: ClusterView = {
  get: ({ name }) => ({
    known: true,
    value: [id, membership].find((claim) => textAt(claim, ['metadata', 'name']) === name),
  }),
  list: () => ({ known: true, value: [] }),
};

/** To see whether what they compare is large takes as long as to compare it: step by step, whatever it is. */
const COMPARING = ['inventory/cluster-manager-immutable'];

interface Write {
  readonly name: string;
  readonly operation: Operation;
  readonly subresource?: Subresource;
  readonly base: JsonObject;
  readonly old?: Tweak;
  readonly set?: Tweak;
  readonly identity?: Context['identity'];
}

const NOTED = { '/metadata/annotations': { note: 'x' } };
const HEALTHY = {
  '/metadata/generateName': 'harbour-',
  '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id': 'north-1',
};
const REPORT = {
  '/status': {
    version: { kubernetes: 'v1.36.1' },
    properties: [
      { name: 'cluster.clusterset.k8s.io', value: 'north-1' },
      { name: 'clusterset.k8s.io', value: 'blue-fleet' },
    ],
  },
};
const TURNING = { '/status/state': 'TurningOn', '/status/transitionTasks': ['Migrate', 'WaitForUses'] };
const USE = { version: '1.40.0', enabled: 'Disabled', reportTime: '2026-05-31T00:00:00Z' };

const writes: readonly Write[] = [
  ...[custom, ocmCustom, propertyCustom].map((base): Write => ({ name: 'a claim is made', operation: 'CREATE', base })),
  ...[id, propertyId].map((base): Write => ({ name: 'an id is noted upon', operation: 'UPDATE', base, set: NOTED })),
  { name: 'a claim gets a value', operation: 'UPDATE', base: custom, set: { '/spec/value': 'south' } },
  { name: 'a claim goes', operation: 'DELETE', base: custom },
  { name: 'an id is made within a set', operation: 'CREATE', base: id },
  { name: 'a cluster joins', operation: 'CREATE', base: membership },
  { name: 'a cluster leaves', operation: 'DELETE', base: membership },
  { name: 'a membership is noted upon', operation: 'UPDATE', base: propertyMembership, set: NOTED },
  ...[inventory, profile].flatMap((base): Write[] => [
    { name: 'a cluster is listed', operation: 'CREATE', base, old: HEALTHY },
    { name: 'its name is corrected', operation: 'UPDATE', base, old: HEALTHY, set: { '/spec/displayName': 'N' } },
    { name: 'its health is reported', operation: 'UPDATE', subresource: 'status', base, old: REPORT, set: NOTED },
    { name: 'it goes', operation: 'DELETE', base },
  ]),
  { name: 'a feature is announced', operation: 'CREATE', base: feature },
  { name: 'a feature is set', operation: 'UPDATE', base: feature, set: { '/spec/desired': 'Enabled' } },
  { name: 'a feature begins to turn on', operation: 'UPDATE', subresource: 'status', base: feature, set: TURNING },
  {
    name: 'a task is done',
    operation: 'UPDATE',
    subresource: 'status',
    base: feature,
    old: TURNING,
    set: { '/status/transitionTasks': ['WaitForUses'] },
  },
  {
    name: 'a client refreshes its use where nobody is named',
    operation: 'UPDATE',
    subresource: 'status',
    base: feature,
    old: { '/metadata/namespace': 'apps', '/status/class': 'apps', '/status/uses': [USE] },
    set: { '/status/uses': [{ ...USE, reportTime: '2026-06-01T00:00:00Z' }] },
    identity: CLERK,
  },
  { name: 'a feature that is off goes', operation: 'DELETE', base: feature },
];

describe.each(writes)('$operation: $name', ({ base, identity = JANE, ...row }) => {
  const subject = subjectOf(base, row);
  const context: Context = { ...subject, point: 'webhook', now: 0, settings, view, identity };
  const speaking = plan(subject.dialect, subject.operation, subject.subresource).filter(
    ({ rule }) => rule.check && !COMPARING.includes(rule.id),
  );

  test.each(speaking.map(({ rule }) => [rule.id, rule] as const))('%s says nothing', (_, rule) => {
    expect(rule.check?.(context)).toBe(NOTHING);
  });
});

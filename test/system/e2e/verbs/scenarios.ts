/** For each concept and each kind of write: one that a rule refuses, beside a similar one that it allows. */
import type { Json } from '../harness/index.ts';
import {
  claim,
  condition,
  feature,
  here,
  id,
  inventory,
  labelled,
  managed,
  memberInventory,
  memberProfile,
  membership,
  ocmClaim,
  offFeature,
  olderProperty,
  profile,
  property,
  value,
  withoutReason,
} from './objects.ts';

export interface Side {
  /** Default: jane. */
  readonly user?: string;
  /** What is stored before; the last object is the one that is written. */
  readonly stored?: readonly Json[];
  /** CREATE: the object. UPDATE and STATUS: what changes, as a merge patch. DELETE: nothing. */
  readonly write?: Json;
}

export interface Scenario {
  readonly rule: string;
  readonly on: 'CREATE' | 'UPDATE' | 'STATUS' | 'DELETE';
  /** The remedy that the refusal names. */
  readonly remedy: RegExp;
  readonly allowed: Side;
  readonly forbidden: Side;
  /** Deleting and creating anew is the remedy that the rule names, so `replace --force` is no bypass. */
  readonly recreates?: true;
  /** The rule is about certain names only. */
  readonly byName?: true;
}

export const configuration = {
  exemptions: { users: ['admin'] },
  rules: { 'inventory/sole-manager': 'deny' },
  inventory: { managers: { m: [{ user: 'jane' }] } },
  features: { serverFlow: [{ namespace: 'default', principals: [{ user: 'jane' }] }] },
};

const held = { finalizers: ['e2e.muster/hold'] };
const custom = claim('mine.example.com', 'a');
const reserved = claim('mine.k8s.io', 'a');
const ocmId = ocmClaim('id.k8s.io', 'a');
const ocmMembership = ocmClaim('clusterset.k8s.io', 'set');
const setName = property('cluster.clusterset.k8s.io', 'a');
const propertyId = property('id.k8s.io', 'a');
const olderId = olderProperty('cluster.clusterset.k8s.io', 'a');
const propertyMembership = property('clusterset.k8s.io', 'set');
/** Without the label: the mutating webhook adds it. */
const unlabelled = inventory('one', managed('m'));
const mislabelled = inventory('one', managed('m'), labelled('other'));
const unmanaged = profile('one', { spec: { displayName: 'x' } }, here);
const renamed = { spec: { displayName: 'x' } };
const moved = { ...managed('n'), metadata: labelled('n') };
const otherLabel = { metadata: { labels: { fleet: 'x' } } };
const plainFeature = feature('one', {}, here);
const desired = (text: string) => ({ spec: { desired: text } });
const reports = (one: Json) => ({ status: { conditions: [one] } });
const turningOn = { status: { state: 'TurningOn', transitionTasks: ['WaitForUses'] } };
const unquoted = { ...condition, status: true };
const isOn = { status: { state: 'On' } };
/** A finalizer holds the membership: to delete both at once would be to leave first. */
const heldMembership = claim('clusterset.k8s.io', 'set', held);
const heldPropertyMembership = property('clusterset.k8s.io', 'set', held);

/** What is stored before, what is written, and by whom. */
type Written = readonly [stored: readonly Json[], write?: Json, user?: string];
type Row = readonly [Scenario['on'], string, RegExp, Written, Written, Partial<Scenario>?];

const byName = { byName: true } as const;
const recreates = { recreates: true } as const;
const keep = /keep the stored one/;
const flow = /leave it to the server flow/;
const manager = /is not one of its principals/;

const ROWS: readonly Row[] = [
  ['CREATE', 'claim/reserved-name', /name/, [[], custom], [[], reserved], byName],
  [
    'CREATE',
    'claim/id-syntax',
    /must/,
    [[], { ...setName, ...value('a.b') }],
    [[], { ...setName, ...value('A_B') }],
    byName,
  ],
  ['CREATE', 'inventory/cluster-manager-label', /set the label/, [[], unlabelled], [[], mislabelled]],
  ['CREATE', 'inventory/cluster-manager', /set it to the name/, [[], memberProfile], [[], unmanaged]],
  ['CREATE', 'feature/server-flow', flow, [[], plainFeature], [[], plainFeature, 'bob']],
  ['UPDATE', 'claim/id-immutable-in-clusterset', /leave/i, [[id], value('b')], [[membership, id], value('b')]],
  ['UPDATE', 'claim/clusterset-immutable', /leave/i, [[custom], value('b')], [[membership], value('b')], recreates],
  ['UPDATE', 'claim/id-immutable-in-clusterset', /leave/i, [[ocmId], value('b')], [[ocmMembership, ocmId], value('b')]],
  // Written in one version of the API, with a membership stored in the other.
  [
    'UPDATE',
    'claim/id-immutable-in-clusterset',
    /leave/i,
    [[olderId], value('b')],
    [[propertyMembership, olderId], value('b')],
  ],
  ['UPDATE', 'claim/id-syntax', /must be/, [[propertyId], value('b')], [[propertyId], value('A_B')]],
  [
    'UPDATE',
    'inventory/cluster-manager-immutable',
    keep,
    [[memberInventory], renamed],
    [[memberInventory], moved],
    recreates,
  ],
  [
    'UPDATE',
    'inventory/cluster-manager-label',
    /set/,
    [[memberProfile], otherLabel],
    [[memberProfile], { metadata: moved.metadata }],
  ],
  ['UPDATE', 'feature/shape', /must be one of/, [[offFeature], desired('Enabled')], [[offFeature], desired('Maybe')]],
  ['STATUS', 'feature/transition', /TurningOn/, [[offFeature], turningOn], [[offFeature], isOn]],
  [
    'STATUS',
    'inventory/conditions',
    /has/,
    [[memberInventory], reports(condition)],
    [[memberInventory], reports(withoutReason)],
  ],
  [
    'STATUS',
    'inventory/conditions',
    /"True"/,
    [[memberProfile], reports(condition)],
    [[memberProfile], reports(unquoted)],
  ],
  ['DELETE', 'claim/id-present-in-clusterset', /leave/i, [[id]], [[heldMembership, id]]],
  ['DELETE', 'claim/id-present-in-clusterset', /leave/i, [[setName]], [[heldPropertyMembership, setName]]],
  ['DELETE', 'inventory/sole-manager', manager, [[memberInventory]], [[memberInventory], undefined, 'bob']],
  ['DELETE', 'feature/server-flow', flow, [[offFeature]], [[offFeature], undefined, 'bob']],
];

export const scenarios: readonly Scenario[] = ROWS.map(([on, rule, remedy, allowed, forbidden, more]) => {
  return { on, rule, remedy, allowed: sideOf(allowed), forbidden: sideOf(forbidden), ...more };
});

function sideOf([stored, write, user]: Written): Side {
  return { stored, ...(write && { write }), ...(user && { user }) };
}

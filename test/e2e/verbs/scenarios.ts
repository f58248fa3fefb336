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
const ocmId = ocmClaim('id.k8s.io', value('a'));
const property1 = property('cluster.clusterset.k8s.io', value('a'));
const olderId = olderProperty('cluster.clusterset.k8s.io', value('a'));
const plainFeature = feature('one', {}, here);
const status = (one: Json) => ({ status: { conditions: [one] } });
const turningOn = { status: { state: 'TurningOn', transitionTasks: ['WaitForUses'] } };

type Row = readonly [Scenario['on'], string, RegExp, Side, Side, { recreates?: true; byName?: true }?];

const ROWS: readonly Row[] = [
  [
    ...(['CREATE', 'claim/reserved-name', /name/] as const),
    { write: claim('mine.example.com', value('a')) },
    { write: claim('mine.k8s.io', value('a')) },
    { byName: true },
  ],
  [
    ...(['CREATE', 'claim/id-syntax', /must be/] as const),
    { write: property('cluster.clusterset.k8s.io', value('a.b')) },
    { write: property('cluster.clusterset.k8s.io', value('A_B')) },
    { byName: true },
  ],
  [
    ...(['CREATE', 'inventory/cluster-manager-label', /set the label/] as const),
    // Without the label: the mutating webhook adds it.
    { write: inventory('one', managed('m')) },
    { write: inventory('one', managed('m'), labelled('other')) },
  ],
  [
    ...(['CREATE', 'inventory/cluster-manager', /set it to the name/] as const),
    { write: memberProfile },
    { write: profile('one', { spec: { displayName: 'x' } }, here) },
  ],
  [
    'CREATE',
    'feature/server-flow',
    /leave it to the server flow/,
    { write: plainFeature },
    { user: 'bob', write: plainFeature },
  ],
  [
    ...(['UPDATE', 'claim/id-immutable-in-clusterset', /leave/i] as const),
    { stored: [id], write: value('b') },
    { stored: [membership, id], write: value('b') },
  ],
  [
    ...(['UPDATE', 'claim/clusterset-immutable', /leave/i] as const),
    { stored: [claim('custom.example.com', value('a'))], write: value('b') },
    { stored: [membership], write: value('b') },
    { recreates: true },
  ],
  [
    ...(['UPDATE', 'claim/id-immutable-in-clusterset', /leave/i] as const),
    { stored: [ocmId], write: value('b') },
    { stored: [ocmClaim('clusterset.k8s.io', value('set')), ocmId], write: value('b') },
  ],
  [
    // Written in one version of the API, with a membership stored in the other.
    ...(['UPDATE', 'claim/id-immutable-in-clusterset', /leave/i] as const),
    { stored: [olderId], write: value('b') },
    { stored: [property('clusterset.k8s.io', value('set')), olderId], write: value('b') },
  ],
  [
    ...(['UPDATE', 'claim/id-syntax', /must be/] as const),
    { stored: [property('id.k8s.io', value('a'))], write: value('b') },
    { stored: [property('id.k8s.io', value('a'))], write: value('A_B') },
  ],
  [
    ...(['UPDATE', 'inventory/cluster-manager-immutable', /keep it as stored/] as const),
    { stored: [memberInventory], write: { spec: { displayName: 'x' } } },
    { stored: [memberInventory], write: { ...managed('n'), metadata: labelled('n') } },
    { recreates: true },
  ],
  [
    ...(['UPDATE', 'inventory/cluster-manager-label', /set the label/] as const),
    { stored: [memberProfile], write: { metadata: { labels: { fleet: 'x' } } } },
    { stored: [memberProfile], write: { metadata: labelled('n') } },
  ],
  [
    ...(['UPDATE', 'feature/shape', /must be one of/] as const),
    { stored: [offFeature], write: { spec: { desired: 'Enabled' } } },
    { stored: [offFeature], write: { spec: { desired: 'Maybe' } } },
  ],
  [
    ...(['STATUS', 'feature/transition', /TurningOn/] as const),
    { stored: [offFeature], write: turningOn },
    { stored: [offFeature], write: { status: { state: 'On' } } },
  ],
  [
    ...(['STATUS', 'inventory/conditions', /metav1\.Condition has/] as const),
    { stored: [memberInventory], write: status(condition) },
    { stored: [memberInventory], write: status(withoutReason) },
  ],
  [
    ...(['STATUS', 'inventory/conditions', /"True", "False" or "Unknown"/] as const),
    { stored: [memberProfile], write: status(condition) },
    { stored: [memberProfile], write: status({ ...condition, status: true }) },
  ],
  [
    // A finalizer holds the membership: to delete both at once would be to leave first.
    ...(['DELETE', 'claim/id-present-in-clusterset', /leave/i] as const),
    { stored: [id] },
    { stored: [claim('clusterset.k8s.io', value('set'), held), id] },
  ],
  [
    ...(['DELETE', 'claim/id-present-in-clusterset', /leave/i] as const),
    { stored: [property1] },
    { stored: [property('clusterset.k8s.io', value('set'), held), property1] },
  ],
  [
    ...(['DELETE', 'inventory/sole-manager', /leave it to the manager/] as const),
    { stored: [memberInventory] },
    { user: 'bob', stored: [memberInventory] },
  ],
  [
    ...(['DELETE', 'feature/server-flow', /leave it to the server flow/] as const),
    { stored: [offFeature] },
    { user: 'bob', stored: [offFeature] },
  ],
];

export const scenarios: readonly Scenario[] = ROWS.map(([on, rule, remedy, allowed, forbidden, more]) => ({
  ...{ on, rule, remedy, allowed, forbidden },
  ...more,
}));

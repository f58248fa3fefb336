import { rule } from '../../../src/rules/inventory/sole-manager.ts';
import type { Action, Principal } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['example.org/wait'] };
const NAME = '/spec/clusterManager/name';
const LABEL = '/metadata/labels/x-k8s.io~1cluster-manager';
const managers = (table: Record<string, Principal[]>): Pick<RuleCase, 'settings'> => ({
  settings: { inventory: { managers: new Map(Object.entries(table)) } },
});
const some = managers({
  harbour: [{ user: 'pilot' }, { serviceAccount: 'fleet/harbour' }],
  pier: [{ group: 'pier-admins' }],
});
const DENY: Pick<RuleCase, 'actions'> = { actions: { 'inventory/sole-manager': 'deny' } };
const PIER: Pick<RuleCase, 'user' | 'groups'> = { user: 'olga', groups: ['pier-admins'] };
const STATUS = { subresource: 'status', old: {}, set: { '/status/version': { kubernetes: '1.31.0' } } } as const;
const toPier = { old: {}, set: { [NAME]: 'pier', [LABEL]: 'pier' } };
const GONE = { operation: 'DELETE' } as const;

const FIELD = 'spec.clusterManager.name';
const stranger = (
  field: string,
  { user = 'jane', manager = 'harbour', action = 'warn' as Action } = {},
): Pick<DenyCase, 'findings' | 'settings'> => ({
  ...some,
  findings: [
    [
      action,
      field,
      `belongs to the cluster manager "${manager}", and "${user}" is none of its principals; leave it to the manager, or add the user to inventory.managers`,
    ],
  ],
});
const OWNERS = '/metadata/ownerReferences';
const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: '0' };
const gained: Pick<RuleCase, 'old' | 'set'> = { old: {}, set: { [OWNERS]: [OWNER] } };
const owner = (user = 'jane', action: Action = 'warn'): Pick<DenyCase, 'findings' | 'settings'> => ({
  ...some,
  findings: [
    [
      action,
      'metadata.ownerReferences',
      `an owner can have the object of the cluster manager "harbour" deleted, and "${user}" is none of its principals; take the ownerReference away, or add the user to inventory.managers`,
    ],
  ],
});
const COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';
const LABELLED = 'metadata.labels[x-k8s.io/cluster-manager]';

testRule(rule, inventory, {
  allow: [
    { name: 'asleep: anyone creates' },
    { name: 'asleep: anyone writes the status', ...STATUS },
    { name: 'asleep: anyone deletes', ...GONE, user: null },
    { name: 'its user creates', user: 'pilot', ...some },
    { name: 'its service account writes the status', user: 'system:serviceaccount:fleet:harbour', ...STATUS, ...some },
    { name: 'its user deletes', user: 'pilot', ...GONE, ...some },
    { name: 'its user takes the label away', user: 'pilot', old: {}, set: { [LABEL]: undefined }, ...some },
    { name: 'a group creates its own', ...PIER, set: { [NAME]: 'pier', [LABEL]: 'pier' }, ...some },
    { name: 'a group writes its status', ...PIER, ...STATUS, old: { [NAME]: 'pier' }, ...some },
    {
      name: 'a consumer names and labels',
      old: {},
      set: { '/spec/displayName': 'x', '/metadata/labels/env': 'x' },
      ...some,
      ...DENY,
    },
    {
      name: 'a consumer annotates and holds',
      old: {},
      set: { '/metadata/annotations': { a: 'b' }, '/metadata/finalizers': ['a/b'] },
      ...some,
    },
    {
      name: 'a consumer rewrites the status as it is',
      ...STATUS,
      old: { '/status': { version: { kubernetes: '1.31.0' } } },
      ...some,
    },
    {
      name: 'a consumer rewrites null in the status',
      subresource: 'status',
      old: { '/status': { conditions: null } },
      set: { '/status': {} },
      ...some,
    },
    { name: 'nobody said who rewrites the status as it is', user: null, ...STATUS, old: STATUS.set, ...some },
    { name: 'nobody said who labels', user: null, old: {}, set: { '/metadata/labels/env': 'x' }, ...some },
    { name: 'a manager that nobody configured', set: { [NAME]: 'quay', [LABEL]: 'quay' }, ...some },
    { name: 'nobody said who creates for such a one', user: null, set: { [NAME]: 'quay' }, ...some },
    { name: 'a manager named as prototypes have it', set: { [NAME]: 'constructor' }, ...some },
    { name: 'no manager', set: { '/spec/clusterManager': undefined }, ...some },
    { name: 'a manager of the wrong type', set: { [NAME]: ['harbour'] }, ...some },
    { name: 'a main write, whose status the API server drops', old: {}, set: { '/status': { a: 1 } }, ...some },
    {
      name: 'a stranger lifts a finalizer of one being deleted',
      old: DYING,
      set: { '/metadata/finalizers': [] },
      ...some,
      ...DENY,
    },
    { name: 'a stranger deletes it again', ...GONE, old: DYING, ...some, ...DENY },
    { name: 'asleep: anyone adds an owner', ...gained },
    { name: 'its user adds an owner', user: 'pilot', ...gained, ...some, ...DENY },
    { name: 'a stranger takes an owner away', old: { [OWNERS]: [OWNER] }, set: { [OWNERS]: [] }, ...some, ...DENY },
    { name: 'an owner of one that nobody configured', old: { [NAME]: 'quay' }, set: { [OWNERS]: [OWNER] }, ...some },
    { name: 'an owner in a write of the status', subresource: 'status', ...gained, ...some },
    { name: 'a stranger adds an owner to one being deleted', old: DYING, set: { [OWNERS]: [OWNER] }, ...some, ...DENY },
    {
      name: 'nobody said who takes an owner away',
      user: null,
      old: { [OWNERS]: [OWNER] },
      set: { [OWNERS]: null },
      ...some,
    },
    { name: 'switched off', ...some, actions: { 'inventory/sole-manager': 'ignore' } },
    { name: 'an owner, switched off', ...gained, ...some, actions: { 'inventory/sole-manager': 'ignore' } },
  ],
  deny: [
    { name: 'a stranger adds an owner', ...gained, ...owner() },
    { name: 'a stranger adds an owner, denied where configured', ...gained, ...DENY, ...owner('jane', 'deny') },
    {
      name: 'a stranger changes an owner',
      old: { [OWNERS]: [OWNER] },
      set: { [OWNERS]: [{ ...OWNER, uid: '1' }] },
      ...owner(),
    },
    { name: 'another manager adds an owner', ...PIER, ...gained, ...owner('olga') },
    { name: 'an owner of a ClusterProfile', base: profile, ...gained, ...owner() },
    {
      name: 'a stranger adds an owner and takes the label away, which is said once',
      old: {},
      set: { [OWNERS]: [OWNER], [LABEL]: undefined },
      ...stranger(LABELLED),
    },
    {
      name: 'the garbage collector changes an owner, which is only recorded',
      user: COLLECTOR,
      ...gained,
      ...DENY,
      ...owner(COLLECTOR, 'audit'),
    },
    { name: 'nobody said who adds an owner', user: null, ...gained, ...some, unknown: 'silent' },
    {
      name: 'nobody said who adds an owner, and it would deny',
      user: null,
      point: 'check',
      ...gained,
      ...some,
      ...DENY,
      unknown: 'indeterminate',
    },
    { name: 'a stranger creates', ...stranger(FIELD) },
    { name: 'a stranger deletes', ...GONE, ...stranger(FIELD) },
    { name: 'a stranger writes the status', ...STATUS, ...stranger('status') },
    {
      name: 'a stranger clears the status',
      subresource: 'status',
      old: { '/status': { a: 1 } },
      set: { '/status': undefined },
      ...stranger('status'),
    },
    { name: 'a stranger takes the label away', old: {}, set: { [LABEL]: undefined }, ...stranger(LABELLED) },
    { name: 'a stranger changes the label', old: {}, set: { [LABEL]: 'pier' }, ...stranger(LABELLED) },
    { name: 'a stranger takes all labels away', old: {}, set: { '/metadata/labels': null }, ...stranger(LABELLED) },
    {
      name: 'a stranger adds to the manager',
      old: {},
      set: { '/spec/clusterManager/region': 'x' },
      ...stranger('spec.clusterManager'),
    },
    {
      name: 'a stranger gives it to a manager',
      old: { '/spec/clusterManager': undefined },
      set: { [NAME]: 'harbour' },
      ...stranger('spec.clusterManager'),
    },
    {
      name: 'a stranger takes the manager away',
      old: {},
      set: { '/spec/clusterManager': undefined },
      ...stranger('spec.clusterManager'),
    },
    { name: 'another manager takes it', ...PIER, ...toPier, ...stranger('spec.clusterManager', { user: 'olga' }) },
    {
      name: 'its manager gives it to another',
      user: 'pilot',
      ...toPier,
      ...stranger('spec.clusterManager', { user: 'pilot', manager: 'pier' }),
    },
    {
      name: 'its manager gives it to one that nobody configured, a stranger',
      old: {},
      set: { [NAME]: 'quay' },
      ...stranger('spec.clusterManager'),
    },
    { name: 'another manager writes the status', ...PIER, ...STATUS, ...stranger('status', { user: 'olga' }) },
    { name: 'another manager deletes', ...PIER, ...GONE, ...stranger(FIELD, { user: 'olga' }) },
    {
      name: 'a manager without principals',
      set: { [NAME]: 'dock' },
      ...stranger(FIELD, { manager: 'dock' }),
      ...managers({ dock: [] }),
    },
    { name: 'denied where configured', ...stranger(FIELD, { action: 'deny' }), ...DENY },
    { name: 'a deletion denied where configured', ...GONE, ...stranger(FIELD, { action: 'deny' }), ...DENY },
    { name: 'the status warns where configured to deny', ...STATUS, ...stranger('status'), ...DENY },
    {
      name: 'the status is recorded where configured so',
      ...STATUS,
      ...stranger('status', { action: 'audit' }),
      actions: { 'inventory/sole-manager': 'audit' },
    },
    { name: 'a ClusterProfile', base: profile, ...stranger(FIELD) },
    {
      name: 'the status of a ClusterProfile in v1alpha1',
      base: profileAlpha,
      ...STATUS,
      ...stranger('status'),
      ...DENY,
    },
    { name: 'a dry run', dryRun: true, ...stranger(FIELD) },
    {
      name: 'the garbage collector is only recorded',
      ...GONE,
      user: 'system:serviceaccount:kube-system:generic-garbage-collector',
      ...stranger(FIELD, { user: 'system:serviceaccount:kube-system:generic-garbage-collector', action: 'audit' }),
      ...DENY,
    },
    { name: 'nobody said who creates', user: null, ...some, unknown: 'silent' },
    { name: 'nobody said who writes the status', user: null, ...STATUS, ...some, ...DENY, unknown: 'silent' },
    {
      name: 'nobody said who deletes, and it would deny',
      user: null,
      ...GONE,
      ...some,
      ...DENY,
      unknown: 'indeterminate',
    },
  ],
});

import { rule } from '../../../../src/rules/inventory/sole-manager.ts';
import type { Principal } from '../../../../src/rules/rule.ts';
import { inventory, OWNER, profile } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const NAME = '/spec/clusterManager/name';
const LABEL = '/metadata/labels/x-k8s.io~1cluster-manager';
const managers = (table: Record<string, Principal[]>) => ({
  settings: { inventory: { managers: new Map(Object.entries(table)) } },
});
const some = managers({
  harbour: [{ user: 'pilot' }, { serviceAccount: 'fleet/harbour' }],
  pier: [{ group: 'pier-admins' }],
});
const DENY = { actions: { 'inventory/sole-manager': 'deny' } } as const;
const PIER: Pick<RuleCase, 'user' | 'groups'> = { user: 'olga', groups: ['pier-admins'] };
const STATUS = { subresource: 'status', old: {}, set: { '/status/version': { kubernetes: '1.31.0' } } } as const;
const toPier = { old: {}, set: { [NAME]: 'pier', [LABEL]: 'pier' } };
const GONE = { operation: 'DELETE' } as const;

const FIELD = 'spec.clusterManager.name';
const stranger = (field: string, { user = 'jane', manager = 'harbour' } = {}) => ({
  ...some,
  ...finds(
    field,
    `belongs to the cluster manager "${manager}", and "${user}" is not one of its principals; have one of them do it, or add the user to inventory.managers`,
    'warn',
  ),
});
const OWNERS = '/metadata/ownerReferences';
const gained: Pick<RuleCase, 'old' | 'set'> = { old: {}, set: { [OWNERS]: [OWNER] } };
const owner = {
  ...some,
  ...finds(
    'metadata.ownerReferences',
    'deleting an owner deletes the object of the cluster manager "harbour", and "jane" is not one of its principals; leave the ownerReferences unchanged or remove all of them, or add the user to inventory.managers',
    'warn',
  ),
};
const LABELLED = 'metadata.labels[x-k8s.io/cluster-manager]';

testRule(rule, inventory, {
  allow: [
    { name: 'its user deletes', user: 'pilot', ...GONE, ...some },
    { name: 'its user takes the label away', user: 'pilot', old: {}, set: { [LABEL]: undefined }, ...some },
    { name: 'a group creates its own', ...PIER, set: { [NAME]: 'pier', [LABEL]: 'pier' }, ...some },
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
    {
      name: 'a consumer writes an empty status where there is none',
      subresource: 'status',
      old: {},
      set: { '/status': {} },
      ...some,
    },
    {
      name: 'a consumer writes a status without any value, as Go encodes that of a ClusterProfile',
      subresource: 'status',
      old: { '/status': {} },
      set: { '/status': { conditions: null, version: {} } },
      ...some,
    },
    { name: 'a main write, whose status the API server drops', old: {}, set: { '/status': { a: 1 } }, ...some },
    { name: 'an owner in a write of the status', subresource: 'status', ...gained, ...some },
  ],
  deny: [
    {
      name: 'a stranger removes one of two owners',
      old: { [OWNERS]: [OWNER, { ...OWNER, uid: '1' }] },
      set: { [OWNERS]: [OWNER] },
      ...owner,
    },
    { name: 'an owner of a ClusterProfile', base: profile, ...gained, ...owner },
    {
      name: 'it is unknown who adds an owner, and it would deny',
      user: null,
      point: 'check',
      ...gained,
      ...some,
      ...DENY,
      unknown: 'indeterminate',
    },
    {
      name: 'a stranger clears the status',
      subresource: 'status',
      old: { '/status': { a: 1 } },
      set: { '/status': undefined },
      ...stranger('status'),
    },
    { name: 'a stranger takes the label away', old: {}, set: { [LABEL]: undefined }, ...stranger(LABELLED) },
    { name: 'another manager takes it', ...PIER, ...toPier, ...stranger('spec.clusterManager', { user: 'olga' }) },
    { name: 'another manager deletes', ...PIER, ...GONE, ...stranger(FIELD, { user: 'olga' }) },
    {
      name: 'a manager without principals',
      set: { [NAME]: 'dock' },
      ...stranger(FIELD, { manager: 'dock' }),
      ...managers({ dock: [] }),
    },
    { name: 'the status warns where configured to deny', ...STATUS, ...stranger('status'), ...DENY },
    { name: 'it is unknown who writes the status', user: null, ...STATUS, ...some, ...DENY, unknown: 'silent' },
  ],
});

import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/claim/clusterset-manager.ts';
import type { Principal } from '../../../../src/rules/rule.ts';
import { custom, id, membership, OWNER, ocm, property } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const managers = (...membershipManagers: Principal[]) => ({ settings: { claims: { membershipManagers } } });
const some = managers({ serviceAccount: 'fleet/mcs' }, { user: 'alice' }, { group: 'mcs-admins' });
const to = (value: Json | undefined) => ({ old: {}, set: { '/spec/value': value } });
const stranger = (field: string, user = 'jane') => ({
  ...some,
  ...finds(
    field,
    `only the configured membership managers may create or delete the membership or change its value, not "${user}"; ask one of them, or add the user to claims.membershipManagers`,
  ),
});
const OWNERS = '/metadata/ownerReferences';
const gained: Pick<RuleCase, 'old' | 'set'> = { old: {}, set: { [OWNERS]: [OWNER] } };
const owner = {
  ...some,
  ...finds(
    'metadata.ownerReferences',
    'deleting an owner deletes the membership, which only the configured membership managers may do, not "jane"; leave the ownerReferences unchanged or remove all of them, or add the user to claims.membershipManagers',
    'deny',
  ),
};
const NAME = 'metadata.name';
const VALUE = 'spec.value';
const GONE = { operation: 'DELETE' } as const;

testRule(rule, membership, {
  allow: [
    { name: 'one of a group joins', user: 'bob', groups: ['system:authenticated', 'mcs-admins'], ...some },
    { name: 'a user writes the value, which another rule refuses', user: 'alice', ...to('x'), ...some },
    { name: 'a stranger labels', old: {}, set: { '/metadata/labels': { a: 'b' } }, ...some },
    {
      name: 'null for a value that was missing',
      old: { '/spec/value': null },
      set: { '/spec/value': undefined },
      ...some,
    },
    {
      name: 'a stranger removes all owners',
      old: { [OWNERS]: [OWNER, { ...OWNER, uid: '1' }] },
      set: { [OWNERS]: [] },
      ...some,
    },
    { name: 'a stranger adds an owner to the id', base: id, ...gained, ...some },
    { name: 'a custom claim goes', base: custom, ...GONE, ...some },
  ],
  deny: [
    { name: 'a stranger takes the value away', ...to(undefined), ...stranger(VALUE) },
    { name: 'a property', base: property.membership, ...stranger(NAME) },
    { name: 'one of a group named as the user', user: 'eve', groups: ['alice'], ...stranger(NAME, 'eve') },
    { name: 'nobody is a manager', user: 'alice', ...stranger(NAME, 'alice'), ...managers() },
    {
      name: 'a stranger removes one of two owners',
      old: { [OWNERS]: [OWNER, { ...OWNER, uid: '1' }] },
      set: { [OWNERS]: [OWNER] },
      ...owner,
    },
    { name: 'an owner in OCM', base: ocm.membership, ...gained, ...owner },
    {
      name: 'it is unknown who adds an owner, at the check',
      user: null,
      point: 'check',
      ...gained,
      ...some,
      unknown: 'indeterminate',
    },
    { name: 'it is unknown who leaves', user: null, ...GONE, ...some, unknown: 'indeterminate' },
  ],
});

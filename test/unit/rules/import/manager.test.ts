import { rule } from '../../../../src/rules/import/manager.ts';
import { OWNER, serviceImport } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const settings = {
  services: { importManagers: [{ serviceAccount: 'kube-system/cilium-operator' }, { user: 'mary' }] },
};
const OPERATOR = 'system:serviceaccount:kube-system:cilium-operator';
const by = (user: string | null, more: Omit<RuleCase, 'name'> = {}) => ({ settings, user, ...more });
const update = (set: NonNullable<RuleCase['set']>, old = {}) => ({ operation: 'UPDATE' as const, old, set });
const status = (set: NonNullable<RuleCase['set']>, old = {}) => ({
  ...update(set, old),
  subresource: 'status' as const,
});

const stranger = (field: string) =>
  finds(
    field,
    'only the configured import managers write a ServiceImport, not "mallory"; leave it to the controller of your multi-cluster services, or add the user to services.importManagers',
    'warn',
  );
const owner = finds(
  'metadata.ownerReferences',
  'deleting an owner deletes the ServiceImport, which only the configured import managers may do, not "mallory"; leave the ownerReferences unchanged, or add the user to services.importManagers',
  'warn',
);

testRule(rule, serviceImport, {
  allow: [
    { name: 'without a configuration', user: 'mallory' },
    { name: 'its controller creates', ...by(OPERATOR) },
    { name: 'a manager deletes', ...by('mary', { operation: 'DELETE' }) },
    { name: 'a manager adds an owner', ...by('mary', update({ '/metadata/ownerReferences': [OWNER] })) },
    { name: 'a stranger changes nothing', ...by('mallory', update({})) },
    {
      name: 'a stranger writes what is there in another way',
      ...by('mallory', update({ '/metadata/labels': {}, '/metadata/annotations': null, '/status': {} })),
    },
    {
      name: 'server-side apply records its fields',
      ...by(
        'mallory',
        update({ '/metadata/managedFields': [{ manager: 'kubectl' }], '/metadata/resourceVersion': '2' }),
      ),
    },
    {
      name: 'a stranger removes the finalizers',
      ...by('mallory', update({ '/metadata/finalizers': undefined }, { '/metadata/finalizers': ['a.example/b'] })),
    },
    { name: 'a stranger writes the same status', ...by('mallory', status({ '/status': {} }, { '/status': null })) },
    {
      name: 'a write of the status leaves metadata alone, whatever it holds',
      ...by('mallory', status({ '/metadata/labels': { a: 'b' } })),
    },
  ],
  deny: [
    { name: 'a stranger creates', ...by('mallory'), ...stranger('metadata.name') },
    { name: 'a stranger deletes', ...by('mallory', { operation: 'DELETE' }), ...stranger('metadata.name') },
    {
      name: 'a stranger changes the ports',
      ...by('mallory', update({ '/spec/ports': [{ port: 8080 }] })),
      ...stranger('spec'),
    },
    {
      name: 'a stranger writes the status',
      ...by('mallory', status({ '/status': { clusters: [{ cluster: 'east' }] } })),
      ...stranger('status'),
    },
    {
      name: 'a stranger changes the status where the kind has no /status',
      ...by('mallory', update({ '/status': { clusters: [] } })),
      ...stranger('status'),
    },
    {
      name: 'a stranger writes a label',
      ...by('mallory', update({ '/metadata/labels': { a: 'b' } })),
      ...stranger('metadata.labels'),
    },
    {
      name: 'a stranger removes an annotation',
      ...by('mallory', update({ '/metadata/annotations': undefined }, { '/metadata/annotations': { a: 'b' } })),
      ...stranger('metadata.annotations'),
    },
    {
      name: 'a stranger adds a finalizer, which would keep the import',
      ...by('mallory', update({ '/metadata/finalizers': ['a', 'b'] }, { '/metadata/finalizers': ['a'] })),
      ...stranger('metadata.finalizers'),
    },
    {
      name: 'a stranger replaces a finalizer',
      ...by('mallory', update({ '/metadata/finalizers': ['b'] }, { '/metadata/finalizers': ['a'] })),
      ...stranger('metadata.finalizers'),
    },
    { name: 'a stranger adds an owner', ...by('mallory', update({ '/metadata/ownerReferences': [OWNER] })), ...owner },
    {
      name: 'a stranger removes the last owner',
      ...by('mallory', update({ '/metadata/ownerReferences': undefined }, { '/metadata/ownerReferences': [OWNER] })),
      ...stranger('metadata.ownerReferences'),
    },
    {
      name: 'an owner beside another change, as the more serious',
      ...by('mallory', update({ '/metadata/ownerReferences': [OWNER], '/spec/ports': [] })),
      ...owner,
    },
    { name: 'a user who is not known', ...by(null), unknown: 'silent' },
  ],
});

import { rule } from '../../../../src/rules/placement/scheduler.ts';
import { DYING, decisionsOf, OWNER, placement } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const settings = {
  placements: {
    schedulers: new Map([
      ['harbourmaster', [{ serviceAccount: 'harbour/scheduler' }, { user: 'mary' }]],
      ['tide-tables', [{ group: 'tides' }]],
    ]),
  },
};
const by = (user: string, more: Omit<RuleCase, 'name'> = {}) => ({ settings, user, ...more });
const stranger = (field = 'schedulerName', scheduler = 'harbourmaster', user = 'mallory') =>
  finds(
    field,
    `the decision belongs to the scheduler "${scheduler}", and "${user}" is not one of its principals; leave it to the scheduler, or add the user to placements.schedulers`,
  );
const dropped = finds(
  'schedulerName',
  'must keep the name of the scheduler, "harbourmaster": without it every user may write the decision; restore it, or delete the decision',
);
const update = (set: NonNullable<RuleCase['set']>, old = {}) => ({ operation: 'UPDATE' as const, old, set });
const DECIDES = update({ '/decisions': decisionsOf('b') });

testRule(rule, placement, {
  allow: [
    { name: 'no configuration', user: 'mallory' },
    { name: 'the scheduler creates', ...by('mary') },
    { name: 'its service account decides', ...by('system:serviceaccount:harbour:scheduler', DECIDES) },
    { name: 'the scheduler deletes', ...by('mary', { operation: 'DELETE' }) },
    { name: 'a stranger writes an annotation', ...by('mallory', update({ '/metadata/annotations': { a: 'b' } })) },
    { name: 'a stranger writes a finalizer', ...by('mallory', update({ '/metadata/finalizers': ['a.example/b'] })) },
    { name: 'a stranger changes nothing', ...by('mallory', update({})) },
    {
      name: 'no labels, written another way',
      ...by('mallory', update({ '/metadata/labels': {} }, { '/metadata/labels': null })),
    },
    {
      name: 'a stranger takes the last owner away',
      ...by('mallory', update({ '/metadata/ownerReferences': undefined }, { '/metadata/ownerReferences': [OWNER] })),
    },
    { name: 'a decision without a scheduler', ...by('mallory', { set: { '/schedulerName': undefined } }) },
    { name: 'an empty name', ...by('mallory', { set: { '/schedulerName': '' } }) },
    { name: 'a name that is no text', ...by('mallory', { set: { '/schedulerName': 5 } }) },
    { name: 'a scheduler that is not configured', ...by('mallory', { set: { '/schedulerName': 'Harbourmaster' } }) },
    { name: 'a name of every object', ...by('mallory', { set: { '/schedulerName': 'constructor' } }) },
    {
      name: 'a decision without a scheduler is decided on',
      ...by('mallory', update({ '/decisions': [] }, { '/schedulerName': null })),
    },
    {
      name: 'the scheduler takes a decision over that belongs to none',
      ...by('mary', update({ '/schedulerName': 'harbourmaster' }, { '/schedulerName': undefined })),
    },
    {
      name: 'a principal of both hands a decision over',
      ...by('mary', { ...update({ '/schedulerName': 'tide-tables' }), groups: ['tides'] }),
    },
    {
      name: 'the scheduler gives a decision to one that is not configured',
      ...by('mary', update({ '/schedulerName': 'elsewhere' })),
    },
    {
      name: 'a finalizer of a decision that is being deleted',
      ...by('mallory', update({ '/metadata/finalizers': [] }, DYING)),
    },
  ],
  deny: [
    { name: 'a stranger creates', ...by('mallory'), ...stranger() },
    { name: 'a stranger deletes', ...by('mallory', { operation: 'DELETE' }), ...stranger() },
    { name: 'a stranger decides', ...by('mallory', DECIDES), ...stranger('decisions') },
    {
      name: 'a stranger writes a label',
      ...by('mallory', update({ '/metadata/labels/a': 'b' })),
      ...stranger('metadata.labels'),
    },
    {
      name: 'a stranger adds an owner',
      ...by('mallory', update({ '/metadata/ownerReferences': [OWNER] })),
      ...finds(
        'metadata.ownerReferences',
        'deleting an owner deletes the decision of the scheduler "harbourmaster", and "mallory" is not one of its principals; leave the ownerReferences unchanged or remove all of them, or add the user to placements.schedulers',
      ),
    },
    {
      name: 'a stranger claims a decision for the scheduler',
      ...by('mallory', update({ '/schedulerName': 'harbourmaster' }, { '/schedulerName': undefined })),
      ...stranger(),
    },
    { name: 'a stranger renames', ...by('mallory', update({ '/schedulerName': 'nobody' })), ...stranger() },
    { name: 'a stranger drops the name', ...by('mallory', update({ '/schedulerName': undefined })), ...stranger() },
    { name: 'the scheduler drops the name', ...by('mary', update({ '/schedulerName': '' })), ...dropped },
    {
      name: 'the scheduler alone hands a decision over',
      ...by('mary', update({ '/schedulerName': 'tide-tables' })),
      ...stranger('schedulerName', 'tide-tables', 'mary'),
    },
    {
      name: 'the other scheduler takes a decision over',
      ...by('tom', { ...update({ '/schedulerName': 'tide-tables' }), groups: ['tides'] }),
      ...stranger('schedulerName', 'harbourmaster', 'tom'),
    },
    {
      name: 'a user of the scheduler’s name',
      ...by('harbourmaster'),
      ...stranger('schedulerName', 'harbourmaster', 'harbourmaster'),
    },
    { name: 'it is unknown who writes', settings, user: null, unknown: 'indeterminate' },
    {
      name: 'a decision is changed while it is being deleted',
      ...by('mallory', update({ '/decisions': [] }, DYING)),
      ...stranger('decisions'),
    },
  ],
});

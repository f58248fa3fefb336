import { rule } from '../../../src/rules/inventory/cluster-manager-label.ts';
import type { Action, Json } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['example.org/wait'] };
const LABEL = '/metadata/labels/x-k8s.io~1cluster-manager';
const NAME = '/spec/clusterManager/name';
const is = (value: Json | undefined): Pick<RuleCase, 'set'> => ({ set: { [LABEL]: value } });
const found = (message: string, action: Action = 'deny'): Pick<DenyCase, 'findings'> => ({
  findings: [[action, 'metadata.labels[x-k8s.io/cluster-manager]', message]],
});
const missing = (name = 'harbour', action?: Action) =>
  found(
    `is missing; add the label x-k8s.io/cluster-manager with the value "${name}" (spec.clusterManager.name)`,
    action,
  );
/** Upstream's conformance tests ask for equality only where the label is present. */
const absent = (action: Action = 'warn') => missing('harbour', action);
const set = (action: Action): Pick<RuleCase, 'actions'> => ({ actions: { 'inventory/cluster-manager-label': action } });
const differs = (shown: string, action?: Action, name = 'harbour') =>
  found(
    `must be "${name}" as in spec.clusterManager.name, got ${shown}; set the label x-k8s.io/cluster-manager to "${name}"`,
    action,
  );

testRule(rule, inventory, {
  allow: [
    { name: 'the name' },
    { name: 'other labels too', set: { '/metadata/labels/env': 'prod' } },
    { name: 'a name that prototypes have', set: { [NAME]: 'toString', [LABEL]: 'toString' } },
    { name: 'a ClusterProfile', base: profile },
    { name: 'a ClusterProfile in v1alpha1', base: profileAlpha },
    {
      name: 'no manager, which is the business of another rule',
      set: { '/spec/clusterManager': undefined, [LABEL]: 'x' },
    },
    { name: 'a name that no label can hold, likewise', set: { [NAME]: 'no good', [LABEL]: undefined } },
    { name: 'a name of the wrong type, likewise', set: { [NAME]: 5, [LABEL]: undefined } },
    { name: 'an older wrong one left alone', old: { [LABEL]: 'x' }, set: { '/spec/displayName': 'South' } },
    {
      name: 'an older missing one, another label added',
      old: { '/metadata/labels': undefined },
      set: { '/metadata/labels': { env: 'x' } },
    },
    { name: 'an older missing one made null', old: { [LABEL]: undefined }, ...is(null) },
    { name: 'an older wrong one mended', old: { [LABEL]: 'x' }, ...is('harbour') },
    {
      name: 'name and label gained together',
      old: { '/spec': undefined, [LABEL]: undefined },
      set: { [NAME]: 'a', [LABEL]: 'a' },
    },
    { name: 'the status', subresource: 'status', old: {}, ...is('x') },
    { name: 'a deletion of a wrong one', operation: 'DELETE', old: { [LABEL]: 'x' } },
    { name: 'a label taken off one being deleted', old: DYING, ...is(undefined) },
    { name: 'switched off', ...is('x'), ...set('ignore') },
    { name: 'a ClusterProfile without, switched off', base: profile, ...is(undefined), ...set('ignore') },
    { name: 'a ClusterProfile that never had one', base: profile, old: { [LABEL]: undefined }, set: { '/spec/a': 1 } },
  ],
  deny: [
    { name: 'no label', ...is(undefined), ...missing() },
    { name: 'null', ...is(null), ...missing() },
    { name: 'no labels', set: { '/metadata/labels': undefined }, ...missing() },
    { name: 'labels that are null', set: { '/metadata/labels': null }, ...missing() },
    { name: 'labels that are a list', set: { '/metadata/labels': ['harbour'] }, ...missing() },
    {
      name: 'a label of a similar key',
      set: { '/metadata/labels': { 'k8s.io/cluster-manager': 'harbour' } },
      ...missing(),
    },
    {
      name: 'the annotation of that key',
      set: { '/metadata/labels': {}, '/metadata/annotations/x-k8s.io~1cluster-manager': 'harbour' },
      ...missing(),
    },
    { name: 'another value', ...is('other'), ...differs('"other"') },
    { name: 'another case', ...is('Harbour'), ...differs('"Harbour"') },
    { name: 'an empty value', ...is(''), ...differs('""') },
    { name: 'a number', set: { [NAME]: '5', [LABEL]: 5 }, ...differs('5', 'deny', '5') },
    { name: 'a label taken away', old: {}, ...is(undefined), ...missing() },
    { name: 'a label changed', old: {}, ...is('other'), ...differs('"other"') },
    { name: 'an older wrong one made another', old: { [LABEL]: 'x' }, ...is('y'), ...differs('"y"') },
    { name: 'an older wrong one taken away', old: { [LABEL]: 'x' }, ...is(undefined), ...missing() },
    {
      name: 'a name gained without its label',
      old: { '/spec': undefined, [LABEL]: undefined },
      set: { [NAME]: 'a' },
      ...missing('a'),
    },
    { name: 'another name, whose label stays', old: {}, set: { [NAME]: 'a' }, ...differs('"harbour"', 'deny', 'a') },
    { name: 'a ClusterProfile without warns', base: profile, set: { '/metadata/labels': {} }, ...absent() },
    { name: 'a ClusterProfile without labels', base: profile, set: { '/metadata/labels': undefined }, ...absent() },
    { name: 'a ClusterProfile with null', base: profileAlpha, ...is(null), ...absent() },
    { name: 'a ClusterProfile that loses it', base: profile, old: {}, ...is(undefined), ...absent() },
    { name: 'a ClusterProfile with an empty one', base: profile, ...is(''), ...differs('""') },
    {
      name: 'a ClusterProfile without, denied where configured',
      base: profile,
      ...is(undefined),
      ...set('deny'),
      ...absent('deny'),
    },
    {
      name: 'a ClusterProfile without, recorded where configured',
      base: profile,
      ...is(undefined),
      ...set('audit'),
      ...absent('audit'),
    },
    {
      name: 'a ClusterProfile that differs, a warning where configured',
      base: profile,
      ...is('x'),
      ...set('warn'),
      ...differs('"x"', 'warn'),
    },
    {
      name: 'a ClusterProfile that differs, recorded where configured',
      base: profile,
      ...is('x'),
      ...set('audit'),
      ...differs('"x"', 'audit'),
    },
    {
      name: 'a ClusterProfile that differs, in a first rollout',
      base: profile,
      ...is('x'),
      mode: 'warn',
      ...differs('"x"', 'warn'),
    },
    {
      name: 'a ClusterProfile without, in an audit',
      base: profile,
      ...is(undefined),
      mode: 'audit',
      ...absent('audit'),
    },
    { name: 'a ClusterProfile in v1alpha1', base: profileAlpha, ...is('other'), ...differs('"other"') },
    { name: 'a dry run', dryRun: true, user: null, ...is('x'), ...differs('"x"') },
    {
      name: 'a silent record where configured',
      ...is('x'),
      actions: { 'inventory/cluster-manager-label': 'audit' },
      ...differs('"x"', 'audit'),
    },
  ],
});

import { rule } from '../../../src/rules/claim/reserved-name.ts';
import type { Action } from '../../../src/rules/rule.ts';
import { custom, id, membership, ocmCustom, ocmId, propertyCustom, propertyId, propertyOlderId } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const named = (name: string): Pick<RuleCase, 'name' | 'set'> => ({ name, set: { '/metadata/name': name } });
const reserved = (name: string, action: Action = 'deny'): DenyCase => ({
  ...named(name),
  findings: [
    [
      action,
      'metadata.name',
      `"${name}" is reserved for Kubernetes and related projects; use a domain of your own, such as ${name.split('.')[0]}.example.com, or list the name in claims.allowedReservedNames`,
    ],
  ],
});
const allowing = (...allowedReservedNames: string[]): Pick<RuleCase, 'settings'> => ({
  settings: { claims: { allowedReservedNames } },
});

testRule(rule, custom, {
  allow: [
    named('.k8s.io'),
    named('.kubernetes.io'),
    { name: 'the id', base: id },
    { name: 'the membership', base: membership },
    { name: 'the id in OCM', base: ocmId },
    { name: 'the id in ClusterProperty', base: propertyId },
    { name: 'its older name', base: propertyOlderId },
    { ...named('clusterset.k8s.io'), base: propertyCustom },
    { ...named('location.k8s.io'), name: 'a name on the list', ...allowing('other.k8s.io', 'location.k8s.io') },
    {
      ...named('zone.topology.kubernetes.io'),
      name: 'a name under a suffix on the list',
      ...allowing('*.topology.kubernetes.io'),
    },
    { ...named('z.topology.kubernetes.io'), name: 'one letter under it', ...allowing('*.topology.kubernetes.io') },
    { ...named('a.b.topology.kubernetes.io'), name: 'two levels under it', ...allowing('*.topology.kubernetes.io') },
    { ...named('sigs.k8s.io'), name: 'all of them', ...allowing('*.k8s.io') },
    { name: 'a deletion of one', operation: 'DELETE', old: { '/metadata/name': 'old.k8s.io' } },
    { ...named('foo.k8s.io'), name: 'the status', subresource: 'status', old: {} },
    { ...named('foo.k8s.io'), name: 'switched off', actions: { 'claim/reserved-name': 'ignore' } },
    { name: 'no name yet', set: { '/metadata/name': undefined, '/metadata/generateName': 'foo.k8s.io' } },
  ],
  deny: [
    reserved('foo.k8s.io'),
    reserved('a.b.k8s.io'),
    reserved('sigs.k8s.io'),
    { ...reserved('cluster.clusterset.k8s.io'), name: 'the id of another dialect' },
    { ...reserved('location.k8s.io'), base: propertyCustom },
    { ...reserved('other.k8s.io'), name: 'a name that is not on the list', ...allowing('location.k8s.io') },
    { ...reserved('x.location.k8s.io'), name: 'a name under one on the list', ...allowing('location.k8s.io') },
    {
      ...reserved('topology.kubernetes.io'),
      name: 'the suffix itself',
      ...allowing('*.topology.kubernetes.io'),
    },
    {
      ...reserved('xtopology.kubernetes.io'),
      name: 'a name that only ends alike',
      ...allowing('*.topology.kubernetes.io'),
    },
    { ...reserved('.topology.kubernetes.io'), name: 'nothing before it', ...allowing('*.topology.kubernetes.io') },
    { ...reserved('foo.k8s.io'), name: 'a suffix without a star', ...allowing('.k8s.io') },
    { ...reserved('foo.k8s.io'), name: 'a star alone', ...allowing('*') },
    { ...reserved('foo.k8s.io'), name: 'a star within', ...allowing('f*.k8s.io', '**.k8s.io') },
    { ...reserved('foo.k8s.io', 'warn'), name: 'OCM, whose agents derive claims', base: ocmCustom },
    {
      ...reserved('cluster.clusterset.k8s.io', 'warn'),
      name: 'the newer id of ClusterProperty in OCM',
      base: ocmCustom,
    },
    {
      ...reserved('foo.k8s.io'),
      name: 'OCM where configured to deny',
      base: ocmCustom,
      actions: { 'claim/reserved-name': 'deny' },
    },
    { ...reserved('foo.k8s.io'), name: 'a dry run', dryRun: true },
    { ...reserved('foo.k8s.io'), name: 'at the check', point: 'check' },
    {
      ...reserved('foo.k8s.io'),
      name: 'a generated name',
      set: { '/metadata/name': 'foo.k8s.io', '/metadata/generateName': 'foo.' },
    },
    { ...reserved('foo.k8s.io', 'audit'), name: 'in audit mode', mode: 'audit' },
  ],
});

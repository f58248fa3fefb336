import { rule } from '../../../../src/rules/claim/reserved-name.ts';
import type { Action } from '../../../../src/rules/rule.ts';
import { custom, id, membership, ocm, property } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../../../support/rule-tester.ts';

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
const allowing = (...allowedReservedNames: string[]) => ({ settings: { claims: { allowedReservedNames } } });

testRule(rule, custom, {
  allow: [
    named('.k8s.io'),
    named('.kubernetes.io'),
    { name: 'the id', base: id },
    { name: 'the membership', base: membership },
    { name: 'the id in OCM', base: ocm.id },
    { name: 'the id in ClusterProperty', base: property.id },
    { name: 'its older name', base: property.olderId },
    { ...named('clusterset.k8s.io'), base: property.custom },
    { ...named('location.k8s.io'), name: 'a name on the list', ...allowing('other.k8s.io', 'location.k8s.io') },
    {
      ...named('zone.topology.kubernetes.io'),
      name: 'a name under a suffix on the list',
      ...allowing('*.topology.kubernetes.io'),
    },
    { ...named('z.topology.kubernetes.io'), name: 'one letter under it', ...allowing('*.topology.kubernetes.io') },
    { ...named('a.b.topology.kubernetes.io'), name: 'two levels under it', ...allowing('*.topology.kubernetes.io') },
    { ...named('sigs.k8s.io'), name: 'all of them', ...allowing('*.k8s.io') },
    { name: 'no name yet', set: { '/metadata/name': undefined, '/metadata/generateName': 'foo.k8s.io' } },
  ],
  deny: [
    reserved('foo.k8s.io'),
    reserved('a.b.k8s.io'),
    reserved('sigs.k8s.io'),
    { ...reserved('cluster.clusterset.k8s.io'), name: 'the id of another dialect' },
    { ...reserved('location.k8s.io'), base: property.custom },
    { ...reserved('other.k8s.io'), name: 'a name that is not on the list', ...allowing('location.k8s.io') },
    { ...reserved('x.location.k8s.io'), name: 'a name under one on the list', ...allowing('location.k8s.io') },
    { ...reserved('topology.kubernetes.io'), name: 'the suffix itself', ...allowing('*.topology.kubernetes.io') },
    {
      ...reserved('xtopology.kubernetes.io'),
      name: 'a name that only ends alike',
      ...allowing('*.topology.kubernetes.io'),
    },
    { ...reserved('.topology.kubernetes.io'), name: 'nothing before it', ...allowing('*.topology.kubernetes.io') },
    { ...reserved('foo.k8s.io'), name: 'a suffix without a star', ...allowing('.k8s.io') },
    { ...reserved('foo.k8s.io'), name: 'a star alone', ...allowing('*') },
    { ...reserved('foo.k8s.io'), name: 'a star within', ...allowing('f*.k8s.io', '**.k8s.io') },
    { ...reserved('foo.k8s.io', 'warn'), name: 'OCM, whose agents derive claims', base: ocm.custom },
    {
      ...reserved('cluster.clusterset.k8s.io', 'warn'),
      name: 'the newer id of ClusterProperty in OCM',
      base: ocm.custom,
    },
    { ...reserved('foo.k8s.io'), name: 'at the check', point: 'check' },
    {
      ...reserved('foo.k8s.io'),
      name: 'a generated name',
      set: { '/metadata/name': 'foo.k8s.io', '/metadata/generateName': 'foo.' },
    },
  ],
});

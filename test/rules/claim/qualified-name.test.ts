import { rule } from '../../../src/rules/claim/qualified-name.ts';
import type { Action } from '../../../src/rules/rule.ts';
import { custom, id, membership, ocmCustom, propertyCustom, propertyId } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const WARN: Pick<RuleCase, 'actions'> = { actions: { 'claim/qualified-name': 'warn' } };
const named = (name: string): Pick<RuleCase, 'set'> => ({ set: { '/metadata/name': name } });
const bare = (name: string, action: Action = 'warn'): Pick<DenyCase, 'set' | 'actions' | 'findings'> => ({
  ...named(name),
  actions: { 'claim/qualified-name': action },
  findings: [
    [
      action,
      'metadata.name',
      `should carry a domain, such as ${name}.example.com, so that two tools never claim one name, got "${name}"`,
    ],
  ],
});

testRule(rule, custom, {
  allow: [
    { name: 'the id', base: id, ...WARN },
    { name: 'the membership', base: membership, ...WARN },
    { name: 'a property id', base: propertyId, ...WARN },
    { name: 'no name yet', set: { '/metadata/name': undefined, '/metadata/generateName': 'location-' }, ...WARN },
    { name: 'an empty name', ...named(''), ...WARN },
    { name: 'a deletion', operation: 'DELETE', old: { '/metadata/name': 'location' }, ...WARN },
  ],
  deny: [
    { name: 'OCM', base: ocmCustom, ...bare('location') },
    { name: 'a property', base: propertyCustom, ...bare('location') },
    {
      name: 'a generated name',
      ...bare('location-x7k2p'),
      set: { '/metadata/name': 'location-x7k2p', '/metadata/generateName': 'location-' },
    },
    { name: 'a dry run', dryRun: true, user: null, ...bare('location') },
  ],
});

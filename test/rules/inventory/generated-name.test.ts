import { rule } from '../../../src/rules/inventory/generated-name.ts';
import type { Action, Json } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const WARN: Pick<RuleCase, 'actions'> = { actions: { 'inventory/generated-name': 'warn' } };
const named = (name: Json | undefined, generateName?: Json): Pick<RuleCase, 'set'> => ({
  set: { '/metadata/name': name, '/metadata/generateName': generateName },
});
const found = (name: string, action: Action = 'warn'): Pick<DenyCase, 'actions' | 'findings'> => ({
  actions: { 'inventory/generated-name': action },
  findings: [
    [action, 'metadata.name', `should be left to the API server; set metadata.generateName instead, got "${name}"`],
  ],
});
const LONG = 'm'.repeat(60);

testRule(rule, inventory, {
  allow: [
    {
      name: 'generated from a long prefix, which the API server cuts',
      ...named(`${LONG.slice(0, 58)}x7k2p`, LONG),
      ...WARN,
    },
    { name: 'not generated yet', ...named(undefined, 'harbour-'), ...WARN },
    { name: 'an empty name, not generated yet', ...named('', 'harbour-'), ...WARN },
    { name: 'a ClusterProfile', base: profile, ...named('harbour-x7k2p', 'harbour-'), ...WARN },
    { name: 'an update', old: {}, set: { '/spec/displayName': 'x' }, ...WARN },
    { name: 'a deletion', operation: 'DELETE', ...WARN },
  ],
  deny: [
    { name: 'a name in a ClusterProfile', base: profile, ...found('harbour-7k2') },
    { name: 'a name in v1alpha1', base: profileAlpha, ...found('harbour-7k2') },
    { name: 'a name that holds it elsewhere', ...named('x-harbour-', 'harbour-'), ...found('x-harbour-') },
    {
      name: 'a name cut shorter than the API server does',
      ...named(`${LONG.slice(0, 57)}x7k2p`, LONG),
      ...found(`${LONG.slice(0, 57)}x7k2p`),
    },
    { name: 'a dry run', dryRun: true, user: null, ...found('harbour-7k2') },
  ],
});

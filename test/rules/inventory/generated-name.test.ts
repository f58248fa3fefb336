import { rule } from '../../../src/rules/inventory/generated-name.ts';
import type { Json } from '../../../src/rules/rule.ts';
import { inventory, profile } from '../bases.ts';
import { finds, testRule } from '../rule-tester.ts';

const named = (name: Json | undefined, generateName?: Json) => ({
  set: { '/metadata/name': name, '/metadata/generateName': generateName },
});
const found = (name: string) =>
  finds('metadata.name', `should be left to the API server; set metadata.generateName instead, got "${name}"`, 'warn');
const LONG = 'm'.repeat(60);

testRule(rule, inventory, {
  action: 'warn',
  allow: [
    { name: 'from a long prefix, which the API server cuts', ...named(`${LONG.slice(0, 58)}x7k2p`, LONG) },
    { name: 'not generated yet', ...named(undefined, 'harbour-') },
    { name: 'an empty name, not generated yet', ...named('', 'harbour-') },
    { name: 'a ClusterProfile', base: profile, ...named('harbour-x7k2p', 'harbour-') },
    { name: 'an update', old: {}, set: { '/spec/displayName': 'x' } },
  ],
  deny: [
    { name: 'a name in a ClusterProfile', base: profile, ...found('harbour-7k2') },
    { name: 'a name that holds it elsewhere', ...named('x-harbour-', 'harbour-'), ...found('x-harbour-') },
    {
      name: 'a name cut shorter than the API server does',
      ...named(`${LONG.slice(0, 57)}x7k2p`, LONG),
      ...found(`${LONG.slice(0, 57)}x7k2p`),
    },
  ],
});

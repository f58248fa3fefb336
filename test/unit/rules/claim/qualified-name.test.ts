import { rule } from '../../../../src/rules/claim/qualified-name.ts';
import { custom, id, membership, ocm, property } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const named = (name: string) => ({ set: { '/metadata/name': name } });
const bare = (name: string) => ({
  ...named(name),
  ...finds(
    'metadata.name',
    `should contain a domain, such as ${name}.example.com, so that no two tools use the same name, got "${name}"`,
    'warn',
  ),
});

testRule(rule, custom, {
  action: 'warn',
  allow: [
    { name: 'the id', base: id },
    { name: 'the membership', base: membership },
    { name: 'a property id', base: property.id },
    { name: 'no name yet', set: { '/metadata/name': undefined, '/metadata/generateName': 'location-' } },
    { name: 'an empty name', ...named('') },
  ],
  deny: [
    { name: 'OCM', base: ocm.custom, ...bare('location') },
    { name: 'a property', base: property.custom, ...bare('location') },
    {
      name: 'a generated name',
      ...bare('location-x7k2p'),
      set: { '/metadata/name': 'location-x7k2p', '/metadata/generateName': 'location-' },
    },
  ],
});

import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/name-prefix.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const named = (name: Json | undefined, generateName?: Json) => ({
  set: { '/metadata/name': name, '/metadata/generateName': generateName },
});
const found = (value: string, field = 'metadata.name') =>
  finds(field, `should begin with "harbour", the name of the cluster manager, got "${value}"`, 'warn');

testRule(rule, inventory, {
  action: 'warn',
  allow: [
    { name: 'not generated yet', ...named(undefined, 'harbour-') },
    { name: 'no manager', set: { '/spec/clusterManager': undefined, '/metadata/name': 'x' } },
  ],
  deny: [
    { name: 'another prefix, not generated yet', ...named(undefined, 'c-'), ...found('c-', 'metadata.generateName') },
    { name: 'a ClusterProfile', base: profile, ...named('north-1'), ...found('north-1') },
  ],
});

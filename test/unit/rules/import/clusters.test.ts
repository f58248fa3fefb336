import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/import/clusters.ts';
import { serviceImport } from '../../../support/bases.ts';
import { testRule } from '../../../support/rule-tester.ts';

const status = (...clusters: readonly Json[]) => ({
  subresource: 'status' as const,
  old: {},
  set: { '/status': { clusters } },
});
const found = (...all: readonly (readonly [field: string, message: string])[]) => ({
  findings: all.map(([field, message]) => ['warn', `status.clusters${field}`, message] as const),
});
const label = (value: string) =>
  `must be an RFC 1123 DNS label (a-z, 0-9, "-", at most 63, with a letter or digit at both ends), got "${value}"`;

testRule(rule, serviceImport, {
  allow: [
    { name: 'labels', ...status({ cluster: 'east' }, { cluster: '7' }, { cluster: 'a'.repeat(63) }) },
    { name: 'none', ...status() },
    { name: 'a status without clusters', subresource: 'status', old: {}, set: { '/status': {} } },
    { name: 'a write of the main resource', set: { '/status': { clusters: [{ cluster: 'A' }] } } },
  ],
  deny: [
    { name: 'a subdomain', ...status({ cluster: 'east.example' }), ...found(['[0].cluster', label('east.example')]) },
    { name: 'upper case', ...status({ cluster: 'a' }, { cluster: 'East' }), ...found(['[1].cluster', label('East')]) },
    {
      name: '64 characters',
      ...status({ cluster: 'a'.repeat(64) }),
      ...found(['[0].cluster', `must be an RFC 1123 DNS label of at most 63 characters, got "${'a'.repeat(64)}"`]),
    },
    {
      name: 'an empty text',
      ...status({ cluster: '' }),
      ...found(['[0].cluster', label('')]),
    },
    {
      name: 'no name',
      ...status({}),
      ...found(['[0].cluster', 'is missing; an entry of status.clusters is { cluster: NAME }']),
    },
    {
      name: 'a name without quotes',
      ...status({ cluster: 7 }),
      ...found(['[0].cluster', 'must be a string, got a number; put it in quotes']),
    },
    { name: 'an entry that is a text', ...status('east'), ...found(['[0]', 'must be an object, got a string']) },
    {
      name: 'clusters that are no list',
      subresource: 'status',
      old: {},
      set: { '/status': { clusters: 'east' } },
      ...found(['', 'must be a list, got a string']),
    },
  ],
});

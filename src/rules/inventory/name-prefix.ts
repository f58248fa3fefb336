import { type Path, textAt } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule, NAME } from '../rule.ts';
import { managerOf } from './inventory-fields.ts';

const PLACES: readonly Path[] = [NAME, ['metadata', 'generateName']];

export const rule = defineRule({
  id: 'inventory/name-prefix',
  on: ['CREATE'],
  meta: {
    summary: 'The name of an inventory object begins with the name of its cluster manager.',
    fix: 'Put the value of spec.clusterManager.name in front of metadata.name and metadata.generateName.',
    level: 'ADVICE',
    source: 'KEP-4322 #example-2',
    quote:
      'The `metadata.name` and `metadata.generateName` must have prefix which should be the same as the ' +
      '`spec.clusterManager.name`.',
    why: 'A CRD can only refuse, not advise.',
    code: 422,
    messages: { prefix: 'should begin with "{{manager}}", the name of the cluster manager, got "{{value}}"' },
  },
  cel: notInCel.advice,
  check({ object }) {
    const manager = managerOf(object);
    if (manager === undefined) return [];
    for (const path of PLACES) {
      const value = textAt(object, path) ?? '';
      if (value === '' || value.startsWith(manager)) continue;
      return [{ path, messageId: 'prefix', data: { manager, value } }];
    }
    return [];
  },
});

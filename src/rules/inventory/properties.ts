import { at, isUnquoted, type Json } from '../../base/json.ts';
import { forInventory, properties } from '../cel/inventory.ts';
import { OMITTED_FROM_LISTS } from '../cel/shape-validations.ts';
import { defineRule, type RuleResult, STATUS_WRITES } from '../rule.ts';
import { neverFreezesStatus, PROPERTIES } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/properties',
  ...STATUS_WRITES,
  meta: {
    summary: 'Every property has a name, and no name is listed twice.',
    fix: 'Write status.properties as a list of name and value pairs. Keep one entry for each name.',
    level: 'SHOULD',
    source: 'KEP-4322 #properties',
    quote: 'Name/value pairs to represent properties of the clusters.',
    why: 'A health report must not be refused for a property that is there twice, and a CRD can only refuse.',
    code: 422,
    messages: {
      list: 'should be a list of name and value pairs, got "{{value}}"',
      unquoted: 'should have a name that is a string, got {{name}}; put it in quotes',
      empty: 'should not be empty; name the property',
      twice: 'the property "{{name}}" is listed twice; keep one',
    },
  },
  cel: forInventory(properties, OMITTED_FROM_LISTS),
  capAction: neverFreezesStatus,
  check({ object }) {
    const value = at(object, PROPERTIES);
    if (value === undefined) return [];
    return Array.isArray(value) ? unnamed(value) : [{ path: PROPERTIES, messageId: 'list', data: { value } }];
  },
});

function unnamed(properties: readonly Json[]): RuleResult[] {
  const seen = new Set<string>();
  return properties.flatMap((property, index) => {
    const name = at(property, ['name']);
    const isText = typeof name === 'string' && name !== '';
    if (isText && !seen.has(name)) {
      seen.add(name);
      return [];
    }
    const unnamed = isUnquoted(name) ? 'unquoted' : 'empty';
    return [{ path: [...PROPERTIES, index, 'name'], messageId: isText ? 'twice' : unnamed, data: { name } }];
  });
}

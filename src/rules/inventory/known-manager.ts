import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { MANAGER_NAME, managerOf } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/known-manager',
  on: ['CREATE'],
  meta: {
    summary: 'The cluster manager of a new inventory object is one that the configuration lists.',
    fix: 'Correct spec.clusterManager.name, or add the manager to inventory.managers.',
    level: 'SHOULD',
    source: 'KEP-4322 #terminology (commit 3a8eb262)',
    quote: 'Each cluster manager MUST be identified with a unique name.',
    why: 'Which managers exist is configured, and a CRD has no configuration.',
    inertUntil: 'inventory.managers',
    messages: {
      unknown: 'is not a configured cluster manager, got "{{name}}"; correct the name, or add it to inventory.managers',
    },
  },
  cel: notInCel.configuration,
  enabled: (settings) => settings.inventory.managers !== undefined,
  check({ object, settings }) {
    const name = managerOf(object);
    if (name === undefined || settings.inventory.managers?.has(name)) return [];
    return [{ path: MANAGER_NAME, messageId: 'unknown', data: { name } }];
  },
});

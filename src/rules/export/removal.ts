import { notInCel } from '../cel/expressions.ts';
import { type Conflict, defineRule, NAME } from '../rule.ts';
import { compareServices } from '../service/fleet-services.ts';
import { outcomePhrases } from '../service/outcomes.ts';
import { removalsOf } from '../service/removals.ts';

const comparison = compareServices({ acrossOnly: true, points: ['check'], ratchets: false }, (fleet, before) => {
  if (before === undefined) return [];
  return removalsOf(before, fleet).map(({ object, name, changes, isCertain, others }): Conflict => {
    const data = { name, changes };
    const related = others.map((other) => ({ object: other, path: NAME, messageId: 'other' }));
    return { object, problem: { path: NAME, messageId: isCertain ? 'changes' : 'mayChange', data }, related };
  });
});

export const rule = defineRule({
  id: 'export/removal',
  // Whether it changes anything depends on other clusters.
  on: [],
  dialects: ['service-export'],
  comparison,
  meta: {
    summary: 'Where an export is taken away, the exports that are left give consumers the same service.',
    fix:
      'Make the Services of the other clusters agree with the one that goes, or change their consumers first. Then ' +
      'take the export away.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #service-types',
    quote:
      'Exporting a non-headless service to an otherwise headless service can dynamically change the clusterset ' +
      'service type when an old export is removed, potentially breaking existing consumers.',
    needs: ['object', 'cluster'],
    why: 'Each API server sees the exports of its own cluster; check compares those of several clusters.',
    messages: {
      changes:
        'without what this cluster exported, consumers of {{name}} get another service: {{changes}}; make the other ' +
        'clusters agree first',
      mayChange:
        'without what this cluster exported, consumers of {{name}} may get another service: {{changes}}; make the ' +
        'other clusters agree first',
      other: 'the export that is left',
    },
    phrases: outcomePhrases,
  },
  cel: notInCel.clusters,
});

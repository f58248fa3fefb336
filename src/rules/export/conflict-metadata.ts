import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { compareExports } from '../service/conflicts.ts';
import { isMetadata } from '../service/derivation.ts';
import { outcomePhrases } from '../service/outcomes.ts';

export const rule = defineRule({
  id: 'export/conflict-metadata',
  // The other exports are in other clusters.
  on: [],
  dialects: ['service-export'],
  comparison: compareExports(isMetadata),
  meta: {
    summary: 'The exports of one service export the same labels and annotations.',
    fix: 'Give the exports of all clusters the same exportedLabels and exportedAnnotations.',
    // Support for them is optional.
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #labels-and-annotations',
    quote:
      "The derived service's labels and annotations will be decided according to the conflict resolution if the set " +
      'of name/value pairs are not identical between the constituent clusters.',
    needs: ['object', 'cluster'],
    why: 'Each API server sees the exports of its own cluster; check and scan compare those of several clusters.',
    messages: {
      keys: '{{reason}}: should be the same in all clusters that export the service, got {{others}}; {{outcomes}}',
      other: 'the other export, with {{value}}',
    },
    phrases: outcomePhrases,
    pairs: {
      LabelsConflict: ['exportedLabels: { tier: gold }', 'exportedLabels: { tier: silver }'],
      AnnotationsConflict: ['exportedAnnotations: { owner: a }', '{}'],
    },
  },
  cel: notInCel.clusters,
});

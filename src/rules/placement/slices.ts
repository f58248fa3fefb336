import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { numbering } from './numbering.ts';

export const rule = defineRule({
  id: 'placement/slices',
  // The slices of a decision are written one after the other, so one write proves nothing.
  on: [],
  meta: {
    level: 'SHOULD',
    source: 'KEP-5313 #slicing',
    quote:
      'it should label each PlacementDecision with `multicluster.x-k8s.io/decision-index=<index>` where <index> ' +
      'starts at 0 and increments by 1.',
    summary: 'The slices of one decision are numbered from 0 without a gap, and carry one decision key.',
    fix:
      'Give all slices of a decision the same decision key. Number them 0, 1, 2 and so on, or remove the index ' +
      'from all.',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object, without its labels; this rule compares the slices of a decision.',
    messages: {
      unnumbered:
        'is missing, and the slice "{{other}}" of the same decision key has an index; number all slices from 0, ' +
        'or none',
      repeated:
        'is {{value}}, as the index of the slice "{{other}}" of the same decision key is; number each slice once',
      gap:
        'is {{value}}, and no slice of the same decision key has {{missing}}; number the slices 0, 1, 2 without a ' +
        'gap',
      keyless:
        'is missing, and "{{other}}" has the same scheduler and placement key; give all slices of a decision the ' +
        'same decision key',
      different:
        'is "{{value}}", and "{{other}}" has another one with the same scheduler and placement key; give all ' +
        'slices of a decision the same decision key',
      other: 'the other slice',
    },
  },
  cel: notInCel.others,
  comparison: numbering,
});

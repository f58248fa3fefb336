import { absent } from '../cel/text.ts';
import { defineRule } from '../rule.ts';
import { NAME } from './reading.ts';
import { checkUnique, compareUnique, uniqueAt } from './unique.ts';

const unique = uniqueAt(NAME, 'cluster');

export const rule = defineRule({
  id: 'inventory/unique-name',
  on: ['CREATE'],
  // A cluster-scoped kind's names are unique as it is.
  dialects: ['cluster-profile'],
  comparison: compareUnique(unique),
  readsLists: true,
  meta: {
    summary: 'ClusterProfiles of different clusters have different names, across namespaces too.',
    fix: 'Create the profile under a name that no other cluster has.',
    // "Required", but the platform administrator's duty.
    level: 'ADVICE',
    pointLevels: { scan: 'MUST' },
    source: 'KEP-4322 #cluster-name',
    quote:
      'It is required that cluster name is unique for each cluster, and it should also be unique among different providers (cluster manager).',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object; this rule compares names across namespaces.',
    messages: {
      taken: 'the name "{{value}}" is taken in the namespace {{namespace}}; choose a name that no other cluster has',
      elsewhere:
        'the name "{{value}}" is taken in the namespace {{namespace}} of the cluster "{{cluster}}"; choose a name that no other cluster has',
      other: 'the other object with the same value',
    },
  },
  cel: absent.others,
  check: checkUnique(unique),
});

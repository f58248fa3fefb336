/** KEP-4322, Cluster Name: "It is required that cluster name is unique for each cluster". */
import { absent } from '../cel/cel.ts';
import { textAt } from '../json.ts';
import { after, defineRule, NOTHING } from '../rule.ts';
import { isItself, NAME } from './reading.ts';

export const rule = defineRule({
  id: 'inventory/unique-name',
  concept: 'inventory',
  on: ['CREATE'],
  // A cluster-scoped kind's names are unique as it is.
  dialects: ['cluster-profile'],
  live: 'scan',
  meta: {
    // "Required", but the platform administrator's duty.
    level: 'ADVICE',
    pointLevels: { scan: 'MUST' },
    basis: 'kep',
    source: 'KEP-4322 #cluster-name',
    quote:
      'It is required that cluster name is unique for each cluster, and it should also be unique among different providers (cluster manager).',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object; names are compared across namespaces here.',
    code: 403,
    messages: {
      taken: 'the name "{{name}}" is taken in the namespace {{namespace}}; choose a name that no other cluster has',
    },
  },
  cel: absent.others,
  check(context) {
    if (context.name === '') return NOTHING;
    return after(context.view.list(context.dialect), (listed) => {
      if (!listed.known) return [{ path: NAME, unknown: listed.reason }];
      const twin = listed.value.find((other) => textAt(other, NAME) === context.name && !isItself(context, other));
      if (twin === undefined) return NOTHING;
      const namespace = textAt(twin, ['metadata', 'namespace']);
      return [{ path: NAME, messageId: 'taken', data: { name: context.name, namespace } }];
    });
  },
});

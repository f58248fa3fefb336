import { clusterProperty } from '../../api/dialects.ts';
import { longerThan } from '../../base/syntax.ts';
import { forPropertyIds, valueValidation } from '../cel/claim.ts';
import { defineRule } from '../rule.ts';
import { claimDetails, claimValue, isId, VALUE } from './claim-fields.ts';

const LIMIT = clusterProperty.claim.idShorterThan;

export const rule = defineRule({
  id: 'claim/id-length',
  on: ['CREATE', 'UPDATE'],
  dialects: ['cluster-property'],
  meta: {
    summary: 'The id in a ClusterProperty is shorter than 128 characters.',
    fix: 'Choose an id of at most 127 characters. Shorter is better: DNS names contain the id beside other names.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'about.k8s.io ClusterProperty, cluster.clusterset.k8s.io',
    quote: 'fewer than 128 characters',
    why: 'The CRD belongs to another project, and a CRD can only refuse, not warn.',
    code: 422,
    messages: {
      long:
        'should be shorter than {{limit}} characters, since it is a component of DNS names, got "{{value}}"; ' +
        'shorten it',
    },
  },
  cel: forPropertyIds(
    valueValidation('long', `type(variables.specValue) != string || size(variables.specValue) < ${LIMIT}`, {
      data: { limit: String(LIMIT) },
    }),
  ),
  check(context) {
    if (!isId(context)) return [];
    const value = claimValue(context.object);
    const limit = claimDetails(context).idShorterThan ?? Number.POSITIVE_INFINITY;
    if (typeof value !== 'string' || !longerThan(value, limit - 1)) return [];
    return [{ path: VALUE, messageId: 'long', data: { value, limit } }];
  },
});

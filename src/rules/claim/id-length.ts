import { clusterProperty } from '../../api/dialects.ts';
import { aboutIds, VALUE as VALUES } from '../cel/claim.ts';
import { defineRule } from '../rule.ts';
import { longerThan } from '../syntax.ts';
import { claimValue, facts, isId, VALUE } from './reading.ts';

export const rule = defineRule({
  id: 'claim/id-length',
  on: ['CREATE', 'UPDATE'],
  dialects: ['cluster-property'],
  meta: {
    level: 'SHOULD',
    basis: 'upstream',
    source: 'about.k8s.io ClusterProperty, cluster.clusterset.k8s.io',
    quote: 'fewer than 128 characters',
    needs: ['object'],
    why: 'The CRD is not ours, and a CRD knows no recommendation.',
    code: 422,
    messages: {
      long: 'should be shorter than {{limit}} characters, since it is a component of DNS names, got "{{value}}"',
    },
  },
  cel: {
    byDialect: {
      'cluster-property': {
        variables: VALUES,
        about: aboutIds(clusterProperty.claim),
        validations: [
          {
            expression: `type(variables.specValue) != string || size(variables.specValue) < ${clusterProperty.claim.idShorterThan} || variables.specValueStays`,
            field: 'spec.value',
            messageId: 'long',
            data: { limit: String(clusterProperty.claim.idShorterThan) },
          },
        ],
      },
    },
  },
  check(context) {
    if (!isId(context)) return [];
    const value = claimValue(context.object);
    const limit = facts(context).idShorterThan ?? Number.POSITIVE_INFINITY;
    if (typeof value !== 'string' || !longerThan(value, limit - 1)) return [];
    return [{ path: VALUE, messageId: 'long', data: { value, limit } }];
  },
});

import { isDnsSubdomain } from '../../base/syntax.ts';
import { forPropertyIds, SHOWN_VALUE, valueValidation } from '../cel/claim.ts';
import { isDnsSubdomain as celSubdomain } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { claimValue, isId, VALUE } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/id-mcs-form',
  on: ['CREATE', 'UPDATE'],
  dialects: ['cluster-property'],
  meta: {
    summary: 'The id in a ClusterProperty has at most two DNS labels, so that multi-cluster DNS can use it.',
    fix: 'Shorten the id to one label (east-1), or to two labels joined by a dot (east-1.example).',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster DNS specification of KEP-1645, section 2.3.4',
    quote: '<clusterid>.<svc>.<ns>.svc.<clusterset-zone>',
    why: 'The CRD belongs to another project, and a CRD can only refuse, not warn.',
    code: 422,
    messages: {
      labels:
        'should be one DNS label, or two joined by a dot, as the Multi-Cluster Services API expects of a cluster ' +
        'id, got "{{value}}"; shorten it to two labels',
    },
  },
  cel: forPropertyIds(
    valueValidation('labels', `!${celSubdomain('variables.specValue')} || size(variables.specValue.split('.')) <= 2`, {
      dataExpressions: SHOWN_VALUE,
    }),
  ),
  check(context) {
    if (!isId(context)) return [];
    const value = claimValue(context.object);
    // claim/id-syntax reports a value that is not a subdomain.
    if (typeof value !== 'string' || !isDnsSubdomain(value) || value.split('.').length <= 2) return [];
    return [{ path: VALUE, messageId: 'labels', data: { value } }];
  },
});

import { dnsLabelPattern } from '../../base/syntax.ts';
import { celOfShapes, OMITTED_FROM_LISTS } from '../cel/shape-validations.ts';
import { defineRule, type Shape, STATUS_WRITES } from '../rule.ts';

const name = { type: 'string', maxLength: 63, pattern: dnsLabelPattern };
const SHAPES: readonly Shape[] = [
  {
    subresource: 'status',
    at: ['status', 'clusters'],
    schema: { type: 'object', properties: { cluster: name }, required: ['cluster'] },
    each: { keys: [] },
  },
];

export const rule = defineRule({
  id: 'import/clusters',
  ...STATUS_WRITES,
  dialects: ['service-import'],
  meta: {
    summary: 'The status of a ServiceImport names each exporting cluster by a DNS label.',
    fix: 'Name the cluster in status.clusters as the registry of the ClusterSet does: by an RFC 1123 DNS label.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #terminology',
    quote: 'The cluster name must be a valid [RFC 1123](https://tools.ietf.org/html/rfc1123) DNS label.',
    why: 'The CRD belongs to another project and takes any text.',
    code: 422,
    messages: {
      required: 'is missing; an entry of status.clusters is { cluster: NAME }',
      type: 'must be {{expected}}, got {{found}}',
      'type:unquoted': 'must be {{expected}}, got {{found}}; put it in quotes',
      maxLength: 'must be an RFC 1123 DNS label of at most {{limit}} characters, got "{{value}}"',
      pattern:
        'must be an RFC 1123 DNS label (a-z, 0-9, "-", at most 63, with a letter or digit at both ends), ' +
        'got "{{value}}"',
    },
  },
  cel: { omits: OMITTED_FROM_LISTS, byDialect: { 'service-import': celOfShapes(SHAPES) } },
  shapes: SHAPES,
});

import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'export/namespace',
  on: ['CREATE'],
  dialects: ['service-export'],
  meta: {
    summary: 'Nothing is exported from a namespace that the configuration closes.',
    fix: 'Export the Service from another namespace, or remove the namespace from services.closedNamespaces.',
    level: 'MUST',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #restricting-exports',
    quote:
      'As a best practice, admins may want to tightly or completely prevent exports from these namespaces unless ' +
      'there is a clear use case.',
    why: 'Which namespaces are closed is configured, and a CRD has no configuration.',
    inertUntil: 'services.closedNamespaces',
    messages: {
      closed:
        'nothing may be exported from the namespace "{{namespace}}"; export the Service from another one, or remove ' +
        'it from services.closedNamespaces',
    },
  },
  cel: notInCel.configuration,
  enabled: ({ services }) => services.closedNamespaces !== undefined,
  check({ namespace = '', settings }) {
    if (!settings.services.closedNamespaces?.includes(namespace)) return [];
    return [{ path: ['metadata', 'namespace'], messageId: 'closed', data: { namespace } }];
  },
});

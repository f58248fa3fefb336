import { notInCel } from '../cel/expressions.ts';
import { type Conflict, defineRule, NAME } from '../rule.ts';
import { compareServices, isDeleted } from '../service/fleet-services.ts';

const TYPE = ['spec', 'type'];

const comparison = compareServices({ acrossOnly: false, ratchets: false }, (fleet, before) => {
  return fleet.exports.flatMap((one): Conflict[] => {
    const { object, fact, service } = one;
    const earlier = before?.exportOf(object.cluster, object.namespace, object.name)?.service.kind;
    if (earlier === service.kind || isDeleted(one, before)) return [];
    const data = { name: `${object.namespace}/${object.name}` };
    const messageId = fact.isTerminating ? 'missingAtEnd' : 'missing';
    if (service.kind === 'missing') return [{ object, problem: { path: NAME, messageId, data }, related: [] }];
    if (service.kind !== 'external name') return [];
    return [{ object, problem: { path: TYPE, messageId: 'externalName', data }, in: service.object, related: [] }];
  });
});

export const rule = defineRule({
  id: 'export/service',
  // What is exported may be created later, and its type may change.
  on: [],
  dialects: ['service-export'],
  comparison,
  meta: {
    summary: 'What is exported is a Service of the same name and namespace, and no ExternalName.',
    fix:
      'Create the Service in the namespace of the export, or delete the export. Instead of an ExternalName Service, ' +
      'create one in each cluster that needs it.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #exporting-services',
    quote:
      'To export a service, a `ServiceExport` should be created within the cluster and namespace that the service ' +
      'resides in, name-mapped to the service for export',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object; this rule finds the Service of an export.',
    messages: {
      missing:
        'NoService: there is no Service "{{name}}" in this cluster, so nothing is exported; create it, or delete ' +
        'the export',
      missingAtEnd:
        'NoService: there is no Service "{{name}}" in this cluster, so nothing is exported; the export is being ' +
        'deleted: see what keeps its finalizers',
      externalName:
        'InvalidServiceType: an ExternalName Service can\'t be exported, and "{{name}}" is one; delete the export, ' +
        'and create the Service in each cluster that needs it',
    },
  },
  cel: notInCel.others,
});

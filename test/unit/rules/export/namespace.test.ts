import { rule } from '../../../../src/rules/export/namespace.ts';
import { serviceExport } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const settings = { services: { closedNamespaces: ['kube-system', 'default'] } };
const IN_DEFAULT = { '/metadata/namespace': 'default' };
const CLOSED = finds(
  'metadata.namespace',
  'nothing may be exported from the namespace "default"; export the Service from another one, or remove it from services.closedNamespaces',
);

testRule(rule, serviceExport, {
  allow: [
    { name: 'a namespace whose name begins alike', settings, set: { '/metadata/namespace': 'default-2' } },
    { name: 'a deletion', settings, operation: 'DELETE', old: IN_DEFAULT },
    { name: 'an object without a namespace', settings, set: { '/metadata/namespace': undefined } },
  ],
  deny: [
    { name: 'another one', settings, set: IN_DEFAULT, ...CLOSED },
    { name: 'in check', settings, point: 'check', set: IN_DEFAULT, ...CLOSED },
    { name: 'in scan', settings, point: 'scan', set: IN_DEFAULT, ...CLOSED },
    {
      name: 'the older version',
      settings,
      set: { '/apiVersion': 'multicluster.x-k8s.io/v1alpha1', ...IN_DEFAULT },
      ...CLOSED,
    },
  ],
});

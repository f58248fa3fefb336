import { rule } from '../../../../src/rules/export/namespace.ts';
import { serviceExport } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const settings = { services: { closedNamespaces: ['kube-system', 'default'] } };
const IN_DEFAULT = { '/metadata/namespace': 'default' };
const closed = (namespace: string) =>
  finds(
    'metadata.namespace',
    `nothing may be exported from the namespace "${namespace}"; export the Service from another one, or remove it from services.closedNamespaces`,
  );

testRule(rule, serviceExport, {
  allow: [
    { name: 'without a configuration', set: { '/metadata/namespace': 'kube-system' } },
    { name: 'an open namespace', settings },
    { name: 'a namespace whose name begins alike', settings, set: { '/metadata/namespace': 'default-2' } },
    { name: 'an update of an export that is there', settings, old: IN_DEFAULT, set: { '/spec': {} } },
    { name: 'a deletion', settings, operation: 'DELETE', old: IN_DEFAULT },
    { name: 'an object without a namespace', settings, set: { '/metadata/namespace': undefined } },
  ],
  deny: [
    {
      name: 'the first of the list',
      settings,
      set: { '/metadata/namespace': 'kube-system' },
      ...closed('kube-system'),
    },
    { name: 'another one', settings, set: IN_DEFAULT, ...closed('default') },
    { name: 'in check', settings, point: 'check', set: IN_DEFAULT, ...closed('default') },
    { name: 'in scan', settings, point: 'scan', set: IN_DEFAULT, ...closed('default') },
    {
      name: 'the older version',
      settings,
      set: { '/apiVersion': 'multicluster.x-k8s.io/v1alpha1', ...IN_DEFAULT },
      ...closed('default'),
    },
  ],
});

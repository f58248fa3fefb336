/** A service that was exported five minutes ago has an import in each cluster with its namespace. */
import { serviceImport } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/import/missing.ts';
import { testComparison } from '../../../support/compared.ts';
import { NOW, tweaked } from '../../../support/rule-tester.ts';
import { condition, exportedWith, imported, memberOf, service } from '../../../support/services.ts';

const clock = () => Date.parse(NOW);
const valid = exportedWith(condition('Valid', 'True'));
/** A valid export, created so many milliseconds before now. */
const aged = (milliseconds: number, object = valid): JsonObject =>
  tweaked(object, { '/metadata/creationTimestamp': new Date(clock() - milliseconds).toISOString() });
const MINUTES = 60_000;
const shop: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const yard: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'yard' } };
const inYard = (object: JsonObject) => tweaked(object, { '/metadata/namespace': 'yard' });
/** Exports of several ages, the oldest of which is not valid. */
const several = {
  a: [aged(9 * MINUTES)],
  b: [aged(30 * MINUTES)],
  c: [aged(60 * MINUTES, exportedWith(condition('Valid', 'False')))],
  d: [aged(30 * MINUTES)],
};
const alone = { '': [valid] };
/** A Service of another name: those of the cluster are known. */
const others = [service({ '/metadata/name': 'api' })];

testComparison(rule, {
  points: ['scan'],
  options: { clock },
  line: (cluster) => `${cluster} ServiceExport shop/web: warn import/missing metadata.name`,
  findings: ['east'],
  reports: [
    ['a cluster that exports it and has no import', { east: [valid] }],
    ['a cluster with the Namespace', { east: [valid, imported()], west: [shop] }],
    ['an import of another name', { east: [valid, tweaked(imported(), { '/metadata/name': 'api' })] }],
    ['an import in another namespace', { east: [valid, inYard(imported())] }],
    [
      'an import in another ClusterSet',
      {
        east: [...memberOf('blue', 'e'), valid],
        west: [...memberOf('red', 'w'), imported()],
      },
    ],
    ['an export that is being deleted', { east: [tweaked(valid, { '/metadata/deletionTimestamp': NOW })] }],
    ['an export just more than five minutes old', { east: [aged(5 * MINUTES + 1000)] }],
    ['the oldest export that is valid, once for all clusters', several, ['b']],
    ['a run of one cluster, which has no name', alone, [''], { isAcross: false }],
  ],
  silent: [
    ['imports in all clusters with the namespace', { east: [valid, imported()], west: [shop, imported()] }],
    ['a cluster without the namespace', { east: [valid, imported()], west: [yard, inYard(service())] }],
    ['an export of five minutes', { east: [aged(5 * MINUTES)] }],
    ['an export without a time', { east: [tweaked(valid, { '/metadata/creationTimestamp': undefined })] }],
    ['an export whose Service is gone, whatever its condition says', { east: [valid, ...others] }],
    ['an export that is not valid', { east: [exportedWith(condition('Valid', 'False'))] }],
    ['an export of which validity is not known', { east: [exportedWith(condition('Ready', 'True'))] }],
    ['a cluster in no ClusterSet', { east: [...memberOf('blue', 'e'), valid, imported()], west: [shop] }],
    ['an export in no ClusterSet', { east: [valid], west: memberOf('blue', 'w') }],
    ['a cluster whose imports could not be read', { east: [valid] }, { unread: { east: [serviceImport] } }],
  ],
  messages: [
    [
      'of several clusters',
      several,
      [
        'the service is exported, and has no ServiceImport in a, b, c, d, where the namespace shop exists; see whether ' +
          'the controller of your multi-cluster services runs there',
      ],
    ],
    [
      'of one cluster, which has no name',
      alone,
      [
        'the service is exported, and has no ServiceImport in this cluster; see whether the controller of your ' +
          'multi-cluster services runs',
      ],
      { isAcross: false },
    ],
  ],
});

/** An import is stale where it is proven that no cluster exports the service any more. */
import { clusterProperty, serviceExport } from '../../../../src/api/dialects.ts';
import { rule } from '../../../../src/rules/import/stale.ts';
import { type Clusters, testComparison } from '../../../support/compared.ts';
import { type Tweak, tweaked } from '../../../support/rule-tester.ts';
import { exported, imported, importedFrom, memberOf, service } from '../../../support/services.ts';

const blue = (id: string) => memberOf('blue', id);
const STALE = ['west ServiceImport shop/web: warn import/stale metadata.name'];
const other: Tweak = { '/metadata/name': 'api' };
/** Imports what the cluster with the id e exports. */
const west = [...blue('w'), importedFrom('e')];
/** With an import that names no cluster. */
const nameless: Clusters = { east: blue('e'), west: [...blue('w'), imported()] };
const SERVICE_NAME = 'multicluster.kubernetes.io/service-name';
/** The import, with the name of a service in its labels or annotations. */
const noted = (map: string, name: string): Clusters => ({
  east: blue('e'),
  west: [...blue('w'), tweaked(importedFrom('e'), { [`/metadata/${map}`]: { [SERVICE_NAME]: name } })],
});
/** The import, as the controller of AWS Cloud Map made it. */
const ofCloudMap: Clusters = {
  east: blue('e'),
  west: [
    ...blue('w'),
    tweaked(importedFrom('e'), { '/metadata/annotations': { 'multicluster.k8s.aws/derived-service': '[]' } }),
  ],
};
const unread = { east: [serviceExport] } as const;
/** In a complete run, the claims of the north could not be read. */
const northUnread = { isComplete: true, unread: { north: [clusterProperty, serviceExport] } };

testComparison(rule, {
  points: ['scan'],
  findings: STALE,
  reports: [
    ['an import whose only cluster exports it no more', { east: blue('e'), west }],
    [
      'an import of several clusters that export it no more',
      { east: blue('e'), north: blue('n'), west: [...blue('w'), importedFrom('e', 'n', 'w')] },
    ],
    ['an import of its own cluster', { west: [...blue('w'), importedFrom('w')] }],
    [
      'an import beside exports of other names and namespaces',
      { east: [...blue('e'), exported(other), exported({ '/metadata/namespace': 'yard' })], west },
    ],
    [
      'an import whose service is exported in another ClusterSet',
      { east: blue('e'), red: [...memberOf('red', 'r'), exported()], west },
    ],
    [
      'an import whose service is exported by a cluster in no ClusterSet',
      { east: blue('e'), none: [exported()], west },
    ],
    ['an import with the name of its service', noted('labels', 'web')],
    ['a Service without an export', { east: [...blue('e'), service()], west }],
    ['an import that names no cluster, in a complete run', nameless, STALE, { isComplete: true }],
    ['an import whose status is not kept up to date, in a complete run', ofCloudMap, STALE, { isComplete: true }],
    [
      'ids of clusters in no ClusterSet, where no cluster says one',
      { east: blue('e').slice(0, 1), west: [importedFrom('e')] },
    ],
    ['clusters without an id, by their names in the run', { east: [], west: [importedFrom('east')] }],
    [
      'an import of no cluster whose exports could not be read',
      { east: blue('e'), west: [...blue('w'), importedFrom('w')] },
      STALE,
      { unread },
    ],
    [
      'an import beside a member of another ClusterSet that could not be read',
      { ...nameless, north: memberOf('red', 'n') },
      STALE,
      northUnread,
    ],
  ],
  silent: [
    ['an exported service', { east: [...blue('e'), exported()], west }],
    ['a service that a cluster exports which it does not name', { east: blue('e'), west: [...west, exported()] }],
    [
      'an export that is being deleted',
      { east: [...blue('e'), exported({ '/metadata/deletionTimestamp': '2026-06-01T12:00:00Z' })], west },
    ],
    ["a controller's note about another service, by a label", noted('labels', 'api')],
    ["a controller's note about another service, by an annotation", noted('annotations', 'api')],
    ['an import whose status is not kept up to date', ofCloudMap],
    ['a cluster that is not in the run', { west }],
    [
      'one cluster of two that is not in the run',
      { east: blue('e'), west: [...blue('w'), importedFrom('e', 'somewhere')] },
    ],
    ['a cluster of another ClusterSet', { east: memberOf('red', 'e'), west }],
    ['an import in a cluster of no ClusterSet', { east: blue('e'), west: [importedFrom('e')] }],
    ['a cluster that the run does not have', { east: [], west: [importedFrom('e')] }],
    ['an empty list of clusters', { east: blue('e'), west: [...blue('w'), importedFrom()] }],
    ['an import that names no cluster, where the run may lack clusters', nameless],
    ['the name of a cluster that has an id', { east: blue('e'), west: [...blue('w'), importedFrom('east')] }],
    ['clusters whose exports could not be read', { east: blue('e'), west }, { unread }],
    ['any cluster whose exports could not be read, in a complete run', nameless, { unread, isComplete: true }],
    [
      'a cluster that may be a member, since its claims could not be read',
      { east: blue('e'), north: [], west: [...blue('w'), imported()] },
      northUnread,
    ],
    [
      'an import in a cluster of no ClusterSet, in a complete run',
      { east: blue('e'), west: [imported()] },
      { isComplete: true },
    ],
  ],
  messages: [
    [
      'what is there and how to fix it',
      { east: blue('e'), west },
      ['no cluster exports shop/web any more; let the controller delete the import, or delete it yourself'],
    ],
  ],
});

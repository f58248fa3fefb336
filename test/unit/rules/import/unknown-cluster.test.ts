/** In a complete run, an import names members of its ClusterSet alone. */
import { rule } from '../../../../src/rules/import/unknown-cluster.ts';
import { testComparison } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';
import { imported, importedFrom, memberOf } from '../../../support/services.ts';

const blue = (id: string) => memberOf('blue', id);

testComparison(rule, {
  points: ['scan'],
  options: { isComplete: true },
  findings: ['west ServiceImport shop/web: warn import/unknown-cluster status.clusters'],
  reports: [
    ['a name that is no id', { west: [...blue('w'), importedFrom('gone')] }],
    ['one such name beside ids', { east: blue('e'), west: [...blue('w'), importedFrom('e', 'gone', 'w')] }],
    ['several such names, once', { west: [...blue('w'), importedFrom('gone', 'gone', 'lost')] }],
    ['an id of another ClusterSet', { red: memberOf('red', 'r'), west: [...blue('w'), importedFrom('r')] }],
    ['another label of an id', { east: blue('e.registry'), west: [...blue('w'), importedFrom('registry')] }],
    [
      'the name of a cluster in the run that has another id',
      { east: blue('e'), west: [...blue('w'), importedFrom('east')] },
    ],
  ],
  silent: [
    ['ids of members', { east: blue('e'), west: [...blue('w'), importedFrom('e', 'w')] }],
    ['the first label of an id', { east: blue('e.registry'), west: [...blue('w'), importedFrom('e', 'e.registry')] }],
    [
      'an import of AWS Cloud Map, whose status is not kept up to date',
      {
        west: [
          ...blue('w'),
          tweaked(importedFrom('gone'), { '/metadata/annotations': { 'multicluster.k8s.aws/derived-service': '[]' } }),
        ],
      },
    ],
    ['an import that names none', { west: [...blue('w'), imported()] }],
    ['members without an id', { east: blue('e').slice(1), west: [...blue('w'), importedFrom('gone')] }],
    ['clusters without claims', { east: [], west: [importedFrom('gone')] }],
    ['an import in a cluster of no ClusterSet', { east: blue('e'), west: [importedFrom('gone')] }],
    [
      'any name where clusters may be missing in the run',
      { west: [...blue('w'), importedFrom('gone')] },
      { isComplete: false },
    ],
  ],
  messages: [
    [
      'the name, and how to fix it',
      { west: [...blue('w'), importedFrom('gone', 'w', 'lost', 'gone')] },
      [
        'names what is the id of no member of the ClusterSet: gone, lost; correct the id, or see why the controller ' +
          'still names a cluster that has left',
      ],
    ],
  ],
});

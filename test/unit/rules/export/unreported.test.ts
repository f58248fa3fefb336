/** The conditions of exports say whether there is a conflict. */
import { expect } from '@jest/globals';
import { serviceExport } from '../../../../src/api/dialects.ts';
import { service as serviceKind } from '../../../../src/api/supporting-kinds.ts';
import { rule } from '../../../../src/rules/export/unreported.ts';
import { type Clusters, testComparison } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';
import { condition, exported, exportedWith, memberOf, service } from '../../../support/services.ts';

const blue = (id: string) => memberOf('blue', id);
const quiet = exportedWith(condition('Valid', 'True'), condition('Conflict', 'False'));
const loud = exportedWith(condition('Valid', 'True'), condition('Conflict', 'True'));
const headless = service({ '/spec/clusterIP': 'None' });
const other = service({ '/spec/clusterIP': 'None', '/spec/ports/0/port': 81 });
/** A conflict that no condition names. */
const unnamed: Clusters = { east: [quiet, service()], west: [quiet, headless] };
/** A condition without a conflict. */
const agreeing: Clusters = { east: [...blue('e'), loud, service()], west: [...blue('w'), quiet, service()] };
const LABELS = { '/spec': { exportedLabels: { tier: 'gold' } } };
const families = service({ '/spec/ipFamilies': ['IPv4'] });
const onEach = ['east', 'west'];
const complete = { isComplete: true };
const withoutService = service({ '/metadata/name': 'api' });
const westUnread: Clusters = { ...agreeing, west: [...blue('w'), quiet] };
const redBeside: Clusters = { ...agreeing, red: memberOf('red', 'r') };

testComparison(rule, {
  points: ['scan'],
  line: (cluster) => `${cluster} ServiceExport shop/web: warn export/unreported status.conditions`,
  reports: [
    ['a conflict that no condition names, on each export', unnamed, onEach],
    [
      'such a conflict on the exports that have a status',
      { east: [quiet, service()], north: [exported(), service()], west: [exported({ '/status': {} }), headless] },
      ['east'],
    ],
    [
      'such a conflict on exports that agree with others, too',
      { ...unnamed, north: [quiet, service()] },
      ['east', 'north', 'west'],
    ],
    [
      'such a conflict, not on an export whose Service is missing or an alias',
      {
        ...unnamed,
        missing: [quiet, withoutService],
        alias: [quiet, service({ '/spec': { type: 'ExternalName' } })],
      },
      onEach,
    ],
    [
      'a conflict beside another condition',
      { ...unnamed, east: [exportedWith(condition('Ready', 'True')), service()] },
      onEach,
    ],
    [
      'a conflict beside other ClusterSets',
      {
        east: [...blue('e'), quiet, service()],
        red: [...memberOf('red', 'r'), loud, headless],
        west: [...blue('w'), quiet, headless],
      },
      onEach,
    ],
    ['a condition without a conflict, on the export that has it', agreeing, ['east'], complete],
    ['on each that has it', { east: [loud, service()], west: [loud, service()] }, onEach, complete],
    ['where the Service is not there', { east: [loud, withoutService] }, ['east'], complete],
    [
      'where exports of another ClusterSet could not be read',
      redBeside,
      ['east'],
      { ...complete, unread: { red: [serviceExport] } },
    ],
  ],
  silent: [
    ['a conflict that one export reports', { ...unnamed, east: [loud, service()] }, complete],
    ['a conflict that an export without a Service reports', { ...unnamed, north: [loud, withoutService] }, complete],
    ['exports without a status', { east: [exported(), service()], west: [exported(), headless] }, complete],
    [
      'exports with a status of nulls, which is none',
      { east: [exported({ '/status': { conditions: null } }), service()], west: [exported(), headless] },
      complete,
    ],
    ['labels alone', { east: [quiet, service()], west: [tweaked(quiet, LABELS), service()] }, complete],
    ['no conflict', { east: [quiet, service()], west: [quiet, service()] }, complete],
    ['a condition, where the run may lack clusters', agreeing],
    [
      'a condition where labels conflict',
      { east: [tweaked(loud, LABELS), service()], west: [quiet, service()] },
      complete,
    ],
    ['a Service that could not be read', westUnread, { ...complete, unread: { west: [serviceKind] } }],
    ['exports that could not be read', agreeing, { ...complete, unread: { west: [serviceExport] } }],
  ],
  messages: [
    [
      'the reasons of a conflict',
      { east: [quiet, service()], west: [quiet, other] },
      onEach.map(
        () =>
          'no export of the service has the condition Conflict, but there is one (TypeConflict, PortConflict); see ' +
          'whether the controller of your multi-cluster services compares these properties',
      ),
    ],
    [
      'what to look for where Services agree',
      { east: [...blue('e'), loud, families], west: [...blue('w'), quiet, families] },
      [
        'the condition Conflict is true, but the exported Services agree; see whether the controller of your ' +
          'multi-cluster services still updates the status',
      ],
      complete,
    ],
    [
      'what to look for where Services leave something open',
      agreeing,
      [
        'the condition Conflict is true, but the exported Services agree in all that they say; see whether the ' +
          'controller of your multi-cluster services compares what they leave open, or no longer updates the status',
      ],
      complete,
    ],
    ['of one export', { east: [loud, service()] }, [expect.stringContaining('Services agree; see')], complete],
  ],
});

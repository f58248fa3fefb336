/** The conditions of exports say whether there is a conflict. */
import { describe, expect, test } from '@jest/globals';
import { serviceExport } from '../../../../src/api/dialects.ts';
import { service as serviceKind } from '../../../../src/api/supporting-kinds.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';
import { condition, exported, exportedWith, memberOf, service } from '../../../support/services.ts';

const RULE = 'export/unreported';
const blue = (id: string) => memberOf('blue', id);
const found = (clusters: Clusters, options: Parameters<typeof conflictsIn>[1] = {}) =>
  conflictsIn(clusters, { rule: RULE, ...options });
const on = (cluster: string) => `${cluster} ServiceExport shop/web: warn export/unreported status.conditions`;

const quiet = exportedWith(condition('Valid', 'True'), condition('Conflict', 'False'));
const loud = exportedWith(condition('Valid', 'True'), condition('Conflict', 'True'));
const headless = service({ '/spec/clusterIP': 'None' });
/** A conflict that no condition names. */
const unnamed: Clusters = { east: [quiet, service()], west: [quiet, headless] };
const labelled = tweaked(quiet, { '/spec': { exportedLabels: { tier: 'gold' } } });

describe('reports a conflict that no condition names', () => {
  test.each<[string, Clusters, readonly string[]]>([
    ['on each export', unnamed, ['east', 'west']],
    [
      'on those that have a status',
      { east: [quiet, service()], north: [exported(), service()], west: [exported({ '/status': {} }), headless] },
      ['east'],
    ],
    ['on those that agree with others, too', { ...unnamed, north: [quiet, service()] }, ['east', 'north', 'west']],
    [
      'not on an export whose Service is missing or an alias',
      {
        ...unnamed,
        missing: [quiet, service({ '/metadata/name': 'api' })],
        alias: [quiet, service({ '/spec': { type: 'ExternalName' } })],
      },
      ['east', 'west'],
    ],
    [
      'that another condition names',
      { ...unnamed, east: [exportedWith(condition('Ready', 'True')), service()] },
      ['east', 'west'],
    ],
    [
      'beside other ClusterSets',
      {
        east: [...blue('e'), quiet, service()],
        red: [...memberOf('red', 'r'), loud, headless],
        west: [...blue('w'), quiet, headless],
      },
      ['east', 'west'],
    ],
  ])('%s', async (_, clusters, names) => expect(await found(clusters)).toEqual(names.map(on)));

  test('with its reasons', async () => {
    const other = service({ '/spec/clusterIP': 'None', '/spec/ports/0/port': 81 });
    const [message] = await messagesOf({ east: [quiet, service()], west: [quiet, other] }, RULE);
    expect(message).toBe(
      'no export of the service has the condition Conflict, but there is one (TypeConflict, PortConflict); see ' +
        'whether the controller of your multi-cluster services compares these properties',
    );
  });

  test.each<[string, Clusters]>([
    ['one export reports it', { ...unnamed, east: [loud, service()] }],
    ['an export without a Service reports it', { ...unnamed, north: [loud, service({ '/metadata/name': 'api' })] }],
    ['no export has a status', { east: [exported(), service()], west: [exported(), headless] }],
    ['labels alone conflict', { east: [quiet, service()], west: [labelled, service()] }],
    ['there is none', { east: [quiet, service()], west: [quiet, service()] }],
    [
      'its clusters are in other ClusterSets',
      {
        east: [...blue('e'), quiet, service()],
        west: [...memberOf('red', 'w'), quiet, headless],
      },
    ],
  ])('but not where %s', async (_, clusters) => expect(await found(clusters, { isComplete: true })).toEqual([]));
});

describe('reports a condition without a conflict, in a complete run', () => {
  const agreeing: Clusters = { east: [...blue('e'), loud, service()], west: [...blue('w'), quiet, service()] };
  const complete = { isComplete: true };

  test.each<[string, Clusters, readonly string[]]>([
    ['on the export that has it', agreeing, ['east']],
    ['on each that has it', { east: [loud, service()], west: [loud, service()] }, ['east', 'west']],
    ['on the only export', { east: [loud, service()] }, ['east']],
    ['where the Service is not there', { east: [loud, service({ '/metadata/name': 'api' })] }, ['east']],
  ])('%s', async (_, clusters, names) => {
    expect(await found(clusters, complete)).toEqual(names.map(on));
    expect(await found(clusters)).toEqual([]);
  });

  test('with what to look for', async () => {
    const families = { '/spec/ipFamilies': ['IPv4'] };
    const stored = { east: [...blue('e'), loud, service(families)], west: [...blue('w'), quiet, service(families)] };
    expect(await messagesOf(stored, RULE, complete)).toEqual([
      'the condition Conflict is true, but the exported Services agree; see whether the controller of your ' +
        'multi-cluster services still updates the status',
    ]);
    expect(await messagesOf(agreeing, RULE, complete)).toEqual([
      'the condition Conflict is true, but the exported Services agree in all that they say; see whether the ' +
        'controller of your multi-cluster services compares what they leave open, or no longer updates the status',
    ]);
    const alone = await messagesOf({ east: [loud, service()] }, RULE, complete);
    expect(alone).toEqual([expect.stringContaining('Services agree; see')]);
  });

  test('but not where labels conflict', async () => {
    const labelledToo: JsonObject = tweaked(loud, { '/spec': { exportedLabels: { tier: 'gold' } } });
    expect(await found({ east: [labelledToo, service()], west: [quiet, service()] }, complete)).toEqual([]);
  });

  test('but not where exports or a Service could not be read', async () => {
    const west = [...blue('w'), quiet];
    expect(await found({ ...agreeing, west }, { ...complete, unread: { west: [serviceKind] } })).toEqual([]);
    expect(await found(agreeing, { ...complete, unread: { west: [serviceExport] } })).toEqual([]);
    const away: Clusters = { ...agreeing, red: memberOf('red', 'r') };
    expect(await found(away, { ...complete, unread: { red: [serviceExport] } })).toEqual([on('east')]);
  });

  test('and nothing at check', async () => {
    expect(await found(agreeing, { ...complete, point: 'check' })).toEqual([]);
  });
});

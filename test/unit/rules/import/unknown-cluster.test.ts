/** In a complete run, an import names members of its ClusterSet alone. */
import { describe, expect, test } from '@jest/globals';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { imported, importedFrom, memberOf } from '../../../support/services.ts';

const RULE = 'import/unknown-cluster';
const blue = (id: string) => memberOf('blue', id);
const found = (clusters: Clusters, options: Parameters<typeof conflictsIn>[1] = {}) =>
  conflictsIn(clusters, { rule: RULE, isComplete: true, ...options });
const UNKNOWN = 'west ServiceImport shop/web: warn import/unknown-cluster status.clusters';

describe('reports', () => {
  test.each<[string, Clusters, readonly string[]]>([
    ['a name that is no id', { west: [...blue('w'), importedFrom('gone')] }, [UNKNOWN]],
    ['one such name beside ids', { east: blue('e'), west: [...blue('w'), importedFrom('e', 'gone', 'w')] }, [UNKNOWN]],
    ['several such names, once', { west: [...blue('w'), importedFrom('gone', 'gone', 'lost')] }, [UNKNOWN]],
    ['an id of another ClusterSet', { red: memberOf('red', 'r'), west: [...blue('w'), importedFrom('r')] }, [UNKNOWN]],
    ['another label of an id', { east: blue('e.registry'), west: [...blue('w'), importedFrom('registry')] }, [UNKNOWN]],
    [
      'the name of a cluster in the run that has another id',
      { east: blue('e'), west: [...blue('w'), importedFrom('east')] },
      [UNKNOWN],
    ],
  ])('%s', async (_, clusters, expected) => expect(await found(clusters)).toEqual(expected));

  test('the name, and how to fix it', async () => {
    const clusters = { west: [...blue('w'), importedFrom('gone', 'w', 'lost', 'gone')] };
    expect(await messagesOf(clusters, RULE, { isComplete: true })).toEqual([
      'names what is the id of no member of the ClusterSet: gone, lost; correct the id, or see why the controller ' +
        'still names a cluster that has left',
    ]);
  });
});

describe('is silent on', () => {
  test.each<[string, Clusters]>([
    ['ids of members', { east: blue('e'), west: [...blue('w'), importedFrom('e', 'w')] }],
    ['the first label of an id', { east: blue('e.registry'), west: [...blue('w'), importedFrom('e', 'e.registry')] }],
    ['an import that names none', { west: [...blue('w'), imported()] }],
    ['members without an id', { east: blue('e').slice(1), west: [...blue('w'), importedFrom('gone')] }],
    ['clusters without claims', { east: [], west: [importedFrom('gone')] }],
    ['an import in a cluster of no ClusterSet', { east: blue('e'), west: [importedFrom('gone')] }],
  ])('%s', async (_, clusters) => expect(await found(clusters)).toEqual([]));

  test('any name where clusters may be missing in the run', async () => {
    expect(await found({ west: [...blue('w'), importedFrom('gone')] }, { isComplete: false })).toEqual([]);
  });
});

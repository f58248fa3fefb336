import { describe, expect, test } from '@jest/globals';
import { matchedPart, parseGlob } from '../../../../src/input/clusters/glob.ts';

test.each<[glob: string, base: string, folder: string, name: string | undefined]>([
  ['clusters/*', 'clusters', 'east', 'east'],
  ['./clusters/*/', 'clusters', 'east', 'east'],
  ['../clusters/*', '../clusters', 'east', 'east'],
  ['/srv/clusters/*', '/srv/clusters', 'east', 'east'],
  ['/*', '/', 'east', 'east'],
  ['*', '.', 'east', 'east'],
  ['clusters/*', 'clusters', 'east/apps', undefined],
  ['clusters/*', 'clusters', '.hidden', undefined],
  ['clusters/.*', 'clusters', '.hidden', 'hidden'],
  ['fleets/*/*', 'fleets', 'eu/east', 'eu/east'],
  ['fleets/*/*', 'fleets', 'eu', undefined],
  ['apps/*/overlays/*', 'apps', 'shop/overlays/east', 'shop/east'],
  ['apps/*/overlays/*', 'apps', 'shop/base/east', undefined],
  ['clusters/prod-*', 'clusters', 'prod-east', 'east'],
  ['clusters/prod-*', 'clusters', 'dev-east', undefined],
  ['clusters/*-eu-*', 'clusters', 'a-eu-b', 'a-eu-b'],
  ['clusters/east*', 'clusters', 'east', 'east'],
  ['clusters/c?', 'clusters', 'c1', '1'],
  ['clusters/c?', 'clusters', 'c', undefined],
  ['clusters/**', 'clusters', 'eu/east', 'eu/east'],
  ['clusters/**/prod', 'clusters', 'prod', undefined],
  ['clusters/**/prod-*', 'clusters', 'prod-a', 'a'],
  ['clusters/**/prod', 'clusters', 'eu/north/prod', 'eu/north'],
  ['clusters/**/prod', 'clusters', 'eu/.git/prod', undefined],
  ['clusters/a.c*', 'clusters', 'abcd', undefined],
  ['hub', '.', 'hub', 'hub'],
  ['./fleet/hub/', 'fleet', 'hub', 'hub'],
  ['../hub', '..', 'hub', 'hub'],
  ['/srv/hub', '/srv', 'hub', 'hub'],
  ['hub', '.', 'hubs', undefined],
  ['hub', '.', 'hub/inner', undefined],
])('%s: folder %s, then %s is %s', (text, base, folder, name) => {
  const glob = parseGlob(text, '--clusters');
  expect({ base: glob.base, name: matchedPart(glob, folder.split('/')) }).toEqual({ base, name });
});

test('a relative glob begins in the folder that is given, an absolute one does not', () => {
  expect(parseGlob('clusters/*', '', 'platform').base).toBe('platform/clusters');
  expect(parseGlob('/srv/*', '', 'platform').base).toBe('/srv');
});

describe('a glob that names no clusters is refused', () => {
  test.each(['', '.', '/', 'clusters/..', 'clusters/*/../x', '**/a/**'])('%s', (text) => {
    expect(() => parseGlob(text, '--clusters')).toThrow('needs a folder, or a glob of folders (*, ? or one **)');
  });
});

/** What is taken away from consumers with an export, while the others differ from it. */
import { expect, test } from '@jest/globals';
import { serviceExport } from '../../../../src/api/dialects.ts';
import { service as serviceKind } from '../../../../src/api/supporting-kinds.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { DYING } from '../../../support/bases.ts';
import { type Clusters, comparisonOf } from '../../../support/compared.ts';
import type { Tweak } from '../../../support/rule-tester.ts';
import { exported, memberOf, service } from '../../../support/services.ts';

const RULE = 'export/removal';
const at = (time: number) => ({ '/metadata/creationTimestamp': `2026-06-01T00:00:0${time}Z` });
const web = (time: number | undefined, spec: Tweak = {}, ofExport: Tweak = {}): readonly JsonObject[] => [
  exported(
    time === undefined ? { '/metadata/creationTimestamp': undefined, ...ofExport } : { ...at(time), ...ofExport },
  ),
  service(spec),
];
const headless = { '/spec/clusterIP': 'None' };
const other = { '/spec/ports': [{ name: 'http', port: 8080 }] };
const more = {
  '/spec/ports': [
    { name: 'http', port: 80 },
    { name: 'x', port: 81 },
  ],
};
const another = service({ '/metadata/name': 'api' });

/** Returns `CLUSTER messageId` of each finding. */
function removalsIn(before: Clusters, clusters: Clusters, options: Parameters<typeof comparisonOf>[1] = {}): string[] {
  const found = comparisonOf(clusters, { point: 'check', ...options }).finish(comparisonOf(before, { point: 'check' }));
  return found.flatMap(({ handle, verdict }) =>
    verdict.findings
      .filter(({ ruleId }) => ruleId === RULE)
      .map(({ message }) => `${handle.split(' ')[0]} ${message.includes('may get') ? 'may' : 'does'}`),
  );
}

const differing: Clusters = { east: web(1, headless), west: web(2) };
const undated: Clusters = { east: web(undefined, headless), west: web(undefined) };

test.each<[string, Clusters, Clusters, string[]]>([
  ['the others agree', { east: web(1), west: web(2) }, { east: [], west: web(2) }, []],
  ['the oldest had another type', differing, { ...differing, east: [] }, ['east does']],
  ['a younger one had another type', { east: web(2, headless), west: web(1) }, { east: [], west: web(1) }, []],
  [
    'a younger one had a port of its own',
    { east: web(2, more), west: web(1) },
    { east: [], west: web(1) },
    ['east does'],
  ],
  ['a younger one had a port that was dropped', { east: web(2, other), west: web(1) }, { east: [], west: web(1) }, []],
  ['it is open which was the oldest', undated, { ...undated, east: [] }, ['east may']],
  ['times are equal', { east: web(1, headless), west: web(1) }, { east: [], west: web(1) }, ['east may']],
  [
    'one that agrees may be younger than one that differs',
    { a: web(undefined), b: web(undefined, headless), c: web(undefined) },
    { a: [], b: web(undefined, headless), c: web(undefined) },
    ['a may'],
  ],
  [
    'only labels differ',
    { east: web(1, {}, { '/spec': { exportedLabels: { a: 'b' } } }), west: web(2) },
    { east: [], west: web(2) },
    [],
  ],
  ['no export is left', differing, { east: [], west: [] }, []],
  [
    'all others differ',
    { east: web(1, headless), north: web(2), west: web(3, other) },
    { east: [], north: web(2), west: web(3, other) },
    ['east does'],
  ],
  ['the others changed to agree', differing, { east: [], west: web(2, headless) }, []],
  ['its Service goes', differing, { ...differing, east: [exported(at(1)), another] }, ['east does']],
  [
    'its Service becomes an alias',
    differing,
    { ...differing, east: web(1, { '/spec/type': 'ExternalName' }) },
    ['east does'],
  ],
  ['its cluster goes', differing, { west: web(2), north: [] }, ['east does']],
  [
    'it leaves the ClusterSet',
    { east: [...web(1, headless), ...memberOf('a', 'e')], west: [...web(2), ...memberOf('a', 'w')] },
    { east: web(1, headless), west: [...web(2), ...memberOf('a', 'w')] },
    ['east does'],
  ],
  ['it waits for its finalizers', differing, { ...differing, east: web(1, headless, DYING) }, ['east does']],
  [
    'it waited for its finalizers before',
    { ...differing, east: web(1, headless, DYING) },
    { ...differing, east: web(1, headless, DYING) },
    [],
  ],
  [
    'a new export is the same, and as early as the others',
    { east: web(undefined), west: web(undefined, headless) },
    { north: web(undefined), west: web(undefined, headless) },
    ['east may'],
  ],
  ['a new export is another', { east: web(1), west: web(2) }, { north: web(3, more), west: web(2) }, []],
  ['it exported nothing', { east: [exported(at(1)), another], west: web(2) }, { east: [], west: web(2) }, []],
  [
    'two that differ go',
    { a: web(1, headless), b: web(2, more), c: web(3) },
    { a: [], b: [], c: web(3) },
    ['a does', 'b does'],
  ],
  [
    'of two that go the older one gave what is left',
    { a: web(1), b: web(2, headless), c: web(3) },
    { a: [], b: [], c: web(3) },
    [],
  ],
  [
    'of two alike that go the younger one gave nothing',
    { a: web(1, headless), b: web(1), c: web(3, headless), d: web(4) },
    { a: [], b: web(1), c: [], d: web(4) },
    ['a may'],
  ],
  [
    'the only one goes, and a new one is another',
    { east: web(undefined) },
    { east: [], west: web(undefined, headless) },
    ['east does'],
  ],
  ['it moves to another cluster', { east: web(undefined, headless) }, { west: web(undefined, headless) }, []],
  ['nothing goes', differing, differing, []],
  ['one is new', { west: web(2) }, differing, []],
])('%s', (_, before, clusters, expected) => expect(removalsIn(before, clusters)).toEqual(expected));

test('what can not be read may still be there', () => {
  const kinds = [serviceExport, serviceKind];
  for (const changed of [{ east: [] }, { east: [exported(at(1))] }, { west: [exported(at(2))] }]) {
    const unread = 'east' in changed ? { east: kinds } : { west: kinds };
    expect(removalsIn(differing, { ...differing, ...changed }, { unread })).toEqual([]);
  }
});

test('in a scan, or without a previous state, nothing is known to be taken away', () => {
  const clusters = { east: [], west: web(2) };
  expect(removalsIn(differing, clusters, { point: 'scan' })).toEqual([]);
  const found = comparisonOf(clusters, { point: 'check' }).finish();
  expect(found).toEqual([]);
});

test.each([
  ['session affinity', { '/spec/sessionAffinity': 'ClientIP' }, 'session affinity ClientIP', 'session affinity None'],
  [
    'traffic distribution',
    { '/spec/trafficDistribution': 'PreferSameZone' },
    'traffic distribution PreferSameZone',
    'none',
  ],
  [
    'internal traffic policy',
    { '/spec/internalTrafficPolicy': 'Local' },
    'internal traffic policy Local',
    'policy Cluster',
  ],
])('the finding names the %s, where that is what changes', (_, spec, had, gets) => {
  const before = comparisonOf({ east: web(1, spec), west: web(2) }, { point: 'check' });
  const [found] = comparisonOf({ east: [], west: web(2) }, { point: 'check' }).finish(before);
  const [, from, to] = /another service: (.*) becomes (.*);/.exec(String(found?.verdict.findings[0]?.message)) ?? [];
  expect([from, to]).toEqual([expect.stringContaining(had), expect.stringContaining(gets)]);
});

const messageOf = (before: Clusters, clusters: Clusters) => {
  const found = comparisonOf(clusters, { point: 'check' }).finish(comparisonOf(before, { point: 'check' }));
  const messages = found.flatMap(({ verdict }) => verdict.findings.filter(({ ruleId }) => ruleId === RULE));
  return messages.map(({ message }) => / service: (.*); make/.exec(message)?.[1]);
};

test('where it is open who is next, each change is named, that of the type first', () => {
  const own = web(1, { ...more });
  const rest = { north: web(2, other), west: web(2, { ...headless, ...other }) };
  const had = 'ClusterSetIP with http 80/TCP, x 81/TCP, without http 8080/TCP of';
  expect(messageOf({ east: own, ...rest }, { east: [], ...rest })).toEqual([
    `${had} north, west becomes Headless with http 8080/TCP (if the export of east is the oldest, and that of west ` +
      `next), or ${had} north, west becomes ClusterSetIP with http 8080/TCP (if the export of east is the oldest, and ` +
      'that of north next)',
  ]);
});

test('where it is open who comes before the one that goes, after one that is known to be older', () => {
  const ports = (name: string) => web(2, { '/spec/ports': [{ name, port: 81 }] });
  const clusters = { a: web(1), b: ports('x'), c: ports('y') };
  expect(messageOf(clusters, { ...clusters, c: [] })).toEqual([
    'ClusterSetIP with http 80/TCP, y 81/TCP, without x 81/TCP of b becomes ClusterSetIP with http 80/TCP, x 81/TCP ' +
      '(if the export of c comes right after that of a)',
  ]);
});

test('consumers had what the others exported before, not what they export now', () => {
  const changed = { '/spec/ports': [{ name: 'https', port: 81 }] };
  expect(messageOf({ east: web(1), west: web(2) }, { east: [], west: web(2, changed) })).toEqual([
    'ClusterSetIP with http 80/TCP becomes ClusterSetIP with https 81/TCP',
  ]);
});

test('consumers had nothing of an export that is new', () => {
  const clusters = { north: web(undefined, more), west: web(undefined, headless) };
  expect(messageOf({ east: web(undefined), west: web(undefined, headless) }, clusters)).toEqual([
    'ClusterSetIP with http 80/TCP becomes Headless with http 80/TCP, x 81/TCP (if the export of east is the oldest, and that of west next)',
  ]);
});

test('the finding is on the export that goes, and names what consumers had, what they get, and who is left', () => {
  const before = comparisonOf(
    { east: web(undefined, { ...headless, ...other }), west: web(undefined) },
    { point: 'check' },
  );
  const [found] = comparisonOf({ east: [], west: web(undefined) }, { point: 'check' }).finish(before);
  expect(found?.handle).toBe('east ServiceExport shop/web');
  const [finding] = found?.verdict.findings ?? [];
  expect(finding).toMatchObject({
    field: 'metadata.name',
    action: 'warn',
    message:
      'without what this cluster exported, consumers of web.shop.svc.clusterset.local may get another service: Headless with ' +
      'http 8080/TCP, without http 80/TCP of west becomes ClusterSetIP with http 80/TCP (if the export of east is the ' +
      'oldest); make the other clusters agree first',
  });
  expect(found?.related.get(finding as never)).toEqual([
    { handle: 'west ServiceExport shop/web', path: ['metadata', 'name'], message: 'the export that is left' },
  ]);
});

/** Conflicts between the exports of one name: who has which finding, what is new, and what it says. */
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { service as serviceKind } from '../../../../src/api/supporting-kinds.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { rule as conflict } from '../../../../src/rules/export/conflict.ts';
import { rule as conflictMetadata } from '../../../../src/rules/export/conflict-metadata.ts';
import { conflictReasons } from '../../../../src/rules/service/derivation.ts';
import { DYING, membership } from '../../../support/bases.ts';
import { type Clusters, comparisonOf, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { type Tweak, tweaked } from '../../../support/rule-tester.ts';
import { exported, memberOf, service } from '../../../support/services.ts';

const RULE = 'export/conflict';
const METADATA = 'export/conflict-metadata';
const at = (time: number) => ({ '/metadata/creationTimestamp': `2026-06-01T00:00:0${time}Z` });
const web = (spec: Tweak = {}, ofExport: Tweak = {}) => [exported(ofExport), service(spec)];
const headless = { '/spec/clusterIP': 'None' };
const other = { '/spec/ports': [{ name: 'http', port: 8080 }] };
const heads = async (...input: Parameters<typeof conflictsIn>) => {
  const lines = await conflictsIn(...input);
  const found = lines.filter((line) => !line.startsWith(' ') && line.includes('export/conflict'));
  return found.map((line) => line.replace(' ServiceExport shop/web:', '').replace(`deny ${RULE} spec.`, ''));
};

test.each<[string, Clusters]>([
  ['the same Service', { east: web(), west: web() }],
  [
    'ports in another order',
    {
      east: web({
        '/spec/ports': [
          { port: 80, name: 'a' },
          { port: 81, name: 'b' },
        ],
      }),
      west: web({
        '/spec/ports': [
          { port: 81, name: 'b', protocol: 'TCP' },
          { port: 80, name: 'a' },
        ],
      }),
    },
  ],
  [
    'what consumers do not see',
    { east: web({ '/spec/type': 'LoadBalancer' }), west: web({ '/spec/selector': { app: 'x' } }) },
  ],
  ['another name', { east: web(), west: web(headless).map((one) => tweaked(one, { '/metadata/name': 'api' })) }],
  [
    'another namespace',
    { east: web(), west: web(headless).map((one) => tweaked(one, { '/metadata/namespace': 'pay' })) },
  ],
  ['a Service that is not exported', { east: web(), west: [service(headless)] }],
  ['an alias', { east: web(), west: web({ '/spec/type': 'ExternalName' }) }],
  ['a Service that is missing', { east: web(), west: [exported(), service({ ...headless, '/metadata/name': 'api' })] }],
  ['two ClusterSets', { east: [...web(), ...memberOf('a', 'one')], west: [...web(headless), ...memberOf('b', 'two')] }],
  [
    'a cluster in no ClusterSet, where another is in one',
    { east: [...web(), ...memberOf('a', 'one')], west: web(headless) },
  ],
])('allows %s', async (_, clusters) => expect(await heads(clusters)).toEqual([]));

describe('each reason has a pair, as explain and the page show it', () => {
  const pairs = Object.entries({ ...conflict.meta.pairs, ...conflictMetadata.meta.pairs });
  test('for all reasons', () => {
    expect(pairs.map(([reason]) => reason).sort()).toEqual(Object.values(conflictReasons).sort());
  });
  test.each(pairs)('%s', async (reason, pair) => {
    const clusters = pair.map((text) => {
      const spec = parse(text);
      const own = { ...(service()['spec'] as JsonObject), ...spec };
      const isOfExport = /^exported/.test(Object.keys(spec)[0] ?? '') || Object.keys(spec).length === 0;
      return [exported(isOfExport ? { '/spec': spec } : {}), service(isOfExport ? {} : { '/spec': own })];
    });
    const [east = [], west = []] = clusters;
    const messages = await messagesOf({ east, west });
    const reasons = messages.filter((text) => !text.startsWith(' ')).map((text) => text.split(':')[0]);
    expect(reasons).toEqual([reason, reason]);
  });
});

describe('reports on each export', () => {
  test.each<[string, Clusters, string[]]>([
    ['the type', { east: web(), west: web(headless) }, ['east clusterIP', 'west clusterIP']],
    [
      'each property',
      { east: web(), west: web({ ...headless, ...other }) },
      ['east clusterIP', 'east ports', 'west clusterIP', 'west ports'],
    ],
    [
      'the majority, too',
      { east: web(), north: web(), west: web(headless) },
      ['east clusterIP', 'north clusterIP', 'west clusterIP'],
    ],
    ['an export that is being deleted', { east: web({}, DYING), west: web(other) }, ['east ports', 'west ports']],
    [
      'of one ClusterSet, whatever the API that says it',
      {
        east: [...web(), ...memberOf('blue-fleet', 'one')],
        west: [...web(other), membership],
        north: web(headless),
      },
      ['east ports', 'west ports'],
    ],
    [
      'that says something',
      { east: web({ '/spec/ipFamilies': ['IPv4'] }), north: web({ '/spec/ipFamilies': ['IPv6'] }), west: web() },
      ['east ipFamilies', 'north ipFamilies'],
    ],
    [
      'with both timeouts',
      {
        east: web({ '/spec/sessionAffinity': 'ClientIP' }),
        west: web({
          '/spec/sessionAffinity': 'ClientIP',
          '/spec/sessionAffinityConfig': { clientIP: { timeoutSeconds: 5 } },
        }),
      },
      ['east sessionAffinityConfig.clientIP.timeoutSeconds', 'west sessionAffinityConfig.clientIP.timeoutSeconds'],
    ],
    [
      'labels and annotations',
      {
        east: web({}, { '/spec': { exportedLabels: { a: 'b' } } }),
        west: web({}, { '/spec': { exportedAnnotations: { a: 'b' } } }),
      },
      ['east', 'west'].flatMap((cluster) =>
        ['Labels', 'Annotations'].map((map) => `${cluster} warn ${METADATA} spec.exported${map}`),
      ),
    ],
  ])('%s', async (_, clusters, expected) => expect(await heads(clusters)).toEqual(expected));

  test('affinity, unless the oldest is headless for certain', async () => {
    const affinity = { '/spec/sessionAffinity': 'ClientIP' };
    const of = (oldest: number) => ({ east: web({ ...affinity, ...headless }, at(oldest)), west: web({}, at(2)) });
    expect(await heads(of(1))).toEqual(['east clusterIP', 'west clusterIP']);
    expect(await heads(of(3))).toEqual([
      'east clusterIP',
      'east sessionAffinity',
      'west clusterIP',
      'west sessionAffinity',
    ]);
    expect(await heads(of(2))).toHaveLength(4);
  });

  test('labels of exports whose Services are not known', async () => {
    const clusters = { east: [exported({ '/spec': { exportedLabels: { a: 'b' } } })], west: web(other) };
    expect(await heads(clusters, { unread: { east: [serviceKind] } })).toEqual([
      `east warn ${METADATA} spec.exportedLabels`,
      `west warn ${METADATA} spec.exportedLabels`,
    ]);
  });

  test('the finding is in the Service, or of labels in the export, and names the others', () => {
    const labels = (value: string) => ({ '/spec': { exportedLabels: { a: value } } });
    const found = comparisonOf({ east: web({}, labels('b')), west: web(headless, labels('c')) }).finish();
    const shown = found.flatMap(({ handle, verdict, places, related }) =>
      verdict.findings.map((finding) => {
        const others = (related.get(finding) ?? []).map(
          (one) => `${one.handle} ${one.path.join('.')} (${one.message})`,
        );
        return [handle, places.get(finding), ...others];
      }),
    );
    expect(shown.slice(0, 2)).toEqual([
      [
        'east ServiceExport shop/web',
        'east Service shop/web',
        'west Service shop/web spec.clusterIP (the other value: Headless)',
      ],
      [
        'east ServiceExport shop/web',
        undefined,
        'west ServiceExport shop/web spec.exportedLabels (the other export, with other values of a)',
      ],
    ]);
  });

  test('of many others, some are related, the first of each value before the rest', () => {
    const many = Object.fromEntries(
      [...'abcdefghijk'].map((name, index) => [name, web(index === 10 ? headless : index > 0 ? other : {})]),
    );
    const [first] = comparisonOf(many).finish();
    const [finding] = first?.verdict.findings ?? [];
    expect(
      first?.related
        .get(finding as never)
        ?.map(({ handle }) => handle[0])
        .join(''),
    ).toBe('k');
    const ports = first?.related.get(first.verdict.findings[1] as never);
    expect(ports?.map(({ handle }) => handle[0]).join('')).toBe('bcdefghi');
  });
});

describe('what was there before is no finding:', () => {
  const before = { east: web(), west: web(other) };
  test.each<[string, Clusters, string[], Clusters?]>([
    ['the same pair', before, []],
    ['one that agrees now', { east: web(), west: web() }, []],
    ['another cluster with a value that was there', { ...before, north: web(other) }, ['east ports', 'north ports']],
    ['a cluster that is gone', before, [], { ...before, north: web(headless) }],
    ['another value', { east: web(), west: web({ '/spec/ports': [{ port: 9 }] }) }, ['east ports', 'west ports']],
    [
      'another value of one, for those that differ from it',
      { ...before, north: web({ '/spec/ports': [{ port: 9 }] }) },
      ['east ports', 'north ports', 'west ports'],
      { ...before, north: web() },
    ],
    ['another property', { east: web(), west: web({ ...other, ...headless }) }, ['east clusterIP', 'west clusterIP']],
    ['an export that is new', before, ['east ports', 'west ports'], { east: web(), west: [service(other)] }],
    [
      'a Service that is new',
      before,
      ['east ports', 'west ports'],
      { east: web(), west: [exported(), service({ '/metadata/name': 'api' })] },
    ],
    [
      'a ClusterSet that is new',
      { east: [...web(), ...memberOf('a', 'one')], west: [...web(other), ...memberOf('a', 'two')] },
      ['east ports', 'west ports'],
      { east: [...web(), ...memberOf('a', 'one')], west: web(other) },
    ],
    [
      'a claim that is new',
      { east: [...web(), ...memberOf('a', 'one')], west: [...web(other), ...memberOf('a', 'two')] },
      [],
    ],
  ])('%s', async (_, clusters, expected, earlier = before) => {
    expect(await heads(clusters, { before: earlier, point: 'check' })).toEqual(expected);
  });

  test('affinity that was ignored before', async () => {
    const affinity = { '/spec/sessionAffinity': 'ClientIP' };
    const earlier = { east: web({ ...headless, ...affinity }), west: web(headless) };
    expect(await heads({ east: web(affinity), west: web() }, { before: earlier })).toEqual([
      'east sessionAffinity',
      'west sessionAffinity',
    ]);
  });

  test('only the pairs that are new are named', () => {
    const comparison = comparisonOf({ ...before, north: web(headless) });
    const [east] = comparison.finish(comparisonOf(before));
    expect(east?.verdict.findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('got ClusterSetIP, but Headless in north;'),
    ]);
  });
});

describe('a message says', () => {
  const messageOf = async (clusters: Clusters) =>
    (await messagesOf(clusters, RULE)).filter((line) => !line.startsWith(' ')).at(0);

  test('who wins and what consumers get', async () => {
    const clusters = { east: web({}, at(2)), west: web({ ...headless, ...other }, at(1)) };
    expect(await messageOf(clusters)).toBe(
      'TypeConflict: must be the same in all clusters that export the service, got ClusterSetIP, but Headless in west; ' +
        'the export of west is the oldest and wins, so web.shop.svc.clusterset.local is Headless with http 8080/TCP, ' +
        'without http 80/TCP of east',
    );
  });

  test('what each outcome is where it is open', async () => {
    const ports = (...all: readonly JsonObject[]) => ({ '/spec/ports': all });
    const clusters = {
      east: web(ports({ port: 80, appProtocol: 'kubernetes.io/h2c' })),
      west: web({ ...headless, ...ports() }),
    };
    expect(await messageOf(tweakTimes(clusters))).toBe(
      'TypeConflict: must be the same in all clusters that export the service, got ClusterSetIP, but Headless in west; ' +
        'it is open which export is the oldest and wins, so web.shop.svc.clusterset.local is ClusterSetIP with 80/TCP ' +
        '(kubernetes.io/h2c) (if it is that of east), or Headless with 80/TCP (kubernetes.io/h2c) (if it is that of west)',
    );
  });

  test('all clusters that lead to the same outcome, and no affinity of a headless service', async () => {
    const affinity = { '/spec/sessionAffinity': 'ClientIP' };
    const clusters = { a: web(), b: web(), c: web({ ...headless, ...affinity }), d: web(headless) };
    const messages = await messagesOf(tweakTimes(clusters), RULE);
    expect(messages.find((text) => text.startsWith('SessionAffinityConflict'))).toMatch(
      /is ClusterSetIP with http 80\/TCP and session affinity None \(if it is that of a or b\), or Headless with http 80\/TCP \(if it is that of c or d\)$/,
    );
  });

  test('that nothing depends on it', async () => {
    const families = (family: string) => web({ '/spec/ipFamilies': [family], '/spec/ports': [] });
    expect(await messageOf({ east: families('IPv4'), west: families('IPv6') })).toBe(
      'IPFamilyConflict: must be the same in all clusters that export the service, got IPv4, but IPv6 in west; ' +
        'whichever export is the oldest, web.shop.svc.clusterset.local is ClusterSetIP with no ports',
    );
  });

  test('that nothing depends on it where the ports are merged', async () => {
    const [one, both] = [
      [{ name: 'a', port: 1 }],
      [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    ];
    const clusters = { east: web({ '/spec/ports': one }, at(1)), west: web({ '/spec/ports': both }, at(1)) };
    expect(await messageOf(clusters)).toMatch(
      /whichever export is the oldest, web\S+ is ClusterSetIP with a 1\/TCP, b 2\/TCP$/,
    );
  });

  test('the value of the property that consumers get, and seconds', async () => {
    const timeout = (seconds: number, time: number) =>
      web(
        {
          '/spec/sessionAffinity': 'ClientIP',
          '/spec/sessionAffinityConfig': { clientIP: { timeoutSeconds: seconds } },
        },
        at(time),
      );
    expect(await messageOf({ east: timeout(5, 2), west: timeout(6, 1) })).toBe(
      'SessionAffinityConfigConflict: must be the same in all clusters that export the service, got 5 s, but 6 s in ' +
        'west; the export of west is the oldest and wins, so web.shop.svc.clusterset.local is ClusterSetIP with ' +
        'http 80/TCP and session affinity timeout 6 s',
    );
    const distribution = { '/spec/trafficDistribution': 'PreferSameZone' };
    expect(await messageOf({ east: web(distribution, at(1)), west: web({}, at(2)) })).toMatch(
      /got PreferSameZone, but none in west; .* and traffic distribution PreferSameZone$/,
    );
  });

  test('what is not known', async () => {
    const clusters = { east: web(), west: web(headless), north: [exported(at(1))] };
    const [message] = await messagesOf(clusters, RULE, { unread: { north: [serviceKind] } });
    expect(message).toMatch(/so web.* is a service of unknown type with ports that are not known$/);
  });

  test('what is open though it is certain who wins', async () => {
    const ports = (name: string, time: number) => web({ '/spec/ports': [{ name, port: 1 }] }, at(time));
    expect(await messageOf({ a: web({}, at(1)), b: ports('x', 2), c: ports('y', 2) })).toMatch(
      /; the export of a is the oldest and wins, and it is open which is next, so web\S+ is ClusterSetIP with http 80\/TCP, x 1\/TCP, without y 1\/TCP of c \(if that of b is\), or ClusterSetIP with http 80\/TCP, y 1\/TCP, without x 1\/TCP of b \(if that of c is\)$/,
    );
  });

  test('what is open among the youngest, of however many', async () => {
    const ports = (name: string, port: number, time: number) => web({ '/spec/ports': [{ name, port }] }, at(time));
    const known = { a: ports('a', 1, 1), b: ports('b', 2, 2), c: ports('c', 3, 3), d: ports('d', 4, 4) };
    const message = await messageOf({ ...known, e: ports('e', 5, 5), f: ports('f', 5, 5) });
    expect(message).toMatch(/the export of a is the oldest and wins, and it is open which comes after that of d, so /);
    expect(message).toMatch(
      /without f 5\/TCP of f \(if that of e does\), or .* without e 5\/TCP of e \(if that of f does/,
    );
  });

  test('a cluster of two ClusterSets has a finding for each', async () => {
    const inA = memberOf('a', 'one');
    const [, second] = memberOf('b', 'one');
    const inBoth = [
      ...inA,
      { ...(second as JsonObject), apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterClaim' },
    ];
    const clusters = {
      e: [...web(), ...inBoth],
      n: [...web(other), ...memberOf('b', 'n')],
      w: [...web(other), ...inA],
    };
    const messages = await messagesOf(clusters, RULE);
    expect(messages.filter((message) => message.includes('; in the ClusterSet'))).toEqual([
      expect.stringMatching(/but http 8080\/TCP in w; in the ClusterSet a, it is open/),
      expect.stringMatching(/but http 8080\/TCP in n; in the ClusterSet b, it is open/),
    ]);
    const all = await conflictsIn(clusters, { rule: RULE });
    expect(all.slice(0, 4)).toEqual([
      'e ServiceExport shop/web: deny export/conflict spec.ports',
      '  w Service shop/web spec.ports',
      'e ServiceExport shop/web: deny export/conflict spec.ports',
      '  n Service shop/web spec.ports',
    ]);
  });

  test('how many more there are', async () => {
    const many = Object.fromEntries([...'abcdefg'].map((name, index) => [name, web(index > 0 ? other : {})]));
    expect(await messageOf(many)).toMatch(/got http 80\/TCP, but http 8080\/TCP in b, c, d, e and 2 more;/);
  });

  test('the keys of labels, never their values', async () => {
    const labels = (map: JsonObject, time: number) => web({}, { '/spec': { exportedLabels: map }, ...at(time) });
    const [message] = await messagesOf(
      { east: labels({ a: 'SECRET', b: 'x' }, 1), west: labels({ a: 'OTHER', b: 'x' }, 2) },
      METADATA,
    );
    expect(message).toBe(
      'LabelsConflict: should be the same in all clusters that export the service, got other values of a in west; the ' +
        'export of east is the oldest and wins, so web.shop.svc.clusterset.local is ClusterSetIP with http 80/TCP and ' +
        'the labels of east',
    );
  });
});

/** Without times, as files are. */
function tweakTimes(clusters: Clusters): Clusters {
  const withoutTime = (object: JsonObject) => tweaked(object, { '/metadata/creationTimestamp': undefined });
  return Object.fromEntries(Object.entries(clusters).map(([name, objects]) => [name, objects.map(withoutTime)]));
}

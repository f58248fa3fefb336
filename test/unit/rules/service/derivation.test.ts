/** The derived service, held against the paragraphs of KEP-1645. */
import { describe, expect, test } from '@jest/globals';
import {
  type Constituent,
  derive,
  differencesForConsumers,
  possibleOrders,
  possiblyOldest,
} from '../../../../src/rules/service/derivation.ts';
import type { Properties, ServicePort } from '../../../../src/rules/service/service-properties.ts';

const port = (name: string, number: number, protocol = 'TCP', appProtocol = ''): ServicePort => {
  return { name, port: number, protocol, appProtocol };
};
const AGREED: Properties = {
  type: 'ClusterSetIP',
  ports: [port('http', 80)],
  sessionAffinity: 'None',
  internalTrafficPolicy: 'Cluster',
  trafficDistribution: '',
  labels: '[]',
  annotations: '[]',
};
const of = (cluster: string, more: Properties = {}, created?: number): Constituent => {
  return { cluster, created, properties: { ...AGREED, ...more } };
};
const names = (constituents: readonly Constituent[]) => constituents.map(({ cluster }) => cluster).join('');
const unknown = (cluster: string, created?: number): Constituent => ({ cluster, created, properties: {} });

describe('precedence', () => {
  test.each<[string, readonly Constituent[], string]>([
    ['the earliest creation', [of('a', {}, 2), of('b', {}, 1), of('c', {}, 3)], 'b'],
    ['equal times are open', [of('a', {}, 1), of('b', {}, 1), of('c', {}, 2)], 'ab'],
    ['an export without a time may be it', [of('a', {}, 2), of('b'), of('c', {}, 1)], 'bc'],
    ['files have none', [of('a'), of('b')], 'ab'],
    [
      'a new export is younger, whatever time it says',
      [{ ...of('a', {}, 1), isNew: true }, of('b', {}, 2), of('c')],
      'bc',
    ],
    [
      'of new ones alone it is open',
      [
        { ...of('a', {}, 1), isNew: true },
        { ...of('b'), isNew: true },
      ],
      'ab',
    ],
    ['nobody', [], ''],
  ])('%s', (_, constituents, expected) => expect(names(possiblyOldest(constituents))).toBe(expected));

  test.each<[string, readonly Constituent[], readonly string[]]>([
    ['one order by time', [of('c', { labels: 'x' }, 3), of('a', {}, 2), of('b', { labels: 'y' }, 1)], ['bac']],
    ['one where all agree', [of('b'), of('a')], ['ab']],
    [
      'each order of those that differ',
      [of('a'), of('b', { labels: 'x' }), of('c', { labels: 'y' })],
      ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'],
    ],
    [
      'those that agree are in the order of their times',
      [of('a', {}, 3), of('b', { labels: 'x' }, 2), of('c', {}, 1)],
      ['cba'],
    ],
    ['those that agree stay together', [of('a'), of('b', { labels: 'x' }), of('c')], ['acb', 'bac']],
    [
      'what is later is later',
      [of('a', {}, 1), of('b', { labels: 'x' }, 2), of('c', { labels: 'y' })],
      ['abc', 'acb', 'cab'],
    ],
  ])('%s', (_, constituents, expected) => expect(possibleOrders(constituents).map(names)).toEqual(expected));

  test('those that agree are apart where something else tells them apart', () => {
    const all = [of('a'), of('b', { labels: 'x' }), of('c')];
    expect(possibleOrders(all, ({ cluster }) => cluster)).toHaveLength(6);
  });

  test('of six that differ, each is the oldest once', () => {
    const six = [...'abcdef'].map((cluster) => of(cluster, { labels: cluster }));
    expect(possibleOrders(six).map(names)).toEqual(['abcdef', 'bacdef', 'cabdef', 'dabcef', 'eabcdf', 'fabcde']);
    expect(possibleOrders(six.slice(1))).toHaveLength(120);
    const inTurn = six.map((one, index) => ({ ...one, created: Math.min(index, 4) }));
    expect(possibleOrders(inTurn).map(names)).toEqual(['abcdef', 'abcdfe']);
  });
});

describe('the orders of a large fleet', () => {
  let reads = 0;
  const fleet = (size: number, createdOf: (index: number) => number | undefined) =>
    Array.from({ length: size }, (_, index) => ({
      ...of(`c${index}`, { labels: String(index) }),
      get created() {
        reads += 1;
        return createdOf(index);
      },
    }));

  test('of 3,000 clusters with times there is one', () => {
    expect(possibleOrders(fleet(3000, (index) => index))).toHaveLength(1);
  });

  test('of 100 without times each is the oldest once, and the times are not read again for each place', () => {
    const all = fleet(100, () => undefined);
    reads = 0;
    expect(possibleOrders(all)).toHaveLength(100);
    expect(reads).toBeLessThan(200_000);
  });
});

describe('the union of ports', () => {
  const union = (...ofEach: readonly (readonly ServicePort[])[]) => {
    const { ports, dropped } = derive(ofEach.map((ports, index) => of('abc'[index] ?? '', { ports })));
    const text = ({ name, port: number, protocol }: ServicePort) => `${name} ${number}/${protocol}`;
    return [ports.map(text), dropped.map((one) => `${text(one.port)} of ${one.clusters}`)];
  };

  test('drops a name that is taken, the empty one too', () => {
    expect(union([port('a', 1)], [port('a', 2)])).toEqual([['a 1/TCP'], ['a 2/TCP of b']]);
    expect(union([port('', 1)], [port('', 2)], [port('', 2)])).toEqual([[' 1/TCP'], [' 2/TCP of b,c']]);
  });
  test('is known where the ports of all are', () => {
    expect(derive([of('a'), of('b')]).arePortsKnown).toBe(true);
    expect(derive([of('a'), unknown('b')]).arePortsKnown).toBe(false);
  });
});

describe('what consumers get', () => {
  const all: Properties = {
    type: 'ClusterSetIP',
    sessionAffinity: 'ClientIP',
    timeoutSeconds: 7,
    internalTrafficPolicy: 'Local',
    trafficDistribution: 'PreferSameNode',
  };

  test('is what the oldest says', () => {
    expect(derive([of('a', all), of('b')])).toMatchObject(all);
    expect(derive([])).toMatchObject({ type: undefined, ports: [] });
  });
  test('has no affinity where it is headless', () => {
    const { sessionAffinity, timeoutSeconds } = derive([of('a', { ...all, type: 'Headless' })]);
    expect([sessionAffinity, timeoutSeconds]).toEqual([undefined, undefined]);
  });
  test.each<[string, Properties, boolean]>([
    ['nothing', {}, false],
    ['the type', { type: 'Headless' }, true],
    ['the ports', { ports: [port('x', 80)] }, true],
    ['affinity', { sessionAffinity: 'None' }, true],
    ['the timeout', { timeoutSeconds: 8 }, true],
    ['the internal traffic policy', { internalTrafficPolicy: 'Cluster' }, true],
    ['traffic distribution', { trafficDistribution: '' }, true],
    ['labels', { labels: 'x' }, false],
    ['IP families', { ipFamilies: ['IPv6'] }, false],
    ['what is unknown', { type: undefined, ports: undefined, sessionAffinity: undefined }, false],
  ])('differs by %s', (_, more, expected) => {
    const one = derive([of('a', all)]);
    const other = derive([of('a', { ...all, ...more })]);
    const differences = [differencesForConsumers(one, other), differencesForConsumers(other, one)];
    expect(differences.map(({ length }) => length > 0)).toEqual([expected, expected]);
  });
  test('does not depend on the order of ports', () => {
    const x = of('a', { ports: [port('x', 1)] });
    const y = of('b', { ports: [port('y', 2)] });
    expect(differencesForConsumers(derive([x, y]), derive([y, x]))).toEqual([]);
  });
});

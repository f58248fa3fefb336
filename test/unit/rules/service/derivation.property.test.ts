/** The derivation of a service, against a second one that follows KEP-1645 word by word, and in any order. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Constituent,
  conflictsAmong,
  derive,
  globalProperties,
  possibleOrders,
  possiblyOldest,
} from '../../../../src/rules/service/derivation.ts';
import type { Properties, ServicePort } from '../../../../src/rules/service/service-properties.ts';

const port = fc.record<ServicePort>({
  name: fc.constantFrom('', 'http', 'dns'),
  protocol: fc.constantFrom('TCP', 'UDP'),
  port: fc.constantFrom(53, 80, 8080),
  appProtocol: fc.constantFrom('', 'h2c'),
});
const properties = fc.record<Properties>(
  {
    type: fc.constantFrom('ClusterSetIP', 'Headless'),
    ports: fc.uniqueArray(port, { maxLength: 3, selector: (one) => JSON.stringify(one) }),
    sessionAffinity: fc.constantFrom('None', 'ClientIP'),
    timeoutSeconds: fc.constantFrom(10, 10_800),
    internalTrafficPolicy: fc.constantFrom('Cluster', 'Local'),
    trafficDistribution: fc.constantFrom('', 'PreferClose'),
    ipFamilies: fc.constantFrom(['IPv4'], ['IPv6'], ['IPv4', 'IPv6']),
    labels: fc.constantFrom('[]', '[["a","1"]]'),
    annotations: fc.constant('[]'),
  },
  { requiredKeys: [] },
);
const constituents = fc
  .array(fc.tuple(properties, fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => all.map(([of, created], index): Constituent => ({ cluster: `c${index}`, created, properties: of })));
/** The same constituents in another order. */
const inTwoOrders = constituents.chain((all) =>
  fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
);

/** Who says what, as plain data. */
function conflictsOf(all: readonly Constituent[]): unknown {
  return [...conflictsAmong(all)].map(([property, byValue]) => {
    const groups = [...byValue].map(([value, those]) => [value, those.map(({ cluster }) => cluster).sort()]);
    return [property, groups.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))];
  });
}

test('conflicts and outcomes do not depend on the order of the clusters', () => {
  fc.assert(
    fc.property(inTwoOrders, ([one, other]) => {
      expect(conflictsOf(other)).toEqual(conflictsOf(one));
      const outcomes = (all: readonly Constituent[]) => new Set(possibleOrders(all).map((o) => portsIn(derive(o))));
      expect(outcomes(other)).toEqual(outcomes(one));
    }),
  );
});

function portsIn({ type, ports }: ReturnType<typeof derive>): string {
  return JSON.stringify([type, ports.map((one) => JSON.stringify(one)).sort()]);
}

/** "The union of service ports", merged "first based on port name then by the protocol and port number pair". */
function unionOf(order: readonly Constituent[]): readonly ServicePort[] {
  const union: ServicePort[] = [];
  for (const one of order.flatMap((constituent) => constituent.properties.ports ?? [])) {
    const isNamed = union.some(({ name }) => name === one.name);
    const isNumbered = union.some((earlier) => earlier.protocol === one.protocol && earlier.port === one.port);
    if (!isNamed && !isNumbered) union.push(one);
  }
  return union;
}

test('the ports are the union in order of precedence', () => {
  fc.assert(
    fc.property(constituents, (all) => {
      const { ports, dropped, order } = derive(all);
      expect(ports).toEqual(unionOf(all));
      expect(order).toEqual(all);
      const wanted = new Set(all.flatMap((one) => (one.properties.ports ?? []).map((each) => JSON.stringify(each))));
      const got = [...ports, ...dropped.map((one) => one.port)].map((each) => JSON.stringify(each));
      expect(new Set(got)).toEqual(wanted);
    }),
  );
});

test('each possible order is by age, and begins with one that may be the oldest', () => {
  fc.assert(
    fc.property(constituents, (all) => {
      for (const order of possibleOrders(all)) {
        expect(new Set(order)).toEqual(new Set(all));
        const times = order.flatMap(({ created }) => created ?? []);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(possiblyOldest(all)).toContain(order[0]);
      }
    }),
  );
});

test('a property is in conflict if two of those who say something on it differ', () => {
  fc.assert(
    fc.property(constituents, (all) => {
      const isHeadless = possiblyOldest(all).every((one) => one.properties.type === 'Headless');
      const expected = globalProperties.filter((property) => {
        if (isHeadless && (property === 'sessionAffinity' || property === 'timeoutSeconds')) return false;
        const said = all.flatMap(({ properties: { [property]: value } }) => {
          if (value === undefined) return [];
          return JSON.stringify(value);
        });
        return new Set(said).size > 1;
      });
      expect([...conflictsAmong(all).keys()]).toEqual(expected);
    }),
  );
});

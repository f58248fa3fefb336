/** A change without a finding makes no new conflict, whatever clusters export before and after it. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json.ts';
import { conflictsIn } from '../../../support/compared.ts';
import { exported, service } from '../../../support/services.ts';

const CLUSTERS = ['east', 'north', 'west'] as const;
const PROPERTIES = ['clusterIP', 'port', 'internalTrafficPolicy'] as const;

/** What a cluster exports; null: nothing. */
const exportOf = fc.option(
  fc.record({
    clusterIP: fc.constantFrom('None', '10.0.0.1'),
    port: fc.constantFrom(80, 8080),
    internalTrafficPolicy: fc.constantFrom('Cluster', 'Local'),
  }),
);
const fleet = fc.record({ east: exportOf, north: exportOf, west: exportOf });
type Fleet = typeof fleet extends fc.Arbitrary<infer W> ? W : never;
/** Most changes are of one cluster. */
const change = fleet.chain((before) =>
  fc.tuple(
    fc.constant(before),
    fc.oneof(
      fleet,
      fc.record({ cluster: fc.constantFrom(...CLUSTERS), one: exportOf }).map(({ cluster, one }): Fleet => {
        return { ...before, [cluster]: one };
      }),
    ),
  ),
);

function objectsOf(all: Fleet): Record<string, readonly JsonObject[]> {
  return Object.fromEntries(
    Object.entries(all).map(([cluster, one]) => {
      if (one === null) return [cluster, []];
      const { clusterIP, port, internalTrafficPolicy } = one;
      const spec = { clusterIP, internalTrafficPolicy, ports: [{ port }] };
      return [cluster, [exported({ '/metadata/creationTimestamp': undefined }), service({ '/spec': spec })]];
    }),
  );
}

/** `A B PROPERTY A'S VALUE B'S VALUE` of each two that differ. */
function differencesIn(all: Fleet): readonly string[] {
  return CLUSTERS.flatMap((a) =>
    CLUSTERS.flatMap((b) =>
      PROPERTIES.flatMap((property) => {
        const one = all[a]?.[property];
        const other = all[b]?.[property];
        return one === undefined || other === undefined || one === other ? [] : `${a} ${b} ${property} ${one} ${other}`;
      }),
    ),
  );
}

test('where nothing is found, every difference was there before; else one is new', async () => {
  await fc.assert(
    fc.asyncProperty(change, async ([before, after]) => {
      const options = { point: 'check', rule: 'export/conflict', before: objectsOf(before) } as const;
      const lines = await conflictsIn(objectsOf(after), options);
      const found = lines.filter((line) => !line.startsWith(' '));
      const known = new Set(differencesIn(before));
      const differing = differencesIn(after).filter((difference) => !known.has(difference));
      const own = new Set(differing.map((difference) => difference.split(' ').toSpliced(1, 1).slice(0, 2).join(' ')));
      expect(found).toHaveLength(own.size);
    }),
    { numRuns: 300 },
  );
});

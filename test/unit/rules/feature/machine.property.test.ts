/** What holds of every write of a Feature's status, whatever stands in it. Through the engine, with every rule. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { createEngine, type Verdict } from '../../../../src/engine/index.ts';
import { rules } from '../../../../src/rules/index.ts';
import { feature } from '../../../support/bases.ts';
import { NOW, subjectOf, viewOf } from '../../../support/rule-tester.ts';

/** The rules that read the machine: at most one of them reports. */
const MACHINE = ['transition', 'tasks-on-entry', 'tasks-in-order', 'completion', 'uses-agree', 'evaluation-time'].map(
  (name) => `feature/${name}`,
);
const noon = Date.parse(NOW);

interface Write {
  readonly stored: JsonObject;
  readonly written: JsonObject;
  readonly desired: Json;
}

/** Values that a status plausibly holds, and some that it should not. */
const states = ['Off', 'TurningOn', 'On', 'TurningOff'];
const times = [-3600, -5, 0, 5, 6, 3600, 7200].map((seconds) => new Date(noon + seconds * 1000).toISOString());
const task = fc.constantFrom('A', 'B', 'WaitForUses');
const use = fc.record({
  version: fc.constantFrom('1', '2'),
  enabled: fc.constantFrom('Enabled', 'Disabled'),
  reportTime: fc.constant('2026-05-01T00:00:00Z'),
});
const good = {
  state: fc.constantFrom(...states),
  transitionTasks: fc.oneof(
    fc.array(task, { maxLength: 3 }),
    fc.constantFrom<Json[]>(['WaitForUses'], ['A', 'WaitForUses'], [], ['A', 'B', 'WaitForUses']),
  ),
  uses: fc.array(use, { maxLength: 2 }),
  useEvaluationTime: fc.constantFrom(...times),
  version: fc.constantFrom('1', '2', ''),
  default: fc.constantFrom('Enabled', 'Disabled'),
  source: fc.constantFrom('Default', 'CommandLine', 'Dynamic'),
};
const odd = fc.constantFrom<Json>(null, true, 7, '', 'x', [], ['x'], [null], {}, { state: 'On' });
const sometimesOdd = <T extends Json>(value: fc.Arbitrary<T>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 12, arbitrary: value as fc.Arbitrary<Json> }, { weight: 1, arbitrary: odd });

const goodStatus = fc.record(good, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
const oddStatus = fc.record(
  Object.fromEntries(Object.entries(good).map(([key, value]) => [key, sometimesOdd(value as fc.Arbitrary<Json>)])),
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;
const desired = fc.constantFrom<Json>(null, 'Enabled', 'Disabled');

/** Half of the writes change a few members of what is stored; the others have nothing to do with it. */
const writesOf = (status: fc.Arbitrary<JsonObject>): fc.Arbitrary<Write> =>
  fc
    .record({ stored: status, other: status, keep: fc.boolean(), desired })
    .map(({ stored, other, keep, desired }) => ({ stored, written: keep ? { ...stored, ...other } : other, desired }));
const goodWrites = writesOf(goodStatus);
const anyWrites = fc.oneof(writesOf(oddStatus), goodWrites);
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

const engines = new Map<number, ReturnType<typeof createEngine>>();
function engineAt(now: number) {
  const engine = engines.get(now) ?? createEngine({ point: 'webhook', clock: () => now, catalogue: rules });
  engines.set(now, engine);
  return engine;
}

async function evaluate(stored: Json, written: Json, wanted: Json = null, now = noon): Promise<Verdict> {
  const old = { '/spec': { desired: wanted }, '/status': stored };
  const row = { name: '', subresource: 'status', user: null, old, set: { '/status': written } } as const;
  return engineAt(now).evaluate(subjectOf(feature, row), viewOf('unknown'));
}

/** Rules and places of the findings. */
const reported = ({ findings }: Verdict) => findings.map(({ ruleId, field }) => `${ruleId} ${field}`);
const ofMachine = (verdict: Verdict) =>
  reported(verdict).filter((line) => MACHINE.some((id) => line.startsWith(`${id} `)));
const evaluated = (write: Write) => evaluate(write.stored, write.written, write.desired);

/** The same write, with each status (and the configured value) seen in another way. */
const seen = (write: Write, view: (status: JsonObject) => JsonObject): Write => ({
  ...write,
  stored: view(write.stored),
  written: view(write.written),
});

async function expectSame(writes: fc.Arbitrary<Write>, other: (write: Write) => Write): Promise<void> {
  await fc.assert(
    fc.asyncProperty(writes, async (write) => {
      expect(reported(await evaluated(other(write)))).toEqual(reported(await evaluated(write)));
    }),
    { numRuns: 400 },
  );
}

describe('any write of a status', () => {
  test('is evaluated without a crash, with one finding of the machine at most', async () => {
    const pairs = fc.oneof(
      anyWrites,
      fc.record({ stored: json, written: json, desired: json }) as unknown as fc.Arbitrary<Write>,
      fc.record({ stored: oddStatus, written: json, desired: json }) as unknown as fc.Arbitrary<Write>,
    );
    await fc.assert(
      fc.asyncProperty(pairs, async (write) => {
        const verdict = await evaluated(write);
        expect(verdict.crashes).toEqual([]);
        expect(verdict.indeterminate).toEqual([]);
        expect(ofMachine(verdict).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });

  test('that changes nothing is allowed, whatever is stored', async () => {
    const later = fc.integer({ min: -1e10, max: 1e10 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(oddStatus, json), desired, later, async (status, wanted, after) => {
        expect(reported(await evaluate(status, structuredClone(status) as Json, wanted, noon + after))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('that changes other members than those of the life changes nothing', async () => {
    const other = fc.record({ stability: fc.constantFrom('Alpha', 'GA'), phase: json });
    await fc.assert(
      fc.asyncProperty(oddStatus, other, async (status, more) => {
        expect(reported(await evaluate(status, { ...status, ...more }))).toEqual([]);
      }),
    );
  });
});

/** The status with one member written in another way, where it has that member. */
const having =
  (member: string, rewrite: (value: Json) => Json) =>
  (status: JsonObject): JsonObject =>
    member in status ? { ...status, [member]: rewrite(status[member] ?? null) } : status;
const inZone = (hours: number, zone: string) =>
  having('useEvaluationTime', (time) =>
    new Date(Date.parse(String(time)) + hours * 3_600_000).toISOString().replace('Z', zone),
  );
const EMPTY = Object.fromEntries(Object.keys(good).map((key) => [key, null]));
const withoutNulls = (status: JsonObject) =>
  Object.fromEntries(Object.entries(status).filter(([, value]) => value !== null));
const backwards = (status: JsonObject) => Object.fromEntries(Object.entries(status).reverse());
const ZONES = [
  ['+14:00', 14],
  ['-11:00', -11],
  ['+00:00', 0],
] as const;

describe('the verdict does not depend on', () => {
  test.each<[string, fc.Arbitrary<Write>, (write: Write) => Write]>([
    ['the order of members', anyWrites, (write) => seen(write, backwards)],
    ['null or absent', anyWrites, (write) => seen(write, (status) => ({ ...EMPTY, ...status }))],
    ['absent or null', anyWrites, (write) => seen(write, withoutNulls)],
    ['null in the stored object', anyWrites, (write) => ({ ...write, stored: { ...EMPTY, ...write.stored } })],
    ...ZONES.map(([zone, hours]): [string, fc.Arbitrary<Write>, (write: Write) => Write] => [
      `the zone of a time: ${zone}`,
      goodWrites,
      (write) => ({ ...write, written: inZone(hours, zone)(write.written) }),
    ]),
  ])('%s', (_, writes, other) => expectSame(writes, other));
});

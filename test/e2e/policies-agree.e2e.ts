/**
 * Policies and engine on thousands of writes, odd and hostile ones among them. Every policy warns here and none refuses, so
 * that on each write each of them is heard. None may be stricter than its rule, fail to evaluate, or be mute.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LACKS_OF_LISTS } from '../../src/rules/cel/shape.ts';
import type { JsonObject } from '../../src/rules/rule.ts';
import * as bases from '../rules/bases.ts';
import { claimSpec, featureSpec, featureStatus, inventorySpec, inventoryStatus, labels } from './floor/arbitrary.ts';
import { examplesOf, readExample, withState } from './floor/examples.ts';
import { hostile } from './floor/hostile.ts';
import { type Life, lives, type Parts, whole } from './floor/lives.ts';
import { said, Tally } from './floor/tally.ts';
import { floor, rules, sees, startFloor } from './floor/world.ts';
import { remove, store } from './floor/write.ts';
import type { ControlPlane } from './harness/index.ts';

let controlPlane: ControlPlane;
let tally: Tally;
beforeAll(async () => {
  controlPlane = await startFloor('warn');
  tally = new Tally(controlPlane);
});
afterAll(() => controlPlane?.stop());
beforeEach(() => {
  tally.faults.length = 0;
});

const inventoryParts = fc.record({ spec: inventorySpec, status: inventoryStatus, labels });
const featureParts = fc.record({ spec: featureSpec, status: featureStatus });

test.each([
  ['InventoryCluster', bases.inventory, inventoryParts, 60],
  ['ClusterProfile', bases.profile, inventoryParts, 60],
  ['Feature', bases.feature, featureParts, 150],
] as const)('no policy is stricter than its rule: %s', async (kind, base, parts, count) => {
  const left = lives(parts as fc.Arbitrary<Parts>, count, 6).map(
    (life, index) => [`${kind.toLowerCase()}-${index}`, life] as const,
  );
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await live(base, ...one);
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  expect(tally.faults).toEqual([]);
});

/** One object through all its writes. */
async function live(base: JsonObject, name: string, { stored: parts, next }: Life, isHuge = false): Promise<void> {
  const old = whole(base, name, parts);
  const stored = await store(controlPlane, old);
  for (const after of next) {
    const object = whole(base, name, after);
    await tally.compare({ operation: 'UPDATE', old, object }, stored, isHuge);
    await tally.compare({ operation: 'UPDATE', subresource: 'status', old, object }, stored, isHuge);
    await tally.compare({ operation: 'CREATE', object: whole(base, `new-${name}`, after) }, undefined, isHuge);
  }
  await tally.compare({ operation: 'DELETE', old }, stored);
  await remove(controlPlane, [old]);
}

const claimBases = [bases.id, bases.ocmId, bases.propertyAlphaId, bases.propertyId];
const NAMES = ['cluster.clusterset.k8s.io', 'id.k8s.io', 'clusterset.k8s.io', 'region.example.org'];
const OTHER_NAMES = [
  'mine.k8s.io',
  'sigs.k8s.io',
  'k8s.io',
  'kubernetes.io',
  'a.kubernetes.io',
  'foo.x-k8s.io',
  'fookubernetes.io',
];

test.each(claimBases.map((base) => [base['apiVersion'], base] as const))(
  'no policy is stricter than its rule: claims of %s',
  async (_, base) => {
    const parts = fc.record({ spec: claimSpec }) as fc.Arbitrary<Parts>;
    const member = whole(base, 'clusterset.k8s.io', { spec: { value: 'harbor' } });
    for (const name of [...NAMES, ...OTHER_NAMES])
      for (const state of name === 'clusterset.k8s.io' ? [[]] : [[], [member]]) {
        for (const object of state) await store(controlPlane, object);
        await sees(controlPlane);
        for (const life of lives(parts, NAMES.includes(name) ? 8 : 1, 8)) await claimed(base, name, life, state);
        await remove(controlPlane, state);
      }
    const unquoted: Life = { stored: { spec: { value: 'a' } }, next: [{ spec: { value: 7 } }, { spec: {} }] };
    await claimed(base, 'region.example.org', unquoted, []);
    expect(tally.faults).toEqual([]);
  },
);

async function claimed(base: JsonObject, name: string, life: Life, state: readonly JsonObject[]): Promise<void> {
  const old = whole(base, name, life.stored);
  await Promise.all(
    life.next.map((after) => tally.compare({ operation: 'CREATE', object: whole(base, name, after), state })),
  );
  const stored = await store(controlPlane, old);
  const isMembership = name === 'clusterset.k8s.io';
  const there = [...state, old];
  if (isMembership) await sees(controlPlane);
  const writes = life.next.map((after) => ({
    operation: 'UPDATE' as const,
    old,
    object: whole(base, name, after),
    state: there,
  }));
  await Promise.all(writes.map((write) => tally.compare(write, stored)));
  await tally.compare({ operation: 'DELETE', old, state: there }, stored);
  await remove(controlPlane, [old]);
  if (isMembership) await sees(controlPlane);
}

test("no policy is stricter than its rule: the rules' own examples", async () => {
  for (const file of rules.flatMap(({ id }) => examplesOf(id))) {
    const write = readExample(file);
    await withState(controlPlane, write, (stored) => tally.compare(write, stored));
  }
  expect(tally.faults).toEqual([]);
});

test.each(hostile)('an expression never fails to evaluate: $name', async ({ base, stored: parts, next }) => {
  await live(base, 'hostile', { stored: parts, next }, true);
  expect(tally.faults).toEqual([]);
});

test('each expression of each policy refuses something', () => {
  const texts = [...tally.texts];
  const mute = floor().policies.flatMap(({ metadata: { name }, ...policy }) =>
    (policy['spec'] as { validations: readonly { message: string }[] }).validations
      .map(({ message }) => `Policy '${name}' with binding '${name}': ${message.split('…')[0]}`)
      .filter((beginning) => !texts.some((text) => text.includes(beginning))),
  );
  expect(mute).toEqual([]);
});

test('each policy speaks with its rule, and keeps silent with it', () => {
  const mute = [...tally.counts].filter(([, { agreed, silent }]) => agreed === 0 || silent === 0);
  expect(mute).toEqual([]);
  // Of lists the floor may leave out twins among many; it hardly ever does.
  const ofLists = said.filter(({ cel }) => cel && 'lacks' in cel && cel.lacks === LACKS_OF_LISTS).map(({ id }) => id);
  const loose = [...tally.counts].filter(([id, { agreed, found }]) => ofLists.includes(id) && found > agreed / 50);
  expect(loose).toEqual([]);
  expect(ofLists).toHaveLength(5);
  expect(tally.judged).toBeGreaterThan(5_000);
});

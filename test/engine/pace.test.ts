/** What is large is judged in stretches: to the same verdict, with others in between, and no longer than somebody waits. */
import { expect, test } from '@jest/globals';
import { createEngine, defaultPolicy } from '../../src/engine/index.ts';
import { comparing, lost, type Steps } from '../../src/rules/comparing.ts';
import {
  INTERRUPTIBLE,
  type Interruptible,
  type Json,
  type JsonObject,
  type Rule,
  type Yielded,
} from '../../src/rules/rule.ts';
import { custom } from '../rules/bases.ts';
import { subjectOf, viewOf } from '../rules/rule-tester.ts';
import { ruleOf } from './stubs.ts';

/** A rule that works for a while on each entry of a list, and finds fault with those that are odd. */
const slow: Rule = ruleOf('claim/slow', function* ({ object }) {
  const list = (object['spec'] as JsonObject)['list'] as readonly number[];
  for (const [index, item] of list.entries()) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    if (item % 2 === 1) yield { path: ['spec', 'list', index], messageId: 'bad', data: { value: item } };
    else yield INTERRUPTIBLE;
  }
});

const even = Array.from({ length: 40 }, (_, index) => 2 * index);
const engine = createEngine({ policy: defaultPolicy, point: 'webhook', catalogue: [slow] });
const subject = subjectOf(custom, {
  name: '',
  old: { '/spec/list': [1, 2, 5] },
  set: { '/spec/list': [...even, 1, 7] },
});
const turn = () => new Promise((begin) => setImmediate(begin));

test('others have their turn in between, and the verdict is the same', async () => {
  let turns = 0;
  const paced = await engine.evaluate(subject, viewOf([]), () => {
    turns += 1;
    return turn();
  });
  expect(paced).toEqual(await engine.evaluate(subject, viewOf([])));
  expect(paced.findings.map(({ field }) => field)).toEqual(['spec.list[41]']);
  // Some 90 ms of work in stretches of 8.
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('a pause that ends it for want of anybody who waits ends the work', async () => {
  let heard = 0;
  const counting = ruleOf('claim/counting', function* (): Iterable<Yielded | Interruptible> {
    for (; heard < 1000; heard++) {
      const until = performance.now() + 1;
      while (performance.now() < until);
      yield INTERRUPTIBLE;
    }
  });
  const over = () => Promise.reject(new Error('nobody waits'));
  const verdict = await createEngine({ point: 'webhook', catalogue: [counting] }).evaluate(subject, viewOf([]), over);
  expect(verdict.outcome).toBe('crashed');
  expect(heard).toBeLessThan(1000);
});

function run<T>(steps: Steps<T>): { readonly result: T; readonly steps: number } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done) return { result: value, steps: count };
  }
}
const map = (count: number, last: Json = 0): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index === count - 1 ? last : index]));

test.each<[string, Json, Json, boolean]>([
  ['maps that are the same', map(5000), map(5000), true],
  ['maps that differ at the end', map(5000), map(5000, 1), false],
  ['a map with one member less', map(5000), map(4999, 4998), false],
  ['a map with one member more', map(4999, 4998), map(5000), false],
  ['lists that are the same', Object.keys(map(5000)), Object.keys(map(5000)), true],
  ['lists that differ at the end', Object.keys(map(5000)), [...Object.keys(map(4999)), 'x'], false],
])('%s, compared in steps', (_, a, b, equal) => {
  expect(run(comparing({ in: a }, { in: b })).result).toBe(equal);
  expect(run(comparing(a, b)).steps).toBeGreaterThanOrEqual(4);
});

test('the first member that is lost: a free one may differ, and others may be added', () => {
  expect(run(lost({ name: null, a: 1 }, { name: 'x', a: 1, b: 2 }, 'name')).result).toBeUndefined();
  expect(run(lost({ z: 1, a: 1 }, { z: 1, b: 2 })).result).toBe('a');
  expect(run(lost(map(5000), map(5000))).steps).toBeGreaterThanOrEqual(4);
});

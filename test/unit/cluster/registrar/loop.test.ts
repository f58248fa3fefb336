/** When the loop of a member runs its rounds. */
import { expect, test } from '@jest/globals';
import { AFTER_JOIN_MS, ROUND_MS, startLoop } from '../../../../src/cluster/registrar/loop.ts';

/** A loop whose pauses end when the test says so. */
function loopOf(round: () => Promise<void> = async () => {}) {
  const pauses: { readonly milliseconds: number; readonly end: () => void }[] = [];
  const errors: unknown[] = [];
  let rounds = 0;
  const loop = startLoop({
    round: () => {
      rounds += 1;
      return round();
    },
    onError: (error) => void errors.push(error),
    pause: (milliseconds) =>
      new Promise((resolve) => {
        pauses.push({ milliseconds, end: () => resolve(undefined) });
      }),
    random: () => 1,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { loop, pauses, errors, rounds: () => rounds, settled };
}

test('the times are those of docs/registrar.md', () => {
  expect([ROUND_MS, AFTER_JOIN_MS]).toEqual([30_000, 5000]);
});

test('a round at once, and each half minute, a fifth more or less', async () => {
  const { pauses, rounds, settled } = loopOf();
  await settled();
  expect([rounds(), pauses.map(({ milliseconds }) => milliseconds)]).toEqual([1, [ROUND_MS * 1.2]]);
  pauses[0]?.end();
  await settled();
  expect(rounds()).toBe(2);
});

test('one more round soon after joins', async () => {
  const { loop, pauses, rounds, settled } = loopOf();
  await settled();
  loop.joined();
  loop.joined();
  const [, ...afterJoin] = pauses;
  expect(afterJoin.map(({ milliseconds }) => milliseconds)).toEqual([AFTER_JOIN_MS]);
  afterJoin[0]?.end();
  await settled();
  expect(rounds()).toBe(2);
});

test('rounds do not overlap, however many wait for one that is slow', async () => {
  const ends: (() => void)[] = [];
  const { loop, pauses, settled } = loopOf(() => new Promise((resolve) => void ends.push(resolve)));
  await settled();
  for (const join of [0, 1]) {
    loop.joined();
    pauses[join]?.end();
    await settled();
  }
  const begun = [];
  for (const _ of [1, 2, 3]) {
    begun.push(ends.length);
    ends.at(-1)?.();
    await settled();
  }
  expect(begun).toEqual([1, 2, 3]);
});

test('a round that throws is reported, and the next one follows', async () => {
  const { pauses, errors, rounds, settled } = loopOf(() => Promise.reject(new Error('a bug')));
  await settled();
  pauses[0]?.end();
  await settled();
  expect([rounds(), errors]).toEqual([2, [new Error('a bug'), new Error('a bug')]]);
});

test('no round once it is closed', async () => {
  const { loop, pauses, rounds, settled } = loopOf();
  await settled();
  loop.joined();
  loop.close();
  loop.joined();
  for (const { end } of pauses) end();
  await settled();
  expect([rounds(), pauses.length]).toEqual([1, 2]);
});

import { expect, test } from '@jest/globals';
import { type Batched, RequestBatch } from '../../../../src/server/admission/batch.ts';

interface Item extends Batched {
  readonly name: string;
  readonly takesMs?: number;
}

function stage() {
  const steps: string[] = [];
  const clock = { now: 0 };
  const batch = new RequestBatch<Item>(
    [
      ({ name, takesMs = 0 }) => {
        steps.push(`evaluate ${name}`);
        clock.now += takesMs;
      },
      ({ name }) => steps.push(`answer ${name}`),
    ],
    () => clock.now,
  );
  return { batch, steps, clock };
}

const item = (name: string, address = 'a', over: Partial<Item> = {}): Item => ({
  name,
  address,
  isLarge: false,
  ...over,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('requests of one turn pass each stage together', async () => {
  const { batch, steps } = stage();
  batch.add(item('1'));
  batch.add(item('2'));
  expect(steps).toEqual([]);
  await turn();
  expect(steps).toEqual(['evaluate 1', 'evaluate 2', 'answer 1', 'answer 2']);
});

test('addresses take turns, and a turn ends when its time is over', async () => {
  const { batch, steps } = stage();
  for (const name of ['a1', 'a2', 'a3']) batch.add(item(name, 'a', { takesMs: 5 }));
  batch.add(item('b1', 'b'));
  await turn();
  expect(steps).toEqual(['evaluate a1', 'evaluate b1', 'evaluate a2', 'answer a1', 'answer b1', 'answer a2']);
  await turn();
  expect(steps.slice(6)).toEqual(['evaluate a3', 'answer a3']);
});

test('one large request a turn, after the small ones, and then as long a rest', async () => {
  const { batch, steps, clock } = stage();
  const evaluated = () => steps.filter((step) => step.startsWith('evaluate')).map((step) => step.slice(9));
  batch.add(item('large 1', 'a', { isLarge: true, takesMs: 300 }));
  batch.add(item('large 2', 'a', { isLarge: true }));
  batch.add(item('small 1'));
  await turn();
  expect(evaluated()).toEqual(['small 1', 'large 1']);
  batch.add(item('small 2'));
  await turn();
  expect(evaluated()).toEqual(['small 1', 'large 1', 'small 2']);
  clock.now += 300;
  batch.add(item('small 3'));
  await turn();
  expect(evaluated()).toEqual(['small 1', 'large 1', 'small 2', 'small 3', 'large 2']);
});

test('what waits can be served at once', () => {
  const { batch, steps } = stage();
  batch.add(item('1'));
  batch.serve();
  expect(steps).toEqual(['evaluate 1', 'answer 1']);
});

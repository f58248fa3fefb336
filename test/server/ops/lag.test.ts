import { expect, test } from '@jest/globals';
import { watchLag } from '../../../src/server/ops/lag.ts';

test('a stall is seen as long as it was', async () => {
  const seen: number[] = [];
  const watch = watchLag({ observe: (seconds) => seen.push(seconds), everyMs: 50 });
  await new Promise((resolve) => setTimeout(resolve, 120));
  const end = performance.now() + 400;
  while (performance.now() < end);
  await new Promise((resolve) => setTimeout(resolve, 200));
  watch.close();
  // Another process may take the core for longer, never for less.
  expect(Math.max(...seen)).toBeGreaterThan(0.35);
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
  const told = seen.length;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(seen).toHaveLength(told);
});

import { expect, test } from '@jest/globals';
import { watchEventLoopDelay } from '../../../src/server/lifecycle/event-loop-delay.ts';

test('a delay is measured as long as it was, and nothing after the end', async () => {
  const seen: number[] = [];
  const watch = watchEventLoopDelay({ observe: (seconds) => seen.push(seconds), intervalMs: 50 });
  const end = performance.now() + 400;
  while (performance.now() < end);
  while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  watch.close();
  // Another process may take the core for longer, never for less.
  expect(Math.max(...seen)).toBeGreaterThan(0.35);
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
  const count = seen.length;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(seen).toHaveLength(count);
});

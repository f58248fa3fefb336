import { expect, test } from '@jest/globals';
import { CLOSING_MS, stop, stopLimit } from '../../../../src/server/lifecycle/process-events.ts';

async function stopped(signal: string, drainSeconds: number) {
  const events: string[] = [];
  let draining = false;
  const drain = () => {
    draining = true;
  };
  const began = performance.now();
  const close = async (timeoutMs: number) => {
    events.push(`close within ${timeoutMs} ms, draining: ${draining}`);
  };
  await stop({ drain, drainSeconds, close, log: { info: (message) => events.push(message) } }, signal);
  return { events, seconds: (performance.now() - began) / 1000 };
}

test('SIGTERM: the drain comes before the close', async () => {
  const { events, seconds } = await stopped('SIGTERM', 0.05);
  expect(events).toEqual([
    'SIGTERM: not ready any more',
    'serving for another 0.05 s',
    `close within ${CLOSING_MS} ms, draining: true`,
    'closed',
  ]);
  expect(seconds).toBeGreaterThan(0.045);
});

test.each<[string, string, number, number]>([
  ['SIGINT does not wait', 'SIGINT', 600, 2000],
  ['nor does a terminal that is gone', 'SIGHUP', 600, 2000],
  ['nor a drain of no time', 'SIGTERM', 0, CLOSING_MS],
])('%s', async (_, signal, drainSeconds, timeout) => {
  const events = [`${signal}: not ready any more`, `close within ${timeout} ms, draining: true`, 'closed'];
  expect((await stopped(signal, drainSeconds)).events).toEqual(events);
});

test('a drain of 15 s, and all that may come after it, end within the 60 s of grace that a pod has', () => {
  expect(stopLimit('SIGTERM', 15)).toBe(50_000);
  expect(stopLimit('SIGINT', 15)).toBe(6000);
});

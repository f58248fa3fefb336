import { expect, test } from '@jest/globals';
import { createDrain, type StopCause, stop } from '../../src/server/drain.ts';

async function stopped(cause: StopCause, drainSeconds: number) {
  const events: string[] = [];
  const drain = createDrain();
  const began = performance.now();
  await stop(
    {
      drain,
      drainSeconds,
      close: async () => void events.push(`close, draining: ${drain.draining()}`),
      log: { info: (message) => events.push(message), error: (message) => events.push(message) },
    },
    cause,
  );
  return { events, seconds: (performance.now() - began) / 1000 };
}

test('nothing drains at first', () => {
  expect(createDrain().draining()).toBe(false);
});

test('SIGTERM: the drain comes before the close', async () => {
  const { events, seconds } = await stopped({ signal: 'SIGTERM' }, 0.05);
  expect(events).toEqual([
    'SIGTERM: not ready any more',
    'serving for another 0.05 s',
    'close, draining: true',
    'closed',
  ]);
  expect(seconds).toBeGreaterThan(0.045);
});

test.each<[string, StopCause, number, string]>([
  ['SIGINT does not wait', { signal: 'SIGINT' }, 600, 'SIGINT: not ready any more'],
  ['nor does a broken process', { err: new Error('x') }, 600, 'a failure nobody caught; stopping'],
  ['nor a drain of no time', { signal: 'SIGTERM' }, 0, 'SIGTERM: not ready any more'],
  ['nor a close by hand', {}, 600, 'asked to stop: not ready any more'],
])('%s', async (_, cause, drainSeconds, first) => {
  expect((await stopped(cause, drainSeconds)).events).toEqual([first, 'close, draining: true', 'closed']);
});

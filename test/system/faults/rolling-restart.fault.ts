/**
 * Two replicas behind a Service that knows of every change a second late. All of them are restarted, again and again,
 * while users write. Each restart ends one replica and starts its successor at the same moment, so that one alone
 * serves.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { byForm, record } from './figures.ts';
import { type Fleet, startFleet } from './fleet/fleet.ts';
import { startLoad, summarize } from './fleet/load.ts';
import { steps } from './fleet/steps.ts';

/** The longest drain of a test, and 20 s more. */
const EXIT_TIMEOUT_MS = 35_000;

let fleet: Fleet;
/** The drain of the replicas that run, in seconds. It has to be longer than the lag of the endpoints, 1 s. */
let drain = 3;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.stop());

async function replaceAll(seconds: number): Promise<(number | null)[]> {
  drain = seconds;
  const codes: (number | null)[] = [];
  for (const old of [...fleet.replicas]) {
    const [code] = await Promise.all([fleet.end(old, () => old.stop('SIGTERM', EXIT_TIMEOUT_MS)), fleet.grow(seconds)]);
    codes.push(code);
  }
  return codes;
}

async function restartUnderLoad(seconds: number, times: number, part: string) {
  if (seconds !== drain) await replaceAll(seconds);
  const jane = fleet.controlPlane.api('jane');
  const loads = [startLoad(jane), startLoad(jane, { writers: 1, pauseMs: 50, kinds: [steps.identity] })];
  const codes: (number | null)[] = [];
  try {
    for (let time = 0; time < times; time += 1) codes.push(...(await replaceAll(seconds)));
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
  }
  const summary = summarize(loads.flatMap((load) => load.writes));
  const { failed, writes, causes, leaked, slowest } = summary;
  const result = `${failed} of ${writes.toLocaleString('en')} writes failed`;
  record(
    'rolling-restart',
    part,
    `${result}${failed > 0 ? ` (${causes})` : ''} in ${times} rolling restarts, ${codes.length} processes, ${loads[1]?.writes.length ?? 0} writes with a lock; ` +
      `stored against a rule ${leaked}; slowest write ${Math.round(slowest)} ms`,
    part === 'drain 3 s' ? result : undefined,
  );
  return { codes, summary };
}

test.each(
  [
    { seconds: 3, part: 'drain 3 s', times: byForm(2, 50) },
    { seconds: 15, part: 'drain 15 s, as shipped', times: byForm(0, 3) },
  ].filter(({ times }) => times > 0),
)(
  '$part: no write fails, and every process exits with code 0',
  async ({ seconds, part, times }) => {
    const { codes, summary } = await restartUnderLoad(seconds, times, part);
    expect(summary).toMatchObject({ failed: 0, leaked: 0, causes: '' });
    expect(new Set(codes)).toEqual(new Set([0]));
    expect(summary.writes).toBeGreaterThan(times * 100);
  },
  3_600_000,
);

/**
 * Two replicas behind a Service that hears of everything a second late; all of them are restarted, again and again, while the
 * API server's users write. Each restart takes one away and brings its successor at the same moment, so that one alone serves.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { byForm, record } from './figure.ts';
import { type Fleet, PATIENCE_MS, startFleet } from './stage/fleet.ts';
import { lives } from './stage/lives.ts';
import { type Summary, startLoad, summarize, tellCauses } from './stage/load.ts';

/** The endpoints' lag is 1 s; a drain has to be longer, and 3 s are. */
const DRAIN_SECONDS = 3;
const SHIPPED_DRAIN_SECONDS = 15;

let fleet: Fleet;
/** Of the replicas that run. */
let drain = DRAIN_SECONDS;
beforeAll(async () => {
  fleet = await startFleet({ drainSeconds: DRAIN_SECONDS });
});
afterAll(() => fleet?.stop());

describe('restarted under load', () => {
  test.each(
    [
      {
        part: `drain ${DRAIN_SECONDS} s`,
        seconds: DRAIN_SECONDS,
        times: byForm({ short: 2, full: 50, scheduled: 50 }),
      },
      {
        part: `drain ${SHIPPED_DRAIN_SECONDS} s, as shipped`,
        seconds: SHIPPED_DRAIN_SECONDS,
        times: byForm({ short: 0, full: 3, scheduled: 3 }),
      },
    ].filter(({ times }) => times > 0),
  )(
    '$part: no write fails',
    async ({ part, seconds, times }) => {
      const { codes, summary, identities } = await restartUnderLoad(seconds, times);
      record(
        'rolling-restart',
        part,
        `${tell(summary, times)}, ${identities} of them with an intent; exit codes ${[...new Set(codes)].join(', ')}`,
      );
      expect(summary).toMatchObject({ failed: 0, leaked: 0, causes: {} });
      expect(new Set(codes)).toEqual(new Set([0]));
      expect(summary.writes).toBeGreaterThan(times * 100);
    },
    3_600_000,
  );

  test('the same without a drain: some do, so the load can tell', async () => {
    const times = byForm({ short: 1, full: 5, scheduled: 5 });
    const { summary } = await restartUnderLoad(0, times, false);
    record('rolling-restart', 'control, without a drain', tell(summary, times));
    expect(summary.failed).toBeGreaterThan(0);
    expect(summary.leaked).toBe(0);
  }, 600_000);
});

interface Outcome {
  readonly codes: readonly (number | null)[];
  readonly summary: Summary;
  readonly identities: number;
}

/** Replaces all replicas so many times over; `seconds` is the drain of those that come and go in it. */
async function restartUnderLoad(seconds: number, times: number, withIdentity = true): Promise<Outcome> {
  if (seconds !== drain) for (const old of [...fleet.replicas]) await replace(old, seconds);
  const jane = fleet.controlPlane.api('jane');
  const load = startLoad(jane);
  const identity = withIdentity ? startLoad(jane, { writers: 1, pauseMs: 50, lives: [lives.identity] }) : undefined;
  const codes: (number | null)[] = [];
  try {
    for (let time = 0; time < times; time += 1) {
      for (const old of [...fleet.replicas]) codes.push(await replace(old, seconds));
    }
  } finally {
    await Promise.all([load.stop(), identity?.stop()]);
  }
  const writes = [...load.writes, ...(identity?.writes ?? [])];
  return { codes, summary: summarize(writes), identities: identity?.writes.length ?? 0 };
}

async function replace(old: Fleet['replicas'][number], seconds: number): Promise<number | null> {
  drain = seconds;
  const [code] = await Promise.all([fleet.end(old, () => old.stop('SIGTERM', PATIENCE_MS)), fleet.grow(seconds)]);
  return code;
}

function tell(summary: Summary, times: number): string {
  const { failed, leaked, writes, slowest } = summary;
  const why = failed > 0 ? ` (${tellCauses(summary)})` : '';
  return (
    `${failed} of ${writes} writes failed${why} in ${times} rolling restarts, ${times * 2} processes; ` +
    `admitted against a rule ${leaked}; slowest write ${Math.round(slowest)} ms`
  );
}

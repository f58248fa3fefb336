/**
 * One of two replicas is killed while users write, again and again. The API server does not repeat requests that were
 * in flight. What else fails depends on the Service: kube-proxy sends connections to a dead address until the endpoints
 * change, others try the next replica.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../e2e/harness/index.ts';
import { byForm, limitMs, record } from './figures.ts';
import { type Fleet, freezeAtWork, startFleet } from './fleet/fleet.ts';
import { startLoad, summarize } from './fleet/load.ts';

const TIMES = byForm(2, 20);
/** How much later than the kubelet the Service knows of a dead replica. */
const LAG_MS = 1000;

let fleet: Fleet;
let refused: 'next' | 'broken';
beforeAll(async () => {
  fleet = await startFleet({ refused: () => refused, endpoints: { lagMs: LAG_MS } });
});
afterAll(() => fleet?.stop());

type Kill = Awaited<ReturnType<typeof kill>>;

/** Kills a replica under load. */
async function kill() {
  const [victim] = fleet.replicas;
  if (victim === undefined) throw new Error('there is no replica to kill');
  const load = startLoad(fleet.controlPlane.api('jane'), { writers: 12, pauseMs: 5 });
  try {
    await sleep(1500);
    const before = { ...fleet.proxy.counts };
    // Else nothing could fail.
    await freezeAtWork(fleet.proxy, [victim]);
    const at = performance.now();
    fleet.end(victim, () => victim.stop('SIGKILL'));
    // Until the endpoints know, and longer.
    await sleep(LAG_MS + 2500);
    const writes = await load.stop();
    const since = (name: keyof typeof before) => fleet.proxy.counts[name] - before[name];
    const failures = writes.filter(({ result }) => result !== 'expected').map(({ ended }) => ended - at);
    await fleet.grow();
    return {
      writes,
      summary: summarize(writes),
      /**
       * Requests that waited for the killed replica or were sent to it before the client knew; `perhaps` may have been
       * handshakes.
       */
      inFlight: since('interrupted') + since('late'),
      perhaps: since('perhapsInterrupted'),
      /** Connections led to the dead address. */
      refused: since('refused'),
      /** Milliseconds from the kill to the last failure; 0 without one. */
      lastFailureMs: Math.max(0, ...failures),
    };
  } finally {
    await load.stop();
  }
}

test.each([
  { part: 'a Service that tries the next replica', mode: 'next' },
  { part: 'a Service that lags 1 s, as kube-proxy does', mode: 'broken' },
] as const)('$part: only requests in flight fail', async ({ part, mode }) => {
  refused = mode;
  const kills: Kill[] = [];
  for (let time = 0; time < TIMES; time += 1) kills.push(await kill());
  const whole = summarize(kills.flatMap(({ writes }) => writes));
  const sum = (of: (one: Kill) => number) => kills.reduce((total, one) => total + of(one), 0);
  const most = (of: (one: Kill) => number) => Math.round(Math.max(...kills.map(of)));
  const atMost = most(({ summary }) => summary.failed);
  record(
    'killed',
    part,
    `${TIMES} killed: ${whole.failed} of ${whole.writes} writes failed, at most ${atMost} for one; in flight ${sum(({ inFlight }) => inFlight)} and perhaps ` +
      `${sum(({ perhaps }) => perhaps)} more, connections led to the dead address ${sum((one) => one.refused)}; stored against a rule ${whole.leaked}; ` +
      `none failed later than ${most(({ lastFailureMs }) => lastFailureMs)} ms (${whole.causes})`,
    `${mode === 'next' ? `${TIMES} kills: ` : 'behind a lagging Service '}at most ${atMost} writes failed for one`,
  );
  for (const { summary, inFlight, perhaps, refused: led, lastFailureMs } of kills) {
    expect(summary.leaked).toBe(0);
    expect(inFlight).toBeGreaterThan(0);
    expect(summary.failed).toBeLessThanOrEqual(inFlight + perhaps + (mode === 'next' ? 0 : led));
    // Once the endpoints know, and what was sent before is answered, nothing fails.
    expect(lastFailureMs).toBeLessThan((mode === 'next' ? 0 : LAG_MS) + summary.slowest + limitMs(250));
  }
  await until('both replicas', async () => fleet.endpoints.ready().length === 2);
});

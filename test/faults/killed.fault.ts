/**
 * One of two replicas is killed while users write, again and again. What waited for an answer from it can't be saved: the API
 * server does not repeat a POST. What else may fail depends on the Service: kube-proxy leads connections to a dead address
 * until the endpoints have heard of it, others try the next one.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { byForm, record } from './figure.ts';
import { type Blow, strike, tell } from './killed/blow.ts';
import { type Fleet, startFleet } from './stage/fleet.ts';

const TIMES = byForm({ short: 2, full: 20, scheduled: 20 });
/** Of the endpoints: see stage/endpoints.ts. */
const LAG_MS = 1000;

let fleet: Fleet;
let refused: 'next' | 'broken';
beforeAll(async () => {
  fleet = await startFleet({ refused: () => refused, endpoints: { lagMs: LAG_MS } });
});
afterAll(() => fleet?.stop());

test.each([
  { part: 'a Service that tries the next replica', mode: 'next' },
  { part: 'a Service that lags 1 s, as kube-proxy does', mode: 'broken' },
] as const)(
  '$part: only requests in flight fail',
  async ({ part, mode }) => {
    refused = mode;
    const blows: Blow[] = [];
    for (let time = 0; time < TIMES; time += 1) blows.push(await strike(fleet));
    record('killed', part, tell(blows));
    for (const { summary, inFlight, perhaps, refused: led, lastFailureMs, within } of blows) {
      expect(summary.leaked).toBe(0);
      expect(summary.failed).toBeLessThanOrEqual(inFlight + perhaps + (mode === 'next' ? 0 : led));
      // After the endpoints have heard of it, and what was sent until then is answered, nothing fails.
      expect(lastFailureMs).toBeLessThan((mode === 'next' ? 0 : LAG_MS) + within);
    }
    // Killing is felt, or the load is none.
    expect(blows.reduce((sum, { summary }) => sum + summary.failed, 0)).toBeGreaterThan(0);
  },
  600_000,
);

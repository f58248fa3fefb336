/** The files a server watches go bad while it is called, and its clock is wrong: what was good stays, and no handshake fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keepDoing } from '../e2e/certs/load.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { startRoundRobin } from '../e2e/races/round-robin.ts';
import { compare, race } from './certificates/apart.ts';
import { isShifted, javaScriptClock, shiftedClock } from './certificates/clock.ts';
import { fixtureReviews } from './certificates/fixtures.ts';
import { type Found, spoilCertificates, spoilClientCas, spoilConfigurations } from './certificates/healing.ts';
import { issuePair } from './certificates/pair.ts';
import { probe } from './certificates/probe.ts';
import { RESERVED } from './certificates/reserved.ts';
import { put } from './certificates/spoil.ts';
import { call, startWatched, type Watched } from './certificates/watched.ts';
import { byForm, record } from './figure.ts';

const ROW = 'certificates';
const ROUNDS = byForm({ short: 1, full: 5, scheduled: 5 });

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-files-'));
  let watched: Watched;
  beforeAll(async () => {
    watched = await startWatched(folder);
  }, 60_000);
  afterAll(async () => {
    await watched?.muster.stop();
    rmSync(folder, { recursive: true });
  });

  test('of each kind, in each bad state, while it is called: the old ones stay, and good ones heal it', async () => {
    const load = keepDoing(() => call(watched), 15);
    const found: Found = { states: 0, wrong: [], healed: [] };
    for (let round = 0; round < ROUNDS; round++) {
      await spoilCertificates(watched, found);
      await spoilClientCas(watched, found);
      await spoilConfigurations(watched, found);
    }
    await load.stop();
    const { states, wrong, healed } = found;
    record(
      ROW,
      'files under load',
      `${states} bad states of certificate, client CA and configuration: each told, the old one kept; healed ${healed.length} times, slowest ${Math.max(...healed).toFixed(0)} ms; ` +
        `${load.count} handshakes with a review each, failed ${load.failures.length}`,
    );
    expect([...new Set(load.failures)]).toEqual([]);
    expect(wrong).toEqual([]);
    expect(healed).toHaveLength(states);
    expect(load.count).toBeGreaterThan(100);
    expect((await fetch(`${watched.muster.opsUrl}/readyz`)).status).toBe(200);
  }, 900_000);

  test('what is counted can fail: a caller that does not know the CA', async () => {
    const stranger = await issuePair();
    await expect(call({ ...watched, trusted: stranger.ca })).rejects.toThrow(
      /self-signed|unable to verify|certificate/,
    );
  });
});

describe('the clock 30 minutes off', () => {
  const PAIRS = byForm({ short: 10, full: 100, scheduled: 100 });
  const folder = mkdtempSync(join(tmpdir(), 'muster-clock-files-'));
  const clock = shiftedClock();
  let controlPlane: ControlPlane;
  let musters: Muster[] = [];
  let ca = '';
  beforeAll(async () => {
    controlPlane = await startControlPlane();
    await grantAccess(controlPlane);
    musters = [];
    for (const minutes of [-30, 0, 30]) {
      const { files, ca: own } = await issuePair();
      const certs = join(folder, String(minutes));
      put(certs, { ...files, 'ca.crt': own });
      ca += own;
      musters.push(await startMuster({ controlPlane, certs, env: minutes === 0 ? {} : clock.env(minutes) }));
    }
  }, 120_000);
  afterAll(async () => {
    await Promise.all(musters.map((muster) => muster.stop()));
    await controlPlane?.stop();
    rmSync(folder, { recursive: true });
  });

  test('is told, and changes no verdict but of rules on time', async () => {
    for (const each of [clock, javaScriptClock])
      expect({ how: each.how, shifted: isShifted(each) }).toMatchObject({ shifted: true });
    const reviews = fixtureReviews();
    const { other, onTime } = await compare(reviews, musters, ca);
    const [slow, , fast] = musters;
    for (const muster of [slow, fast]) {
      for (let left = 200; left > 0 && !muster?.log().includes("this machine's clock is minutes"); left--)
        await sleep(100);
    }
    const tellers = [slow, fast].filter((muster) => muster?.log().includes("this machine's clock is minutes"));
    record(
      ROW,
      'the clock 30 minutes off, either way',
      `(${clock.how}) ${reviews.length} reviews of the fixtures and of times within the half hour: other verdicts ${other.length}, of \`feature/evaluation-time\` ${onTime}; of 2 servers ${tellers.length} told of their clock`,
    );
    expect(other).toEqual([]);
    expect(onTime).toBeGreaterThan(0);
    expect(slow?.log()).toContain("this machine's clock is minutes behind");
    expect(fast?.log()).toContain("this machine's clock is minutes ahead");
  }, 120_000);

  test('intents stay exclusive between two servers an hour apart, and no handshake fails', async () => {
    const [slow, , fast] = musters as [Muster, Muster, Muster];
    const proxy = await startRoundRobin([slow.port, fast.port]);
    await register(controlPlane, [slow, fast], { url: proxy.url });
    const handshakes = keepDoing(
      async (nth) => (await probe(nth % 2 === 0 ? slow.port : fast.port, ca, RESERVED)).shown,
      25,
    );
    const { tally, violations } = await race(controlPlane, PAIRS).finally(async () => {
      await handshakes.stop();
      await proxy.close();
    });
    record(
      ROW,
      'two servers an hour apart',
      `${tally.pairs} pairs of rival writes: violations ${violations}, both refused ${tally.neither}, without a rival refused ${tally.lonely.length}; ` +
        `${handshakes.count} handshakes, failed ${handshakes.failures.length}`,
    );
    expect(violations).toBe(0);
    expect(tally).toMatchObject({ pairs: PAIRS * 6, neither: 0, lonely: [] });
    expect([...new Set(handshakes.failures)]).toEqual([]);
    for (const count of proxy.connections) expect(count).toBeGreaterThan(0);
  }, 600_000);

  test('a new certificate that is not valid yet by a slow clock: refused there, in use elsewhere, and the old one serves on', async () => {
    const [slow, , fast] = musters as [Muster, Muster, Muster];
    // Valid from ten minutes ago.
    const next = await issuePair(new Date(Date.now() + 50 * 60_000));
    for (const minutes of [-30, 30]) put(join(folder, String(minutes)), next.files);
    for (
      let left = 300;
      left > 0 && !(slow.log().includes('is not valid before') && fast.log().includes('a new certificate is in use'));
      left--
    )
      await sleep(100);
    const shown = await Promise.all(
      [slow, fast].map(async ({ port }) => (await probe(port, `${ca}${next.ca}`, RESERVED)).shown),
    );
    const ready = await Promise.all([slow, fast].map(async ({ opsUrl }) => (await fetch(`${opsUrl}/readyz`)).status));
    expect(slow.log()).toContain('is not valid before');
    expect(new Set(shown).size).toBe(2);
    expect(ready).toEqual([200, 200]);
  }, 60_000);
});

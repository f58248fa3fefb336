/** The files a server watches go bad while it is called, and its clock is wrong: what was good stays, and no handshake fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../src/schemas/dialects.ts';
import { issueCertificates } from '../../src/tls/issue.ts';
import { keepDoing } from '../e2e/certs/load.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { follow, violationsIn } from '../e2e/races/history.ts';
import { identityOf } from '../e2e/races/identity.ts';
import { newTally, racePairs } from '../e2e/races/pairs.ts';
import { startRoundRobin } from '../e2e/races/round-robin.ts';
import { callerCa, period } from '../tls/callers.ts';
import { isShifted, javaScriptClock, shiftedClock } from './certificates/clock.ts';
import { fixtureReviews } from './certificates/fixtures.ts';
import { codeOf, probe, reviewOf } from './certificates/probe.ts';
import { type Files, HARM, put, WRITE } from './certificates/spoil.ts';
import { byForm, record } from './figure.ts';

const ROW = 'certificates';
const NAMES = ['127.0.0.1', 'localhost'];
const DAY = 86_400_000;
const ROUNDS = byForm({ short: 1, full: 5, scheduled: 5 });

const claim = (name: string) =>
  reviewOf({
    operation: 'CREATE',
    object: {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'ClusterClaim',
      metadata: { name },
      spec: { value: 'a' },
    },
  });
/** Refused under one configuration, and passed with a warning under the other. */
const RESERVED = claim('zone.k8s.io');
const configuration = (action: string) =>
  JSON.stringify({
    apiVersion: 'muster/v1alpha1',
    kind: 'MusterConfiguration',
    rules: { 'claim/reserved-name': action },
  });

async function pair(now = new Date()): Promise<{ files: Files; ca: string }> {
  const { cert, key, ca } = await issueCertificates({ names: NAMES, now });
  return { files: { 'tls.crt': cert, 'tls.key': key }, ca };
}

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-files-'));
  const callers = callerCa();
  const me = callers.issue('me');
  let muster: Muster;
  let trusted = '';
  beforeAll(async () => {
    const { files, ca } = await pair();
    trusted = ca;
    put(folder, { ...files, 'callers.crt': callers.pem, 'muster.yaml': configuration('deny'), 'ca.crt': ca });
    const args = ['--client-ca-file', join(folder, 'callers.crt')];
    muster = await startMuster({ certs: folder, config: join(folder, 'muster.yaml'), args });
  }, 60_000);
  afterAll(async () => {
    await muster?.stop();
    rmSync(folder, { recursive: true });
  });

  const until = async (what: string, holds: () => Promise<boolean>) => {
    const began = performance.now();
    while (!(await holds())) {
      if (performance.now() - began > 30_000) throw new Error(`${what}: not within 30 s`);
      await sleep(20);
    }
    return performance.now() - began;
  };
  const refusals = async () => {
    const text = await muster.metrics();
    const counts = [...text.matchAll(/^muster_\w+_reloads_total\{outcome="refused"\} (\d+)/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };

  test('of each kind, in each bad state, while it is called: the old ones stay, and good ones heal it', async () => {
    let expected = 403;
    const load = keepDoing(async () => {
      const { shown, response } = await probe(muster.port, trusted, RESERVED, me);
      if (![403, 200].includes(codeOf(response))) throw new Error(`a verdict of ${codeOf(response)}`);
      return shown;
    }, 15);
    const wrong: string[] = [];
    const healed: number[] = [];
    let states = 0;
    /** Does harm, waits until muster has told, and sees to it that all is as it was. */
    const harmed = async (what: string, harm: () => void) => {
      states += 1;
      const [before, { shown }] = [await refusals(), await probe(muster.port, trusted, RESERVED, me)];
      harm();
      await until(`told of: ${what}`, async () => (await refusals()) > before);
      const after = await probe(muster.port, trusted, RESERVED, me);
      if (after.shown !== shown) wrong.push(`${what}: another certificate`);
      if (codeOf(after.response) !== expected) wrong.push(`${what}: ${codeOf(after.response)}`);
      const stranger = await probe(muster.port, trusted, RESERVED).then(
        () => true,
        () => false,
      );
      if (stranger) wrong.push(`${what}: a stranger got in`);
    };
    const ways = Object.entries(WRITE);
    for (let round = 0; round < ROUNDS; round++) {
      const good = await pair();
      trusted += good.ca;
      const [expired, early, other] = [
        await pair(new Date(Date.now() - 200 * DAY)),
        await pair(new Date(Date.now() + 2 * DAY)),
        await pair(),
      ];
      const bad: [string, () => void][] = [
        ...Object.entries(HARM).map(([what, harm]): [string, () => void] => [what, () => harm(folder, good.files)]),
        ['expired', () => put(folder, expired.files)],
        ['not yet valid', () => put(folder, early.files)],
        ['mismatched', () => put(folder, { ...good.files, 'tls.key': other.files['tls.key'] ?? '' })],
        [
          'swapped',
          () => put(folder, { 'tls.crt': good.files['tls.key'] ?? '', 'tls.key': good.files['tls.crt'] ?? '' }),
        ],
      ];
      for (const [index, [what, harm]] of bad.entries()) {
        await harmed(`certificate ${what}`, harm);
        const next = await pair();
        trusted += next.ca;
        const { shown } = await probe(muster.port, trusted, RESERVED, me);
        const [, write] = ways[index % ways.length] ?? [];
        await write?.(folder, next.files);
        healed.push(
          await until(
            `healed of: ${what}`,
            async () => (await probe(muster.port, trusted, RESERVED, me)).shown !== shown,
          ),
        );
      }
      const cas: Files = { 'callers.crt': callers.pem };
      const badCas: [string, () => void][] = [
        ...Object.entries(HARM).map(([what, harm]): [string, () => void] => [what, () => harm(folder, cas)]),
        ['expired', () => put(folder, { 'callers.crt': callerCa(period(-60, -30)).pem })],
        ['no CA', () => put(folder, { 'callers.crt': me.cert })],
      ];
      for (const [index, [what, harm]] of badCas.entries()) {
        await harmed(`client CA ${what}`, harm);
        const more = callerCa();
        const another = more.issue('another');
        await ways[index % ways.length]?.[1](folder, { 'callers.crt': `${callers.pem}${more.pem}` });
        const gotIn = () =>
          probe(muster.port, trusted, RESERVED, another).then(
            () => true,
            () => false,
          );
        healed.push(await until(`healed of: client CA ${what}`, gotIn));
      }
      const badConfigurations: [string, () => void][] = [
        ...Object.entries(HARM).map(([what, harm]): [string, () => void] => [
          what,
          () => harm(folder, { 'muster.yaml': configuration('warn') }),
        ]),
        ['of an unknown key', () => put(folder, { 'muster.yaml': configuration('warn').replace('rules', 'rulez') })],
      ];
      for (const [index, [what, harm]] of badConfigurations.entries()) {
        await harmed(`configuration ${what}`, harm);
        expected = expected === 403 ? 200 : 403;
        await ways[index % ways.length]?.[1](folder, {
          'muster.yaml': configuration(expected === 403 ? 'deny' : 'warn'),
        });
        const decided = async () => codeOf((await probe(muster.port, trusted, RESERVED, me)).response) === expected;
        healed.push(await until(`healed of: configuration ${what}`, decided));
      }
    }
    await load.stop();
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
    expect((await fetch(`${muster.opsUrl}/readyz`)).status).toBe(200);
  }, 900_000);

  test('what is counted can fail: a caller that does not know the CA', async () => {
    const stranger = await pair();
    await expect(probe(muster.port, stranger.ca, RESERVED, me)).rejects.toThrow(
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
      const { files, ca: own } = await pair();
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
    const other: string[] = [];
    let onTime = 0;
    for (const { name, review } of reviews) {
      const [slow, right, fast] = await Promise.all(
        musters.map(async ({ port }) => (await probe(port, ca, review)).response),
      );
      for (const off of [slow, fast]) {
        if (codeOf(off) === codeOf(right)) continue;
        if (JSON.stringify([off, right]).includes('feature/evaluation-time')) onTime += 1;
        else other.push(`${name}: ${codeOf(right)}, and ${codeOf(off)}`);
      }
    }
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
    const tally = newTally();
    let violations = 0;
    try {
      for (const dialect of [clusterClaim, ocmClusterClaim, clusterProperty]) {
        const history = await follow(controlPlane, dialect);
        const one = identityOf(dialect, controlPlane.api('jane'));
        await racePairs(one, 'change', PAIRS, tally);
        await racePairs(one, 'delete', PAIRS, tally);
        const mark = `mark-${Date.now()}`;
        await one.leave();
        if ((await one.id()).status === 404) await one.createId(mark);
        else await one.changeId(mark);
        await history.until((events) => events.some(({ value }) => value === mark));
        history.close();
        violations += violationsIn(history.events, dialect).length;
      }
    } finally {
      await handshakes.stop();
      await proxy.close();
    }
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
    const next = await pair(new Date(Date.now() + 50 * 60_000));
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

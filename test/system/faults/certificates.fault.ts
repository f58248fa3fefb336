/**
 * Watched files become bad during calls, and clocks are wrong: the last good files stay in use, and no handshake fails.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, callerCa, period } from '../../support/callers.ts';
import { newFolder } from '../../support/folder.ts';
import { repeat } from '../e2e/certs/load.ts';
import {
  type ControlPlane,
  codeOf,
  grantAccess,
  type Muster,
  register,
  startControlPlane,
  startMuster,
  startProxy,
  until,
} from '../e2e/harness/index.ts';
import { race } from '../e2e/races/pairs.ts';
import { BAD, type Files, issuePair, put, WRITE } from './certificates/files.ts';
import { configuration, fixtureReviews, probe, RESERVED } from './certificates/probe.ts';
import { byForm, record } from './figures.ts';

const ROW = 'certificates';
const ROUNDS = byForm(1, 5);
const PAIRS = byForm(10, 100);
const DAY = 86_400_000;

/** Returns the environment of a process whose clock, as JavaScript has it, is so many minutes off. */
function shiftedClock(minutes: number): NodeJS.ProcessEnv {
  const module = new URL('./certificates/shift.mjs', import.meta.url).href;
  return { CLOCK_SHIFT_MS: String(minutes * 60_000), NODE_OPTIONS: `--import=${module}` };
}

describe('watched files', () => {
  const folder = newFolder().path;
  const callers = callerCa();
  const me = callers.issue('me');
  let muster: Muster;
  /** PEM of every CA that a certificate in use may be of. */
  let trusted: string;
  /** The verdict on `RESERVED` with the configuration in use. */
  let expected: 403 | 200 = 403;

  beforeAll(async () => {
    const { files, ca } = await issuePair();
    trusted = ca;
    put(folder, { ...files, 'callers.crt': callers.pem, 'muster.yaml': configuration('deny'), 'ca.crt': ca });
    const args = ['--client-ca-file', join(folder, 'callers.crt')];
    muster = await startMuster({ certs: folder, config: join(folder, 'muster.yaml'), args });
  });
  afterAll(async () => {
    await muster?.stop();
  });

  const review = (caller?: Caller) => probe(muster.port, trusted, RESERVED, caller);
  const isAccepted = (caller?: Caller) =>
    review(caller).then(
      () => true,
      () => false,
    );

  /** Returns how many files were read and refused so far. */
  async function refusals(): Promise<number> {
    const counts = [...(await muster.metrics()).matchAll(/^muster_\w+_reloads_total\{outcome="refused"\} (\d+)/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  interface Kind {
    readonly name: string;
    readonly bad: readonly (readonly [what: string, change: () => void])[];
    /** Returns good files, and whether they are in use once they are written. */
    fix(): Promise<readonly [Files, () => Promise<boolean>]>;
  }

  const bads = (good: Files) => Object.entries(BAD).map(([what, make]) => [what, () => make(folder, good)] as const);

  async function certificates(): Promise<Kind> {
    const good = await issuePair();
    const other = await issuePair();
    const [expired, early] = [
      await issuePair(new Date(Date.now() - 200 * DAY)),
      await issuePair(new Date(Date.now() + 2 * DAY)),
    ];
    trusted += good.ca;
    return {
      name: 'certificate',
      bad: [
        ...bads(good.files),
        ['expired', () => put(folder, expired.files)],
        ['not yet valid', () => put(folder, early.files)],
        ['mismatched', () => put(folder, { ...good.files, 'tls.key': other.files['tls.key'] ?? '' })],
      ],
      async fix() {
        const next = await issuePair();
        trusted += next.ca;
        const { certificate } = await review(me);
        return [next.files, async () => (await review(me)).certificate !== certificate];
      },
    };
  }

  function clientCas(): Kind {
    return {
      name: 'client CA',
      bad: [
        ...bads({ 'callers.crt': callers.pem }),
        ['expired', () => put(folder, { 'callers.crt': callerCa(period(-60, -30)).pem })],
        ['no CA', () => put(folder, { 'callers.crt': me.cert })],
      ],
      async fix() {
        const more = callerCa();
        const another = more.issue('another');
        return [{ 'callers.crt': `${callers.pem}${more.pem}` }, () => isAccepted(another)];
      },
    };
  }

  function configurations(): Kind {
    const good = configuration('warn');
    return {
      name: 'configuration',
      bad: [
        ...bads({ 'muster.yaml': good }),
        ['of an unknown key', () => put(folder, { 'muster.yaml': good.replace('rules', 'rulez') })],
      ],
      async fix() {
        expected = expected === 403 ? 200 : 403;
        const files = { 'muster.yaml': configuration(expected === 403 ? 'deny' : 'warn') };
        return [files, async () => codeOf((await review(me)).response) === expected];
      },
    };
  }

  test('every bad state is reported, the last good file stays in use, and a good file heals it', async () => {
    const load = repeat(async () => String(codeOf((await review(me)).response)), 15);
    const wrong: string[] = [];
    const healed: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const { name, bad, fix } of [await certificates(), clientCas(), configurations()])
        for (const [index, [what, make]] of bad.entries()) {
          const before = await refusals();
          const { certificate } = await review(me);
          make();
          await until(`the report of: ${name} ${what}`, async () => (await refusals()) > before);
          const after = await review(me);
          if (after.certificate !== certificate) wrong.push(`${name} ${what}: another certificate`);
          if (codeOf(after.response) !== expected) wrong.push(`${name} ${what}: ${codeOf(after.response)}`);
          if (await isAccepted()) wrong.push(`${name} ${what}: a caller without a certificate was accepted`);
          const [files, isHealed] = await fix();
          await WRITE[index % WRITE.length]?.(folder, files);
          healed.push(await until(`good files after: ${name} ${what}`, isHealed));
        }
    await load.stop();
    record(
      ROW,
      'files under load',
      `${healed.length} bad states of certificate, client CA and configuration, each reported; healed within ${Math.max(...healed).toFixed(0)} ms; ` +
        `${load.count} handshakes, failures ${[...load.failures].join(', ') || 'none'}`,
      `${healed.length} bad states, each followed by recovery; handshakes failed: ${load.failures.size === 0 ? `0 of ${load.count}` : [...load.failures]}`,
    );
    expect([...load.failures]).toEqual([]);
    expect(wrong).toEqual([]);
    expect([...load.results].sort()).toEqual(['200', '403']);
    expect(load.count).toBeGreaterThan(100);
    expect((await fetch(`${muster.opsUrl}/readyz`)).status).toBe(200);
  });
});

describe('a clock that is 30 minutes off', () => {
  const folder = newFolder().path;
  let controlPlane: ControlPlane;
  let slow: Muster;
  let right: Muster;
  let fast: Muster;
  let ca = '';

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    await grantAccess(controlPlane);
    const start = async (minutes: number) => {
      const { files, ca: own } = await issuePair();
      const certs = join(folder, String(minutes));
      put(certs, { ...files, 'ca.crt': own });
      ca += own;
      return startMuster({ controlPlane, certs, env: minutes === 0 ? {} : shiftedClock(minutes) });
    };
    [slow, right, fast] = [await start(-30), await start(0), await start(30)];
  });
  afterAll(async () => {
    await Promise.all([slow, right, fast].map((muster) => muster?.stop()));
    await controlPlane?.stop();
  });

  test('is reported in the log, and changes verdicts only of rules about time', async () => {
    const reviews = fixtureReviews();
    const other: string[] = [];
    let aboutTime = 0;
    for (const { name, review } of reviews) {
      const [expected, ...shifted] = await Promise.all(
        [right, slow, fast].map(async ({ port }) => (await probe(port, ca, review)).response),
      );
      for (const response of shifted.filter((one) => codeOf(one) !== codeOf(expected))) {
        if (JSON.stringify([response, expected]).includes('feature/evaluation-time')) aboutTime += 1;
        else other.push(`${name}: ${codeOf(expected)} and ${codeOf(response)}`);
      }
    }
    record(
      ROW,
      'the clock 30 minutes off',
      `${reviews.length} reviews: other verdicts ${other.length}, of \`feature/evaluation-time\` ${aboutTime}`,
    );
    expect(other).toEqual([]);
    expect(aboutTime).toBeGreaterThan(0);
    await until(
      'both logs',
      async () => /clock is minutes behind/.test(slow.log()) && /clock is minutes ahead/.test(fast.log()),
    );
  });

  test('locks stay exclusive between two servers an hour apart, and no handshake fails', async () => {
    const proxy = await startProxy({ targets: () => [slow, fast] });
    await register(controlPlane, [slow, fast], { url: proxy.url });
    const handshakes = repeat(
      async (nth) => (await probe(nth % 2 === 0 ? slow.port : fast.port, ca, RESERVED)).certificate,
      25,
    );
    const { pairs, ...tally } = await race(controlPlane, PAIRS).finally(async () => {
      await handshakes.stop();
      await proxy.close();
    });
    const figure = `${pairs} pairs of rival writes: violations ${tally.violations}, both refused ${tally.neither}; ${handshakes.count} handshakes`;
    record(ROW, 'two servers an hour apart', figure, `${tally.violations} of ${pairs} rival writes broke the norm`);
    expect({ pairs, ...tally }).toEqual({ pairs: PAIRS * 6, violations: 0, neither: 0, lonely: [] });
    expect([...handshakes.failures]).toEqual([]);
    expect(proxy.made.size).toBe(2);
  });
});

/**
 * muster is killed when it has put an intent into the Lease and before anybody has heard of it: the write is never stored, and
 * what forbids it waits until the intent's time is over. The sixty seconds are real ones, in every form.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../src/api/dialects.ts';
import { type ApiAnswer, grantAccess, register, startControlPlane, startMuster } from '../e2e/harness/index.ts';
import { type ClaimDialect, DIALECTS, type Identity, identityOf } from '../e2e/races/identity.ts';
import { crashWith, type Stage } from './abandoned-lock/crash.ts';
import { startGate } from './abandoned-lock/gate.ts';
import { byForm, record } from './figure.ts';
import { servingCertificates } from './stage/serving.ts';

const ROUNDS = byForm({ short: 1, full: 3, scheduled: 3 });
/** Of an intent, as docs/live.md has it. */
const LIFETIME_MS = 60_000;
/** As the refusal tells: `retryAfterSeconds`. */
const RETRY_MS = 1000;
/** The stamp is of whole seconds, which can make one more; and the machine is busy. */
const LATEST_MS = LIFETIME_MS + 1000 + RETRY_MS + 2000;
const EARLIEST_MS = LIFETIME_MS - 1000;

type Kind = 'join' | 'change' | 'delete';

let stage: Stage;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const controlPlane = await startControlPlane();
  undo.push(controlPlane.stop);
  await grantAccess(controlPlane);
  const certs = await servingCertificates(join(controlPlane.folder, 'serving'));
  const muster = await startMuster({ controlPlane, certs });
  const gate = await startGate(muster.port);
  undo.push(gate.close);
  stage = { controlPlane, certs, muster, gate };
  undo.push(() => stage.muster.kill());
  await register(controlPlane, muster, { url: gate.url });
  for (const dialect of DIALECTS) expect(await of(dialect).createId('first')).toMatchObject({ status: 201 });
});
afterAll(async () => {
  for (const one of undo.reverse()) await one();
});

const of = (dialect: ClaimDialect, user = 'jane'): Identity => identityOf(dialect, stage.controlPlane.api(user));
const isDone = ({ status }: Pick<ApiAnswer, 'status'>) => status >= 200 && status < 300;

function write(one: Identity, kind: Kind, value: string): Promise<ApiAnswer> {
  if (kind === 'join') return one.join();
  return kind === 'change' ? one.changeId(value) : one.deleteId();
}

/** Of the write that forbids it. */
const rivalOf = (kind: Kind): Kind => (kind === 'join' ? 'change' : 'join');

/** An id and no membership, and nothing that waits. */
async function reset(): Promise<void> {
  await free();
  for (const one of DIALECTS.map((dialect) => of(dialect))) {
    if ((await one.membership()).status === 200) expect(await one.leave()).toMatchObject({ status: 200 });
    if ((await one.id()).status === 404) expect(await one.createId('again')).toMatchObject({ status: 201 });
    expect(await one.changeId(`reset-${Date.now()}`)).toMatchObject({ status: 200 });
  }
}

/** By hand, as docs/live.md has it. */
async function free(): Promise<void> {
  for (const name of ['muster-cluster-claim', 'muster-ocm-cluster-claim', 'muster-cluster-property']) {
    const path = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/${name}`;
    const { status } = await stage.controlPlane.api('admin').call('PATCH', path, { spec: { holderIdentity: null } });
    expect(status).toBe(200);
  }
}

interface Wait {
  readonly kind: Kind;
  /** How often it was told to come again. */
  readonly refused: number;
  /** Milliseconds from the intent that stood in its way. */
  readonly waited: number;
  /** What else was said than 503, at last. */
  readonly end: ApiAnswer;
}

/** Comes again each time it is told to, as a client library does. */
async function untilLetBy(kind: Kind, since: number, again: () => Promise<ApiAnswer>): Promise<Wait> {
  for (let refused = 0; ; refused++) {
    const end = await again();
    const waited = performance.now() - since;
    if (end.status !== 503 || waited > LATEST_MS + 30_000) return { kind, refused, waited, end };
    expect(end.body.details.retryAfterSeconds).toBe(RETRY_MS / 1000);
    await sleep(RETRY_MS);
  }
}

test('whoever wrote may write again at once, whatever it was', async () => {
  const kinds: readonly Kind[] = ['change', 'join', 'delete'];
  await reset();
  const doomed = DIALECTS.map((dialect, index) => ({
    dialect,
    write: () => write(of(dialect), kinds[index] ?? 'join', 'mine'),
  }));
  const { answers } = await crashWith(stage, doomed);
  const times = await Promise.all(
    doomed.map(async (one) => {
      const began = performance.now();
      const answer = await one.write();
      return { status: answer.status, took: performance.now() - began };
    }),
  );
  const allowed = times.filter(isDone).length;
  const told = times.map(({ took }, index) => `${kinds[index]} ${took.toFixed(0)} ms`).join(', ');
  record(
    'abandoned-lock',
    'the same write again',
    `allowed at the first attempt ${allowed} of ${times.length}: ${told}`,
  );
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(times.map(({ status }) => status)).toEqual([200, 201, 200]);
  // Of a write that is stored nothing is left to wait for.
  expect(await of(clusterClaim, 'bob').join()).toMatchObject({ status: 201 });
});

test('an answer that was given before the crash: what is stored holds nobody up', async () => {
  await reset();
  expect(await of(clusterClaim).changeId('stored')).toMatchObject({ status: 200 });
  await crashWith(stage, []);
  const began = performance.now();
  const { status } = await of(clusterClaim, 'bob').join();
  const took = performance.now() - began;
  record('abandoned-lock', 'stored before the crash', `a rival got ${status}, ${took.toFixed(0)} ms after it came`);
  expect(status).toBe(201);
});

test('a rival waits for the lifetime of the intent and one retry, no longer; and nobody else waits', async () => {
  const kinds: readonly Kind[] = ['join', 'change', 'delete'];
  const waits: Wait[] = [];
  let others = 0;
  let refusedOthers = 0;
  let failed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await reset();
    const doomed = DIALECTS.map((dialect, index) => ({ dialect, kind: kinds[(index + round) % 3] ?? 'join' }));
    const crash = await crashWith(
      stage,
      doomed.map(({ dialect, kind }) => ({ dialect, write: () => write(of(dialect), kind, 'lost') })),
    );
    failed += crash.answers.filter(({ status }) => status === 500).length;
    let waiting = true;
    const beside = (async () => {
      for (let nth = 0; waiting; nth++) {
        const name = `beside-${round}-${nth}.example.com`;
        const { status } = await stage.controlPlane.api('bob').call('POST', CLAIMS, claim(name));
        others += 1;
        if (status !== 201) refusedOthers += 1;
        await sleep(500);
      }
    })();
    const found = doomed.map(({ dialect, kind }, index) =>
      untilLetBy(kind, crash.taken[index] ?? 0, () => write(of(dialect, 'bob'), rivalOf(kind), 'rival')),
    );
    waits.push(...(await Promise.all(found)));
    waiting = false;
    await beside;
  }
  const seconds = waits.map(({ waited }) => waited / 1000);
  const refused = waits.reduce((sum, wait) => sum + wait.refused, 0);
  record(
    'abandoned-lock',
    'a rival',
    `${waits.length} crashes with an intent held (${kinds.join(', ')}): let by ${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s after it was taken, ` +
      `told ${refused} times to come again after 1 s; ${others} other writes meanwhile, refused ${refusedOthers}`,
  );
  expect(failed).toBe(waits.length);
  expect(waits.filter(({ end }) => !isDone(end)).map(({ kind, end }) => [kind, end.status, end.body.message])).toEqual(
    [],
  );
  // Earlier, the lost write could still have been stored.
  for (const { waited } of waits) expect(waited).toBeGreaterThan(EARLIEST_MS);
  for (const { waited } of waits) expect(waited).toBeLessThan(LATEST_MS);
  expect(refused).toBeGreaterThanOrEqual(waits.length * 30);
  expect([refusedOthers, others > 50]).toEqual([0, true]);
}, 400_000);

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const claim = (name: string) => ({
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name },
  spec: { value: 'x' },
});

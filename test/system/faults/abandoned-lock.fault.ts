/**
 * A replica is killed after it took a lock and before its answer arrived: the write is never stored, and rivals wait
 * for the lock to expire.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import {
  type ApiAnswer,
  type ClaimDialect,
  type ControlPlane,
  DIALECTS,
  grantAccess,
  type Identity,
  identityOf,
  type Muster,
  register,
  resetIdentities,
  type ServiceProxy,
  servingCertificates,
  startControlPlane,
  startMuster,
  startProxy,
  until,
} from '../e2e/harness/index.ts';
import { byForm, limitMs, record } from './figures.ts';
import { send } from './fleet/load.ts';
import { steps } from './fleet/steps.ts';

const ROUNDS = byForm(1, 3);
/** The lifetime of a lock, as in docs/live.md. */
const LIFETIME_MS = 60_000;
/** `retryAfterSeconds` of the refusal. */
const RETRY_MS = 1000;
/** The time stamp has whole seconds, and the machine is busy. */
const SLACK_MS = limitMs(3000);

const KINDS = ['join', 'change', 'delete'] as const;
type Kind = (typeof KINDS)[number];

let controlPlane: ControlPlane;
let muster: Muster;
let proxy: ServiceProxy;
let certs: string;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  certs = await servingCertificates(join(controlPlane.folder, 'serving'));
  muster = await startMuster({ controlPlane, certs });
  proxy = await startProxy({ targets: () => [muster] });
  await register(controlPlane, muster, { timeoutSeconds: 'printed', url: proxy.url });
});
afterAll(async () => {
  await muster?.kill();
  await proxy?.close();
  await controlPlane?.stop();
});

const of = (dialect: ClaimDialect, user = 'jane'): Identity => identityOf(dialect, controlPlane.api(user));
const isDone = ({ status }: ApiAnswer) => status >= 200 && status < 300;

function write(one: Identity, kind: Kind, value: string): Promise<ApiAnswer> {
  if (kind === 'join') return one.join();
  return kind === 'change' ? one.changeId(value) : one.deleteId();
}

/**
 * Sends a write in each dialect, kills muster when all locks are taken and no answer has passed, and starts another
 * muster. Returns the answers, and when each lock was first seen, by `performance.now()`.
 */
async function crashWith(kinds: readonly Kind[]) {
  const next = await startMuster({ controlPlane, certs });
  const before = await Promise.all(kinds.map((_, index) => versionOf(index)));
  proxy.hold();
  const answers = kinds.map((kind, index) => write(of(DIALECTS[index] ?? clusterClaim), kind, 'lost'));
  const taken = await Promise.all(kinds.map((_, index) => untilTaken(index, before[index])));
  await muster.kill();
  muster = next;
  proxy.release();
  return { answers: await Promise.all(answers), taken };
}

async function untilTaken(index: number, before: string | undefined): Promise<number> {
  await until('a lock to be taken', async () => (await versionOf(index)) !== before);
  return performance.now();
}

/** The version of the Lease, which changes when its lock is taken. */
async function versionOf(index: number): Promise<string | undefined> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-${DIALECTS[index]?.name}`;
  return (await controlPlane.api('admin').call('GET', path)).body.metadata.resourceVersion;
}

interface Wait {
  /** Milliseconds since the lock was taken. */
  readonly waited: number;
  readonly last: ApiAnswer;
}

/** Repeats a write whenever the answer says so, as client libraries do. */
async function untilAllowed(since: number, again: () => Promise<ApiAnswer>): Promise<Wait> {
  for (;;) {
    const last = await again();
    const waited = performance.now() - since;
    if (last.status !== 503 || waited > 2 * LIFETIME_MS) return { waited, last };
    expect(last.body.details.retryAfterSeconds).toBe(RETRY_MS / 1000);
    await sleep(RETRY_MS);
  }
}

test('the same writer may repeat its write at once', async () => {
  const kinds = ['change', 'join', 'delete'] as const;
  await resetIdentities(controlPlane, `reset-${Date.now()}`);
  const { answers } = await crashWith(kinds);
  const again = await Promise.all(kinds.map((kind, index) => write(of(DIALECTS[index] ?? clusterClaim), kind, 'lost')));
  const allowed = `${again.filter(isDone).length} of ${again.length}`;
  const figure = `allowed at the first attempt: ${allowed}`;
  record('abandoned-lock', 'the same write again', figure, `the same writer continues at once (${allowed})`);
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(again.map(({ status }) => status)).toEqual([200, 201, 200]);
  // The repeated write released its lock.
  expect(await of(clusterClaim, 'bob').join()).toMatchObject({ status: 201 });
});

test('a rival waits until the lock expires and no longer; other writes do not wait', async () => {
  const waits: Wait[] = [];
  const others: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await resetIdentities(controlPlane, `reset-${Date.now()}`);
    const kinds = DIALECTS.map((_, index) => KINDS[(index + round) % 3] ?? 'join');
    const { answers, taken } = await crashWith(kinds);
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    let waiting = true;
    const beside = (async () => {
      for (let nth = 0; waiting; nth++, await sleep(500)) {
        const [create] = steps.claim(`beside-${round}-${nth}`);
        if (create) others.push((await send(controlPlane.api('bob'), create)).status);
      }
    })();
    const rivals = DIALECTS.map((dialect, index) => {
      const rival = kinds[index] === 'join' ? 'change' : 'join';
      return untilAllowed(taken[index] ?? 0, () => write(of(dialect, 'bob'), rival, 'rival'));
    });
    waits.push(...(await Promise.all(rivals)));
    waiting = false;
    await beside;
  }
  const seconds = waits.map(({ waited }) => waited / 1000);
  const range = `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`;
  const refused = others.filter((status) => status !== 201).length;
  record(
    'abandoned-lock',
    'a rival',
    `${waits.length} crashes with a lock held (${KINDS.join(', ')}): rivals were allowed ${range} after it was taken; ` +
      `${others.length} other writes meanwhile, refused ${refused}`,
    `other writers waited ${range}`,
  );
  expect(waits.filter(({ last }) => !isDone(last)).map(({ last }) => last.body.message)).toEqual([]);
  // Earlier, the lost write could still have been stored.
  expect(Math.min(...seconds) * 1000).toBeGreaterThan(LIFETIME_MS - 1000);
  expect(Math.max(...seconds) * 1000).toBeLessThan(LIFETIME_MS + RETRY_MS + SLACK_MS);
  expect([refused, others.length > 50]).toEqual([0, true]);
});

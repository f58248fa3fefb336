/**
 * Writes of a cluster's identity through a real API server: each is decided under a lock in a Lease, so that no other
 * is under way. What a write takes, and how many calls muster makes for it, as the API server counts them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterClaim } from '../../../../src/api/dialects.ts';
import { median } from '../../../support/figures.ts';
import { whyNoAssets } from '../../e2e/harness/assets.ts';
import { identityOf } from '../../e2e/harness/identity.ts';
import { type ControlPlane, grantAccess, register, startControlPlane, startMuster } from '../../e2e/harness/index.ts';
import type { IdentityWrite } from './results.ts';
import type { Log } from './rounds.ts';

type Write = () => Promise<{ readonly status: number; readonly body: unknown }>;

/** Medians over so many of each kind of write; undefined where no API server can be had. */
export async function identityWrites(count: number, log: Log): Promise<Record<string, IdentityWrite> | undefined> {
  if (whyNoAssets() !== undefined) return undefined;
  log(`${count} writes of each kind of a cluster's identity through a real API server`);
  const plane = await startControlPlane();
  try {
    await grantAccess(plane);
    const muster = await startMuster({ controlPlane: plane });
    try {
      await register(plane, [muster]);
      return await measured(plane, count);
    } finally {
      await muster.stop();
    }
  } finally {
    await plane.stop();
  }
}

async function measured(plane: ControlPlane, count: number): Promise<Record<string, IdentityWrite>> {
  const one = identityOf(clusterClaim, plane.api('jane'));
  await done(() => one.createId('berth'));
  const kinds: Record<string, (turn: number) => ReturnType<Write>> = {
    'the id changes': (turn) => one.changeId(`berth-${turn}`),
    'the cluster joins': () => one.join(),
    'the cluster leaves': () => one.leave(),
  };
  const found = new Map(Object.keys(kinds).map((kind) => [kind, { times: [] as number[], calls: [] as number[] }]));
  for (let turn = 0; turn < count; turn += 1)
    for (const [kind, write] of Object.entries(kinds)) {
      const before = await callsOf(plane);
      const began = performance.now();
      await done(() => write(turn));
      found.get(kind)?.times.push(performance.now() - began);
      found.get(kind)?.calls.push((await callsOf(plane)) - before);
    }
  return Object.fromEntries(
    [...found].map(([kind, { times, calls }]) => [kind, { milliseconds: median(times), calls: median(calls) }]),
  );
}

/** A refusal because the write before has just settled is repeated, as kubectl does. */
async function done(write: Write): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { status, body } = await write();
    if (status < 300) return;
    if (status !== 503 || attempt === 10) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    await sleep(1000);
  }
}

/**
 * Reads of claims, and reads and writes of Leases of muster's namespace, so far; nobody else makes any here but the API
 * server, seldom.
 */
async function callsOf(plane: ControlPlane): Promise<number> {
  const { body } = await plane.api('admin').call('GET', '/metrics');
  const series = /^apiserver_request_total\{([^}]*)\} (\d+)/gm;
  return [...String(body).matchAll(series)].reduce(
    (sum, [, labels = '', value]) => (isOurs(labels) ? sum + Number(value) : sum),
    0,
  );
}

function isOurs(labels: string): boolean {
  if (labels.includes('resource="leases"')) return /verb="(GET|PUT|PATCH|POST)"/.test(labels);
  return labels.includes('resource="clusterclaims"') && /verb="(GET|LIST)"/.test(labels);
}

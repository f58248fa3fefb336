/** One cluster's identity in all dialects, as the row needs it: at a moment, after it, raced. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../../src/api/dialects.ts';
import type { ApiAnswer, ControlPlane, Json } from '../../e2e/harness/index.ts';
import type { Asker } from '../../e2e/races/ask.ts';
import { type ClaimDialect, DIALECTS, type Identity, identityOf } from '../../e2e/races/identity.ts';
import { newTally } from '../../e2e/races/pairs.ts';
import { done, raced } from '../../e2e/races/raced.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases';

/** The identity in a dialect, as one of the users. */
export function identitiesOf(controlPlane: ControlPlane) {
  return (dialect: ClaimDialect, user = 'jane'): Identity => identityOf(dialect, controlPlane.api(user));
}

/** A moment that no time after it agrees with, and intents that are under way; returns when they were taken, by `performance.now()`. */
export async function begin(controlPlane: ControlPlane, askers: readonly Asker[]): Promise<number> {
  const of = identitiesOf(controlPlane);
  await reset(controlPlane, 'one');
  done(await of(clusterClaim).join());
  // Of another's hand, and from the future: it counts from when it is first seen.
  const renewTime = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
  const annotations = { 'intent.muster/operation': null, 'intent.muster/object': null };
  await lease(controlPlane, clusterProperty, {
    metadata: { annotations },
    spec: { holderIdentity: 'a stranger', renewTime },
  });
  const taken = performance.now();
  for (const asker of askers) {
    for (const dialect of [ocmClusterClaim, clusterProperty]) {
      const { body: oldObject } = await of(dialect).id();
      const { allowed } = await asker.ask({
        operation: 'UPDATE',
        oldObject,
        object: { ...oldObject, spec: { value: 'x' } },
      });
      expect(allowed).toBe(dialect === ocmClusterClaim);
    }
  }
  return taken;
}

/** The opposite of what `begin` left. */
export async function goOn(controlPlane: ControlPlane): Promise<void> {
  const of = identitiesOf(controlPlane);
  done(await of(clusterClaim).leave());
  for (let nth = 0; nth < 20; nth++) done(await of(clusterClaim, 'bob').changeId(`later-${nth}`));
  const annotations = { touched: 'yes' };
  const path = `/apis/cluster.open-cluster-management.io/v1alpha1/clusterclaims/${of(ocmClusterClaim).idName}`;
  done(await controlPlane.api('jane').call('PATCH', path, { metadata: { annotations } }));
  done(await of(ocmClusterClaim, 'bob').join());
  await lease(controlPlane, clusterProperty, { spec: { holderIdentity: null } });
  done(await of(clusterProperty).deleteId());
}

/** An id of this value and no membership, in all dialects, and nothing that waits. */
export async function reset(controlPlane: ControlPlane, value: string): Promise<void> {
  for (const one of DIALECTS.map((dialect) => identitiesOf(controlPlane)(dialect))) {
    await lease(controlPlane, one.dialect, { spec: { holderIdentity: null } });
    if ((await one.membership()).status === 200) done(await one.leave());
    if ((await one.id()).status === 404) done(await one.createId(value));
    else done(await one.changeId(value));
  }
}

export interface Recovery {
  /** Milliseconds until the API server answered a read. */
  readonly readable: number;
  /** Milliseconds from then until each replica, asked directly, allowed a write that it allowed before. */
  readonly allowed: readonly number[];
}

export async function recoveryOf(one: Identity, askers: readonly Asker[]): Promise<Recovery> {
  const began = performance.now();
  const oldObject = await firstRead(one, began);
  const read = performance.now();
  const write = { operation: 'UPDATE', oldObject, object: { ...oldObject, spec: { value: 'asked' } } } as const;
  const allowed = askers.map(async (asker) => {
    while (!(await asker.ask(write)).allowed) {
      if (performance.now() - read > 60_000) throw new Error('not allowed again within 60 s');
      await sleep(20);
    }
    return performance.now() - read;
  });
  return { readable: read - began, allowed: await Promise.all(allowed) };
}

async function firstRead(one: Identity, began: number): Promise<Json> {
  for (;;) {
    // Connections of this test may have been idle for too long, too.
    const answer = await one.id().catch(() => undefined);
    if (answer?.status === 200) return answer.body;
    if (performance.now() - began > 60_000) throw new Error('the API server answers no read within 60 s');
    await sleep(20);
  }
}

/** Milliseconds since `taken` until it was let by. */
export async function letBy(taken: number, patienceMs: number, write: () => Promise<ApiAnswer>): Promise<number> {
  for (;;) {
    const { status, body } = await write();
    const waited = performance.now() - taken;
    if (status < 300) return waited;
    if (status !== 503) throw new Error(`${status} ${body.message}`);
    if (waited > patienceMs) throw new Error(`still 503 after ${waited} ms: ${body.message}`);
    await sleep(1000);
  }
}

export interface Races {
  readonly pairs: number;
  /** Writes that the norm forbids, by the history of etcd. */
  readonly violations: number;
  /** Writes without a rival that were refused. */
  readonly lonely: readonly string[];
}

/** Races of writes that forbid each other, in all dialects: how many broke the norm. */
export async function race(controlPlane: ControlPlane, each: number): Promise<Races> {
  const tally = newTally();
  const found = await Promise.all(
    DIALECTS.map((dialect) => raced(controlPlane, identitiesOf(controlPlane)(dialect), each, tally)),
  );
  return { pairs: tally.pairs, violations: found.reduce((sum, count) => sum + count, 0), lonely: tally.lonely };
}

async function lease(controlPlane: ControlPlane, { name }: ClaimDialect, patch: Json): Promise<void> {
  done(await controlPlane.api('admin').call('PATCH', `${LEASES}/muster-${name}`, patch));
}

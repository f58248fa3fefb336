/** Writes whose intents stand in the Leases when the muster that put them there is killed, and which are never stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lockLeaseOf } from '../../../src/api/dialects.ts';
import { type ApiAnswer, type ControlPlane, type Muster, startMuster } from '../../e2e/harness/index.ts';
import type { ClaimDialect } from '../../e2e/races/identity.ts';
import type { Gate } from '../abandoned-lock/gate.ts';

export interface Doomed {
  readonly dialect: ClaimDialect;
  /** Sends it to the API server. */
  write(): Promise<ApiAnswer>;
}

export interface Stage {
  readonly controlPlane: ControlPlane;
  readonly gate: Gate;
  /** A folder: every replica has the same certificate. */
  readonly certs: string;
  muster: Muster;
}

export interface Crash {
  /** What the API server told of each write. */
  readonly answers: readonly ApiAnswer[];
  /** When the intent of each was first seen, by `performance.now()`. */
  readonly taken: readonly number[];
}

/** Another muster is there as soon as this one is gone. */
export async function crashWith(stage: Stage, doomed: readonly Doomed[]): Promise<Crash> {
  const { controlPlane, gate, muster } = stage;
  const next = await startMuster({ controlPlane, certs: stage.certs });
  const before = await Promise.all(doomed.map(({ dialect }) => attemptOf(controlPlane, dialect)));
  gate.hold();
  const answers = doomed.map(({ write }) => write());
  const taken = await Promise.all(doomed.map(({ dialect }, index) => seen(controlPlane, dialect, before[index])));
  await muster.kill();
  stage.muster = next;
  gate.lead(next.port);
  gate.release();
  return { answers: await Promise.all(answers), taken };
}

async function seen(controlPlane: ControlPlane, dialect: ClaimDialect, before: string | undefined): Promise<number> {
  const end = performance.now() + 10_000;
  for (;;) {
    const attempt = await attemptOf(controlPlane, dialect);
    if (attempt !== undefined && attempt !== before) return performance.now();
    if (performance.now() > end) throw new Error(`no intent of ${dialect.name} within 10 s`);
    await sleep(2);
  }
}

/** Differs each time an intent is taken; undefined where the Lease is free. */
async function attemptOf(controlPlane: ControlPlane, dialect: ClaimDialect): Promise<string | undefined> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/${lockLeaseOf(dialect)}`;
  const { body } = await controlPlane.api('admin').call('GET', path);
  return body.metadata.annotations?.['intent.muster/attempt'];
}

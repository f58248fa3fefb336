/** What etcd held at a moment, and that moment brought back. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane } from '../../e2e/harness/index.ts';

export interface Snapshot {
  /** Starts the API server on what was stored then: to be called while it is stopped. Everything since is forgotten. */
  restore(): Promise<void>;
}

/** Stops etcd for a moment, beneath an API server that runs on. */
export async function takeSnapshot(controlPlane: ControlPlane, name: string): Promise<Snapshot> {
  const { etcd, folder } = controlPlane;
  const data = join(folder, 'etcd');
  const copy = join(folder, `etcd-${name}`);
  await etcd.stop();
  cpSync(data, copy, { recursive: true });
  await etcd.start();
  await untilServed(controlPlane);
  return {
    async restore() {
      await etcd.stop();
      rmSync(data, { recursive: true });
      cpSync(copy, data, { recursive: true });
      await etcd.start();
      await controlPlane.startApiServer();
    },
  };
}

/** Until the API server reads from etcd again. */
async function untilServed(controlPlane: ControlPlane): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    const answer = await controlPlane.api('admin').call('GET', '/api/v1/namespaces/default');
    if (answer.status === 200) return;
    if (Date.now() > end) throw new Error(`the API server did not find its etcd again: ${answer.status}`);
    await sleep(50);
  }
}

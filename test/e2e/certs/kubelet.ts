/** A kubelet's way with a mounted Secret: some time after it changed, the folder's one link is swapped. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Kubelet {
  /** The pairs that were mounted, the first among them. */
  mounted(): number;
  stop(): Promise<void>;
}

const MOUNTED = ['tls.crt', 'tls.key'];

/**
 * Mounts what `read` tells, and anew whenever that has changed, up to `mostLagMs` later.
 * Resolves once the folder has its first files.
 */
export async function mount(
  folder: string,
  read: () => Promise<Readonly<Record<string, string>>>,
  mostLagMs: number,
): Promise<Kubelet> {
  let last = '';
  let count = 0;
  let stopped = false;
  const sync = async () => {
    const data = await read();
    const text = MOUNTED.map((key) => data[key] ?? '').join('');
    if (text === last || MOUNTED.some((key) => !data[key])) return;
    if (count > 0) await sleep(Math.random() * mostLagMs);
    await swap(folder, data, ++count);
    last = text;
  };
  const run = async () => {
    for (; !stopped; await sleep(50)) await sync();
  };
  while (count === 0) await sync();
  const running = run();
  return {
    mounted: () => count,
    stop() {
      stopped = true;
      return running;
    },
  };
}

async function swap(folder: string, data: Readonly<Record<string, string>>, count: number): Promise<void> {
  const version = `..version-${count}`;
  await mkdir(join(folder, version), { recursive: true });
  for (const key of MOUNTED) await writeFile(join(folder, version, key), data[key] ?? '', { mode: 0o600 });
  await symlink(version, join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  if (count === 1) for (const key of MOUNTED) await symlink(join('..data', key), join(folder, key));
  else await rm(join(folder, `..version-${count - 1}`), { recursive: true });
}

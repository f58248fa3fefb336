/** One etcd on loopback, without fsync: what it holds need not outlive the machine. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, freePort, startDaemon, waitFor } from './daemon.ts';

export interface Etcd {
  readonly url: string;
  /** Forgets all but the newest revisions, as the API server does every five minutes: old resourceVersions are gone. */
  compact(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Again, on the same port with the same data. */
  start(): Promise<void>;
}

export async function startEtcd(program: string, folder: string): Promise<Etcd> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  let daemon: Daemon | undefined;
  const start = async () => {
    const dataDir = join(folder, 'etcd');
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const args = [
      `--data-dir=${dataDir}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
    ];
    const started = startDaemon(program, args, { logFile: join(folder, 'etcd.log') });
    daemon = started;
    await waitFor('etcd', started, async () => (await fetch(`${url}/readyz`)).ok);
  };
  await start();
  return {
    url,
    start,
    async stop(signal = 'SIGTERM') {
      await daemon?.stop(signal);
    },
    async compact() {
      const { header } = await post(`${url}/v3/kv/range`, { key: 'AA==' });
      await post(`${url}/v3/kv/compaction`, { revision: header.revision, physical: true });
    },
  };
}

async function post(url: string, body: unknown): Promise<{ header: { revision: string } }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { header: { revision: string } };
}

/** `muster serve` begun by a shell, which sets the scene: full disks, read-only roots, outputs that take nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificates } from '../../../src/tls/issue.ts';
import { freePort, MAIN, startDaemon, waitFor } from '../../e2e/harness/index.ts';
import { askerOf } from '../../e2e/races/ask.ts';

export interface Scene {
  /** Runs `"$@"` in the end; `$SCENE` is a folder of its own. */
  readonly script: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface Serving {
  readonly pid: number;
  readonly folder: string;
  /** What came out where the scene left an output as it was. */
  log(): string;
  metrics(): Promise<string>;
  /** Asks for so many verdicts, of two right and wrong kinds; answers how many were right. */
  right(times: number): Promise<number>;
  stop(): Promise<number | null>;
}

/** Whether this user may mount, in a namespace of its own that ends with the process: the words that begin such a shell. */
export function mounting(): readonly string[] | undefined {
  const ways = [
    ['unshare', '-m'],
    ['unshare', '-Urm'],
  ];
  return ways.find(([program = '', ...args]) => {
    const probe = ['sh', '-c', 'd=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs "$d" && umount "$d" && rmdir "$d"'];
    return spawnSync(program, [...args, ...probe]).status === 0;
  });
}

/** A folder with certificates, and what a shell gets to begin a server with them. */
export async function prepare(): Promise<{ folder: string; args: readonly string[]; port: number; opsPort: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-no-room-'));
  const { ca, cert, key } = await issueCertificates({ names: ['127.0.0.1', 'localhost'] });
  for (const [name, text] of Object.entries({ 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key })) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  const [port, opsPort] = [await freePort(), await freePort()];
  const listens = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--ops-port',
    String(opsPort),
    '--drain-seconds',
    '0',
  ];
  const files = ['--tls-cert-file', join(folder, 'tls.crt'), '--tls-private-key-file', join(folder, 'tls.key')];
  return { folder, port, opsPort, args: [process.execPath, MAIN, 'serve', ...listens, ...files] };
}

/** @param shell what the shell itself is begun by, such as `unshare` */
export async function serveIn({ script, env }: Scene, shell: readonly string[] = []): Promise<Serving> {
  const { folder, args, port, opsPort } = await prepare();
  const [program = 'sh', ...rest] = [...shell, 'sh', '-c', script, 'sh', ...args];
  const whole = { ...process.env, SCENE: folder, ...env };
  const logFile = join(folder, 'log');
  const daemon = startDaemon(program, rest, { logFile, env: whole, cwd: folder });
  const ops = `http://127.0.0.1:${opsPort}`;
  await waitFor('muster serve', daemon, async () => (await fetch(`${ops}/readyz`)).ok);
  const asker = askerOf({ url: `https://127.0.0.1:${port}`, caFile: join(folder, 'ca.crt') });
  return {
    pid: daemon.pid,
    folder,
    log: () => readFileSync(logFile, 'utf8'),
    metrics: async () => (await fetch(`${ops}/metrics`)).text(),
    async right(times) {
      let count = 0;
      for (let time = 0; time < times; time++) {
        const good = await asker.ask(claim('apac'));
        const bad = await asker.ask(claim(7));
        count += good.allowed === true && bad.allowed === false && bad.status.code === 422 ? 1 : 0;
      }
      return count;
    },
    async stop() {
      asker.close();
      return daemon.stop();
    },
  };
}

function claim(value: unknown) {
  const apiVersion = 'multicluster.x-k8s.io/v1alpha1';
  const object = { apiVersion, kind: 'ClusterClaim', metadata: { name: 'zone.example.com' }, spec: { value } };
  return { operation: 'CREATE', object } as const;
}

/** `muster serve` started by a shell that prepares its environment: full disks, read-only roots, outputs that fail. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newFolder } from '../../../support/folder.ts';
import { MAIN } from '../../../support/main.ts';
import { askerOf, freePort, servingCertificates, startDaemon, waitFor } from '../../e2e/harness/index.ts';
import { claim } from '../../e2e/verbs/objects.ts';

export interface Environment {
  /** Runs `"$@"` in the end; `$FOLDER` is a folder of its own. */
  readonly script: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface Serving {
  readonly pid: number;
  readonly folder: string;
  metrics(): Promise<string>;
  /** Sends so many pairs of an allowed and a forbidden write; returns how many pairs got the right verdicts. */
  right(times: number): Promise<number>;
  stop(): Promise<number | null>;
}

/** Returns the command that starts a shell in a mount namespace of its own; undefined if this user may not mount. */
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

/** Creates a folder with certificates, and returns the command of a server with them. */
export async function prepare(): Promise<{ folder: string; args: readonly string[]; port: number; opsPort: number }> {
  const folder = newFolder().path;
  await servingCertificates(folder);
  const port = await freePort();
  const opsPort = await freePort();
  const listens = ['--host', '127.0.0.1', '--port', `${port}`, '--ops-port', `${opsPort}`, '--drain-seconds', '0'];
  const files = ['--tls-cert-file', join(folder, 'tls.crt'), '--tls-private-key-file', join(folder, 'tls.key')];
  return { folder, port, opsPort, args: [process.execPath, MAIN, 'serve', ...listens, ...files] };
}

/** @param shell the command that starts the shell, such as `unshare` */
export async function serveIn({ script, env }: Environment, shell: readonly string[] = []): Promise<Serving> {
  const { folder, args, port, opsPort } = await prepare();
  const [program = 'sh', ...rest] = [...shell, 'sh', '-c', script, 'sh', ...args];
  const whole = { ...process.env, FOLDER: folder, ...env };
  const logFile = join(folder, 'log');
  const daemon = startDaemon(program, rest, { logFile, env: whole, cwd: folder });
  const ops = `http://127.0.0.1:${opsPort}`;
  await waitFor('muster serve', daemon, async () => (await fetch(`${ops}/readyz`)).ok);
  const asker = askerOf({ url: `https://127.0.0.1:${port}`, caFile: join(folder, 'ca.crt') });
  return {
    pid: daemon.pid,
    folder,
    metrics: async () => (await fetch(`${ops}/metrics`)).text(),
    async right(times) {
      let count = 0;
      for (let time = 0; time < times; time++) {
        const good = await asker.ask(create('apac'));
        const bad = await asker.ask(create(7));
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

const create = (value: string | number) => ({ operation: 'CREATE', object: claim('zone.example.com', value) }) as const;

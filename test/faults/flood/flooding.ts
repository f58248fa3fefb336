/** A flood beside the test, in a process of its own, and what it reports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDaemon } from '../../e2e/harness/daemon.ts';
import type { AttackName } from './attacks.ts';
import type { Tally } from './tally.ts';

const FLOODER = fileURLToPath(new URL('flooder.ts', import.meta.url));

export interface Flooding {
  readonly pid: number;
  /** @throws Error with what it wrote, where it ended by itself */
  tally(): Tally | undefined;
  /** At once, all connections with it. */
  stop(): Promise<void>;
}

/** Floods a port of this machine from these addresses until stopped; `nice` is how far it gives way to others. */
export function startFlooding(name: AttackName, port: number, from: readonly string[], nice: number): Flooding {
  const folder = mkdtempSync(join(tmpdir(), 'muster-flood-'));
  const daemon = startDaemon('nice', ['-n', String(nice), process.execPath, FLOODER, name, String(port), ...from], {
    logFile: join(folder, 'log'),
  });
  return {
    pid: daemon.pid,
    tally() {
      if (!daemon.running()) throw new Error(`the flood ended by itself:\n${daemon.log().slice(-2000)}`);
      return lastTally(daemon.log());
    },
    async stop() {
      await daemon.stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The last whole line of what a flood wrote; undefined before its first. */
function lastTally(log: string): Tally | undefined {
  const line = log.split('\n').findLast((each) => each.startsWith('{') && each.endsWith('}'));
  return line === undefined ? undefined : JSON.parse(line);
}

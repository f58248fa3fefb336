/** A core for the server, another for the generator: by `taskset`, where it is and where there are two. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

export const SERVER_CORE = 0;
export const GENERATOR_CORE = 1;

/** Whether processes can be pinned here. */
export const canPin = cpus().length > 1 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

/** The command, on that core alone. */
export function pinned(command: readonly string[], core: number): readonly string[] {
  return canPin ? ['taskset', '-c', String(core), ...command] : command;
}

/** Leaves the server's core to it; what is called in the end takes that back. */
export function stepAside(): () => void {
  const keepTo = (cores: string) => {
    if (canPin) spawnSync('taskset', ['-cp', cores, String(process.pid)], { stdio: 'ignore' });
  };
  keepTo(String(GENERATOR_CORE));
  return () => keepTo(`0-${cpus().length - 1}`);
}

/** A process whose clock is wrong: for the whole process with a C compiler, else for JavaScript only. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ShiftedClock {
  readonly how: string;
  /** Returns the environment of a process whose clock is so many minutes off. */
  env(minutes: number): NodeJS.ProcessEnv;
}

const common = (minutes: number) => ({ CLOCK_SHIFT_MS: String(minutes * 60_000), NODE_OPTIONS: '' });

export function shiftedClock(): ShiftedClock {
  const library = join(mkdtempSync(join(tmpdir(), 'muster-clock-')), 'shift.so');
  const source = fileURLToPath(new URL('./shift.c', import.meta.url));
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source]).status === 0;
  const whole = { how: 'the whole process', env: (minutes: number) => ({ ...common(minutes), LD_PRELOAD: library }) };
  if (built && isShifted(whole)) return whole;
  const preloaded = `--import=${new URL('./shift.mjs', import.meta.url).href}`;
  return { how: "JavaScript's Date", env: (minutes) => ({ ...common(minutes), NODE_OPTIONS: preloaded }) };
}

/** Returns whether a process really has another time. */
export function isShifted({ env }: ShiftedClock): boolean {
  return [-30, 30].every((minutes) => {
    const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], { env: { ...process.env, ...env(minutes) } });
    return Math.abs(Number(stdout.toString()) - Date.now() - minutes * 60_000) < 60_000;
  });
}

/** A process whose clock is wrong: all of it where a C compiler is at hand, else JavaScript's alone. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ShiftedClock {
  /** How it is done, for people. */
  readonly how: string;
  /** The environment of a process whose clock is off by so many minutes. */
  env(minutes: number): NodeJS.ProcessEnv;
}

const PRELOADED = new URL('./shift.mjs', import.meta.url).href;
const SHIM = fileURLToPath(new URL('./shift.c', import.meta.url));

export function shiftedClock(): ShiftedClock {
  const library = join(mkdtempSync(join(tmpdir(), 'muster-clock-')), 'shift.so');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SHIM]).status === 0;
  const how = "a library before libc's";
  const whole: ShiftedClock = { how, env: (minutes) => ({ ...of(minutes), LD_PRELOAD: library }) };
  return built && isShifted(whole) ? whole : javaScriptClock;
}

export const javaScriptClock: ShiftedClock = {
  how: "JavaScript's Date",
  env: (minutes) => ({ ...of(minutes), NODE_OPTIONS: `--import=${PRELOADED}` }),
};

/** Whether a process really has another time. */
export function isShifted({ env }: ShiftedClock): boolean {
  return [-30, 30].every((minutes) => {
    const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], { env: { ...process.env, ...env(minutes) } });
    return Math.abs(Number(stdout.toString()) - Date.now() - minutes * 60_000) < 60_000;
  });
}

function of(minutes: number): NodeJS.ProcessEnv {
  return { CLOCK_SHIFT_MS: String(minutes * 60_000), NODE_OPTIONS: '' };
}

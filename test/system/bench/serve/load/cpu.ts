/** CPU time and memory of another process, where the system shows it: Linux does. */
import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of CPU time so far, of all its threads; undefined where /proc is not. */
export function cpuMicros(pid: number): number | undefined {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
    );
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
  } catch {
    return undefined;
  }
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

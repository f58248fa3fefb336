/** Memory, descriptors and processor time of a process, from /proc (Linux only). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

export const MiB = 1024 * 1024;

/** Returns the resident memory in bytes. */
export function residentBytes(pid: number): number {
  return statusOf(pid, 'VmRSS');
}

/** Returns the highest resident memory since the start or the last `forgetPeak`. */
export function peakBytes(pid: number): number {
  return statusOf(pid, 'VmHWM');
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the number of open descriptors. */
export function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Returns the processor time in seconds. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name, in parentheses, and may hold anything.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

function statusOf(pid: number, field: string): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

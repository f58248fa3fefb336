/**
 * What the worst inputs are compared with, so that a slower machine changes both sides: JSON.parse of the largest body.
 */
import { defaultLimits } from '../../../../src/server/limits.ts';

const body = largestBody();

/**
 * Returns the milliseconds of processor time in which JSON.parse reads a body of the largest size, small objects
 * throughout.
 */
export function parseLargestBody(): number {
  const before = cpuMs();
  JSON.parse(body.toString('utf8'));
  return cpuMs() - before;
}

/** Returns the processor time of this thread in milliseconds: helper threads and a neighbor's load do not change it. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function largestBody(): Buffer {
  const entry = (index: number) => `{"name":"name-${String(index).padStart(6, '0')}","value":"v${index}"}`;
  const entries = Math.floor(defaultLimits.bodyLimit / (entry(999_999).length + 1));
  return Buffer.from(`[${Array.from({ length: entries }, (_, index) => entry(index)).join()}]`);
}

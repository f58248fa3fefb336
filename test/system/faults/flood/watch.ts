/**
 * What muster holds during a flood, and how long the API server's calls of it take: as the kernel and the API server
 * count them.
 */
import type { Api } from '../../e2e/harness/index.ts';
import { descriptors, forgetPeak, MiB, peakBytes } from '../fleet/process.ts';

export interface Watched {
  /** MiB of memory, at its highest. */
  readonly memory: number;
  /** Descriptors, at their most. */
  readonly descriptors: number;
}

const EVERY_MS = 1000;

export function watch(pid: number): { stop(): Watched } {
  forgetPeak(pid);
  let most = 0;
  const look = () => {
    most = Math.max(most, descriptors(pid));
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { memory: Math.round(peakBytes(pid) / MiB), descriptors: most };
    },
  };
}

/** How many calls took no longer than so many seconds, by that bound; `+Inf` is all of them. */
export type Times = ReadonlyMap<string, number>;

const BUCKET = /^apiserver_admission_webhook_admission_duration_seconds_bucket\{(.*)\} (\d+)$/;

/** Since the API server's start, of all webhooks together. */
export async function callTimes(admin: Api): Promise<Times> {
  const { body } = await admin.call('GET', '/metrics');
  const times = new Map<string, number>();
  for (const line of String(body).split('\n')) {
    const [, labels = '', count] = BUCKET.exec(line) ?? [];
    const [, bound] = /\ble="([^"]+)"/.exec(labels) ?? [];
    // The probe of the harness is a webhook too, and no call of muster.
    if (bound !== undefined && labels.includes('muster') && !labels.includes('e2e-probe')) {
      times.set(bound, (times.get(bound) ?? 0) + Number(count));
    }
  }
  return times;
}

export function since(before: Times, after: Times): Times {
  return new Map([...after].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)]));
}

/** The least bound, in seconds, that so large a share of the calls kept; Infinity where none does. */
export function boundOf(times: Times, share: number): number {
  const all = times.get('+Inf') ?? 0;
  const kept = [...times].filter(([bound, count]) => bound !== '+Inf' && count >= all * share);
  return Math.min(...kept.map(([bound]) => Number(bound)));
}

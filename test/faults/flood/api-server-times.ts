/** How long calls of muster took, as the API server itself counted it: from the dial to the answer. */
import type { Api } from '../../e2e/harness/index.ts';

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

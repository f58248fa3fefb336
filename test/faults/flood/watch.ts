/** What muster holds during a flood, and how long the API server's calls of it take: as the kernel and the API server count them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Api } from '../../e2e/harness/index.ts';
import { descriptors, forgetPeak, MiB, peakBytes } from '../fleet/process.ts';

export interface Watched {
  /** MiB of memory, at its highest. */
  readonly memory: number;
  /** Descriptors, at their most. */
  readonly descriptors: number;
  /** Connections of the API server that came about. */
  readonly connections: number;
}

/** Seldom: the kernel's list of ten thousand connections costs the machine more than what is watched. */
const EVERY_MS = 1000;

export function watch(
  muster: { readonly pid: number; readonly port: number },
  apiServerPid: number,
): { stop(): Watched } {
  forgetPeak(muster.pid);
  const before = new Set(portsTo(apiServerPid, muster.port));
  const since = new Set<number>();
  let most = 0;
  const look = () => {
    most = Math.max(most, descriptors(muster.pid));
    for (const port of portsTo(apiServerPid, muster.port)) if (!before.has(port)) since.add(port);
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { memory: Math.round(peakBytes(muster.pid) / MiB), descriptors: most, connections: since.size };
    },
  };
}

/** Local ports of a process's TCP connections to a port of this machine. */
function portsTo(pid: number, port: number): number[] {
  const own = socketsOf(pid);
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  // "sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …"
  const fields = rows.filter((row) => row.includes(remote)).map((row) => row.trim().split(/\s+/));
  const mine = fields.filter(([, , to, , , , , , , inode]) => to?.endsWith(remote) && own.has(inode ?? ''));
  return mine.map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16));
}

function socketsOf(pid: number): Set<string> {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ''));
}

/** It may be closed between the listing and the look. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
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

/** Values of flags: an address to listen on, a length of time. */
import { plain, shorten } from '../../engine/text.ts';
import { UsageError } from '../shared.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, `[IPV6]:PORT`, `:PORT` or `PORT`; without a host, all addresses. Port 0 picks a free one. */
export function addressOf(text: string): Address {
  const [, bracketed, bare, port] = /^(?:\[([0-9a-fA-F:.]+)\]:|([^:[\]]*):)?(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined && Number(port) <= 65_535) return { host: bracketed || bare || '::', port: Number(port) };
  throw new UsageError(`--expose-metrics: "${shown(text)}" is no address; it reads HOST:PORT or :PORT`);
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
/** Whatever is longer is no timer's. */
const LONGEST_MS = 24 * 3_600_000;

/** `90s`, `10m`, `1h`: at least a second, at most a day; in milliseconds. */
export function durationOf(text: string): number {
  const [, count, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  const duration = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (duration >= 1000 && duration <= LONGEST_MS) return duration;
  throw new UsageError(`--interval: "${shown(text)}" is no time from 1s to 24h; it reads 30s, 10m or 1h`);
}

function shown(text: string): string {
  return plain(shorten(text, 60));
}

/** The floods of the row, as data: what each is called, what it sends, how much of it, and at what pace. */
import { bigReviews, deaf, wrongPaths } from './busy.ts';
import type { Flood } from './sockets.ts';
import { garbage, halfOpen, heavyBody, idle, silent, slowBody, slowHead, storm } from './unfinished.ts';

export interface Attack {
  /** As docs/reliability.md has it. */
  readonly title: string;
  readonly begin: (flood: Flood) => Promise<void>;
  /** Connections it keeps open: what the server ends is opened again. */
  readonly count: number;
  /** Connections it opens a second: a machine that only opens connections answers nobody, whatever the server. */
  readonly perSecond: number;
}

export const ATTACKS = {
  idle: { title: '10,000 TCP connections that send nothing', begin: idle, count: 10_000, perSecond: 3000 },
  silent: { title: '10,000 TLS handshakes, and then nothing', begin: silent, count: 10_000, perSecond: 800 },
  'half-open': { title: '10,000 handshakes begun and left', begin: halfOpen, count: 10_000, perSecond: 1000 },
  storm: { title: 'handshakes begun and broken off, 1,000 a second', begin: storm, count: 1000, perSecond: 1000 },
  'slow-head': { title: '2,000 heads, a byte a second', begin: slowHead, count: 2000, perSecond: 500 },
  'slow-body': { title: '2,000 bodies of 8 MiB, a byte a second', begin: slowBody, count: 2000, perSecond: 500 },
  'heavy-body': { title: '200 bodies of 8 MiB that stop half-way', begin: heavyBody, count: 200, perSecond: 20 },
  reviews: {
    title: 'valid reviews of 4 MiB on 16 connections, pipelined',
    begin: bigReviews,
    count: 16,
    perSecond: 20,
  },
  deaf: { title: 'reviews on 64 connections that read no answer', begin: deaf, count: 64, perSecond: 20 },
  wrong: {
    title: 'paths and methods that are not served, on 16 connections',
    begin: wrongPaths,
    count: 16,
    perSecond: 20,
  },
  garbage: { title: 'noise and clear text instead of TLS, 500 a second', begin: garbage, count: 1000, perSecond: 500 },
} as const satisfies Readonly<Record<string, Attack>>;

export type AttackName = keyof typeof ATTACKS;

/** How long each part of the benchmark takes, in its two forms. */

import type { ServerId } from './results.ts';

export interface Plan {
  readonly form: 'full' | 'short';
  /** Rounds, in each of which every server has its turn. */
  readonly rounds: number;
  readonly concurrencies: readonly number[];
  /** To each server before all else, so that what runs is compiled; by count, since a busy machine takes its time. */
  readonly warmUpRequests: number;
  /** Before each window. */
  readonly warmUpMs: number;
  readonly measureMs: number;
  /**
   * Of the open loop at `rate` requests a second: many short windows, since one stall of a neighbour makes the p99 of
   * any.
   */
  readonly openRounds: number;
  readonly openMs: number;
  /** Before each of them. At this rate a new generator is compiled in its first second, and delays what it measures. */
  readonly openWarmUpMs: number;
  readonly openServers: readonly ServerId[];
  readonly rate: number;
  readonly coldStarts: number;
  /** After so many, memory is looked at. */
  readonly requests: number;
  /** Creates through a real API server, of each kind, of fresh servers and again of warm ones; 0: none. */
  readonly creates: number;
  /** Writes of a cluster's identity, of each kind; 0: none. */
  readonly identityWrites: number;
}

/** As the figures in docs/performance.md are made: a quarter of an hour. */
export const full: Plan = {
  form: 'full',
  rounds: 9,
  concurrencies: [16, 64],
  warmUpRequests: 100_000,
  warmUpMs: 500,
  measureMs: 3_500,
  openRounds: 7,
  openMs: 5_000,
  openWarmUpMs: 1_500,
  openServers: ['bare', 'echo', 'go', 'muster'],
  rate: 1000,
  coldStarts: 9,
  requests: 1_000_000,
  creates: 500,
  identityWrites: 50,
};

/** As continuous integration runs it: in some two minutes. Of many short windows a figure is the median. */
export const short: Plan = {
  form: 'short',
  rounds: 5,
  concurrencies: [16],
  warmUpRequests: 20_000,
  warmUpMs: 500,
  measureMs: 1000,
  openRounds: 5,
  openMs: 1500,
  openWarmUpMs: 1500,
  // Those that a target compares.
  openServers: ['bare', 'muster'],
  rate: 1000,
  coldStarts: 5,
  requests: 20_000,
  creates: 0,
  identityWrites: 0,
};

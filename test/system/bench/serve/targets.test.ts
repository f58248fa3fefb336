/** The guard: what a run says of each target, and that a run which falls behind fails. */
import { describe, expect, test } from '@jest/globals';
import type { Loaded } from './load/job.ts';
import { lastRun, type Results, type ServerResult } from './results.ts';
import { reached, TARGETS } from './targets.ts';

interface Shown {
  readonly rate: number;
  readonly micros: number;
  readonly cpu?: number;
  readonly p99?: number;
}

function window({ rate, micros, cpu = 1, p99 = 1 }: Shown): Loaded {
  const latency = { p50: p99 / 2, p99, p999: p99 * 2, max: p99 * 3 };
  const shares = { serverCpuMicros: micros, serverCpu: cpu, generatorCpu: 0.5 };
  return { answers: rate, seconds: 1, requestsPerSecond: rate, latency, wrong: 0, ...shares };
}

function server(shown: Shown, over: Partial<ServerResult> = {}): ServerResult {
  const one = window(shown);
  const memory = { requests: 1000, residentBytes: 100 };
  return { label: '', closed: { 16: [one], 64: [one] }, open: [one], coldStartMs: [100], memory, ...over };
}

function results(servers: Results['servers'], creates?: Results['creates']): Results {
  const machine = { processor: 'x', cores: 2, system: 's', node: 'v24', pinned: true };
  return { date: '2026-01-02', form: 'short', rate: 1000, machine, servers, ...(creates && { creates }) };
}

const peers = { bare: server({ rate: 50_000, micros: 20 }), echo: server({ rate: 25_000, micros: 40 }) };

function ratios(run: Results): Record<string, number> {
  return Object.fromEntries(reached(run).map(({ target, ratio }) => [target.what, Number(ratio.toFixed(3))]));
}

test('each ratio is of muster to the other, and what a run lacks is left out', () => {
  const muster = server({ rate: 20_000, micros: 50, p99: 2 }, { coldStartMs: [150, 130, 170] });
  expect(ratios(results({ ...peers, muster }))).toEqual({
    'req/s on one core at 16 connections, to fastify echo': 0.8,
    'req/s on one core at 64 connections, to fastify echo': 0.8,
    'CPU of a request at 1,000 req/s, to fastify echo': 1.25,
    'p99 at 1,000 req/s in the quietest window, to bare node:https': 2,
    'cold start to first verdict, to fastify echo': 1.5,
    'resident memory after the requests, to fastify echo': 1,
  });
});

test('on a core that others use, the CPU time of a request is compared', () => {
  const muster = server({ rate: 1000, micros: 50, cpu: 0.1 });
  expect(ratios(results({ ...peers, muster }))['req/s on one core at 16 connections, to fastify echo']).toBe(0.8);
});

test('what is added to a create is compared, not the create', () => {
  const creates = { none: 1.4, bare: 1.8, go: 2.2, muster: 2 };
  const muster = server({ rate: 20_000, micros: 50 });
  expect(ratios(results({ muster }, creates))).toMatchObject({
    'added to a create through the API server, to what the Go webhook adds': 0.75,
  });
});

describe('as the committed run found it, in any six rounds as the short form has them', () => {
  const THROUGHPUT = TARGETS.map(({ what }) => what).filter((what) => /^req\/s.*fastify echo$/.test(what));
  const run = lastRun();
  const slower = (loaded: Loaded, factor: number): Loaded => ({
    ...loaded,
    requestsPerSecond: loaded.requestsPerSecond / factor,
    ...(loaded.serverCpuMicros !== undefined && { serverCpuMicros: loaded.serverCpuMicros * factor }),
  });
  /** Six rounds of each server, with muster slower by a factor. */
  const roundsFrom = (first: number, factor: number): Results => {
    const servers = Object.entries(run.servers).map(([id, server]) => {
      const rounds = Object.entries(server.closed).map(([connections, windows]) => {
        const six = windows.slice(first, first + 6);
        return [connections, id === 'muster' ? six.map((loaded) => slower(loaded, factor)) : six];
      });
      const coldStartMs = server.coldStartMs.map((time) => (id === 'muster' ? time * factor : time));
      return [id, { ...server, closed: Object.fromEntries(rounds), coldStartMs }];
    });
    return { ...run, servers: Object.fromEntries(servers) };
  };
  const lowFrom = (first: number, factor: number) =>
    reached(roundsFrom(first, factor))
      .filter(({ isLow }) => isLow)
      .map(({ target }) => target.what);

  test.each([0, 1, 2, 3])(
    'the guard passes, and fails for a server that takes twice as long (from round %d on)',
    (first) => {
      expect(lowFrom(first, 1)).toEqual([]);
      expect(lowFrom(first, 1.1)).toEqual([]);
      expect(lowFrom(first, 2)).toEqual([...THROUGHPUT, 'cold start to first verdict, to fastify echo']);
    },
  );
});

test('the guard fails far below a target, on either side', () => {
  const low = (muster: ServerResult) =>
    reached(results({ ...peers, muster }))
      .filter(({ isLow }) => isLow)
      .map(({ target }) => target.what);
  expect(low(server({ rate: 25_000, micros: 40 }))).toEqual([]);
  expect(low(server({ rate: 8_000, micros: 125 }))).toContain('req/s on one core at 16 connections, to fastify echo');
  expect(low(server({ rate: 25_000, micros: 40 }, { coldStartMs: [310] }))).toEqual([
    'cold start to first verdict, to fastify echo',
  ]);
});

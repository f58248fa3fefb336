/** The guard of the benchmark: a server that takes twice as long fails it, and one that is a little slower does not. */
import { describe, expect, test } from '@jest/globals';
import type { Loaded } from './load/job.ts';
import { lastRun, type Results } from './results.ts';
import { reached, TARGETS } from './targets.ts';

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

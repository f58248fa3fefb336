/** `--expose-metrics`: round after round, whatever comes of one, until it is told to stop. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { type CheckReport, reportOf } from '../../../src/cli/output/report.ts';
import { exposeMetrics } from '../../../src/cli/scan/exporter.ts';

const LOCAL = { host: '127.0.0.1', port: 0 };
const error = { file: 'x', line: 1, column: 1, message: 'y' };

test('ready after the first round, counting each, gone when it is told to stop', async () => {
  const stop = new AbortController();
  const rounds = [deferred<CheckReport>(), deferred<CheckReport>()];
  let said = '';
  let begun = 0;
  const exporting = exposeMetrics({
    address: LOCAL,
    intervalMs: 1,
    signal: stop.signal,
    round: () => rounds[begun++]?.promise ?? new Promise(() => stop.abort()),
    say: (line) => {
      said = line;
    },
  });
  while (said === '') await new Promise((resolve) => setTimeout(resolve, 5));
  const address = /http:\S+(?=\/metrics)/.exec(said)?.[0];
  const get = async (path: string, method = 'GET') => {
    const answer = await fetch(`${address}${path}`, { method });
    return { status: answer.status, text: await answer.text() };
  };
  expect(await get('/readyz')).toEqual({ status: 503, text: 'no scan has ended yet\n' });
  expect((await get('/metrics')).text).toContain('muster_scan_runs_total{outcome="complete"} 0');
  rounds[0]?.resolve(reportOf({ results: [], errors: [error], skipped: 0 }));
  while ((await get('/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await get('/metrics')).text).toContain('muster_scan_runs_total{outcome="incomplete"} 1');
  expect((await get('/livez')).status).toBe(200);
  expect((await get('/else')).status).toBe(404);
  expect((await get('/metrics', 'POST')).status).toBe(405);
  stop.abort();
  rounds[1]?.resolve(reportOf({ results: [], errors: [], skipped: 0 }));
  await exporting;
  await expect(get('/livez')).rejects.toThrow();
});

test('an address that is taken is said', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const round = () => Promise.reject(new Error('not reached'));
  const signal = new AbortController().signal;
  const exporting = exposeMetrics({
    address: { host: '127.0.0.1', port },
    intervalMs: 1,
    signal,
    round,
    say: () => undefined,
  });
  await expect(exporting).rejects.toThrow(`can't listen on 127.0.0.1 port ${port} (EADDRINUSE); name another address`);
  taken.close();
});

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** `--expose-metrics`: serves the findings of the last scan until a signal ends it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { type CheckReport, reportOf } from '../../../src/cli/output/report.ts';
import { exposeMetrics } from '../../../src/cli/scan/metrics.ts';
import { resultOf } from './written.ts';

const LOCAL = { host: '127.0.0.1', port: 0 };
const error = { file: 'x', line: 1, column: 1, message: 'y' };

test('is ready after the first scan, counts each, and closes on the signal', async () => {
  const stop = new AbortController();
  const scans = [deferred<CheckReport>(), deferred<CheckReport>()];
  const listening = deferred<string>();
  let started = 0;
  const exporting = exposeMetrics({
    address: LOCAL,
    intervalMs: 1,
    signal: stop.signal,
    scanOnce: () => scans[started++]?.promise ?? new Promise(() => stop.abort()),
    log: listening.resolve,
  });
  const address = /http:\S+(?=\/metrics)/.exec(await listening.promise)?.[0];
  const get = async (path: string) => {
    const answer = await fetch(`${address}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  expect(await get('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('no scan has ended yet') });
  expect((await get('/metrics')).text).toContain('muster_scan_runs_total{outcome="complete"} 0');
  const results = [resultOf('a'), resultOf('b'), resultOf('c', { findings: [], outcome: 'allowed' })];
  scans[0]?.resolve(reportOf({ results, errors: [error], skipped: 0 }));
  while ((await get('/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
  const lines = (await get('/metrics')).text.split('\n');
  expect(lines).toContain('muster_scan_runs_total{outcome="incomplete"} 1');
  expect(lines).toContain('muster_scan_objects{resource="clusterclaims.multicluster.x-k8s.io",outcome="denied"} 2');
  expect(lines).toContain('muster_scan_findings{rule="claim/reserved-name",action="deny"} 2');
  expect(lines).toContain('muster_scan_errors 1');
  stop.abort();
  scans[1]?.resolve(reportOf({ results: [], errors: [], skipped: 0 }));
  await exporting;
  await expect(get('/livez')).rejects.toThrow();
});

test('an address in use is refused', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const scanOnce = () => Promise.reject(new Error('not reached'));
  const signal = new AbortController().signal;
  const exporting = exposeMetrics({
    address: { host: '127.0.0.1', port },
    intervalMs: 1,
    signal,
    scanOnce,
    log: () => undefined,
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

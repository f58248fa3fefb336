/** `--expose-metrics`: serves the findings of the last scan until a signal ends it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { exposeMetrics } from '../../../../src/cli/scan/metrics.ts';
import { reportOf } from '../../../../src/report/report.ts';
import { finding, resultOf } from './fixtures.ts';

test('is ready after the first scan, shows the last alone, and closes on the signal', async () => {
  const ofExport = { apiVersion: 'multicluster.x-k8s.io/v1beta1', kind: 'ServiceExport', namespace: 'shop' };
  const conflict = resultOf('web', { ...ofExport, findings: [finding({ ruleId: 'export/conflict' })] });
  const results = [resultOf('a'), resultOf('b'), resultOf('c', { findings: [], outcome: 'allowed' }), conflict];
  const report = reportOf([{ errors: [{ file: 'x', line: 1, column: 1, message: 'y' }] }], results);
  const stop = new AbortController();
  let url = '';
  const get = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const seen: Awaited<ReturnType<typeof get>>[] = [];
  await exposeMetrics({
    address: { host: '127.0.0.1', port: 0 },
    intervalMs: 1,
    signal: stop.signal,
    log: (line) => {
      url = /http:\S+(?=\/metrics)/.exec(line)?.[0] ?? '';
    },
    async scanOnce() {
      seen.push(await get('/readyz'), await get('/metrics'));
      if (seen.length === 6) stop.abort();
      return report;
    },
  });
  const during = seen.slice(0, 2);
  const last = seen.slice(4);
  expect(during).toMatchObject([
    { status: 503, text: expect.stringContaining('no scan has ended yet') },
    { status: 200, text: expect.stringContaining('muster_scan_runs_total{outcome="complete"} 0') },
  ]);
  expect(last.map(({ status }) => status)).toEqual([200, 200]);
  expect(last[1]?.text.split('\n')).toEqual(
    expect.arrayContaining([
      'muster_scan_runs_total{outcome="incomplete"} 2',
      'muster_scan_objects{resource="clusterclaims.multicluster.x-k8s.io",outcome="denied"} 2',
      'muster_scan_findings{rule="claim/reserved-name",action="deny"} 2',
      'muster_scan_objects{resource="serviceexports.multicluster.x-k8s.io",outcome="denied"} 1',
      'muster_scan_findings{rule="export/conflict",action="deny"} 1',
      'muster_scan_errors 1',
    ]),
  );
  await expect(get('/livez')).rejects.toThrow();
});

test('an address in use is refused', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = { host: '127.0.0.1', port: (taken.address() as AddressInfo).port };
  const scanOnce = () => Promise.reject(new Error('not reached'));
  const { signal } = new AbortController();
  await expect(exposeMetrics({ address, intervalMs: 1, signal, scanOnce, log: () => undefined })).rejects.toThrow(
    `can't listen on 127.0.0.1 port ${address.port}: the port is in use; stop what uses it, or choose another`,
  );
  taken.close();
});

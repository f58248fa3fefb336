/** `--expose-metrics`: scans repeatedly, and serves the findings of the last scan until a signal ends it. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { dialectOf } from '../../api/dialects.ts';
import type { CheckReport, CheckResult } from '../output/report.ts';
import { UsageError } from '../shared.ts';
import type { Address } from './options.ts';

export interface Exporter {
  readonly address: Address;
  /** Milliseconds from the end of a scan to the start of the next. */
  readonly intervalMs: number;
  /** Scans and reports. It reports failures, and rejects only for bugs. */
  readonly scanOnce: (signal: AbortSignal) => Promise<CheckReport>;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Resolves once the signal is aborted. @throws UsageError where the address can't be listened on */
export async function exposeMetrics({ address, intervalMs, scanOnce, signal, log }: Exporter): Promise<void> {
  const metrics = createScanMetrics();
  let isReady = false;
  const server = await listen(
    address,
    handler(metrics, () => isReady),
  );
  try {
    log(`metrics of the last scan on ${urlOf(server)}/metrics, a scan every ${intervalMs / 1000} s`);
    while (!signal.aborted) {
      const start = performance.now();
      const report = await scanOnce(signal);
      if (signal.aborted) return;
      metrics.scanned(report, (performance.now() - start) / 1000);
      isReady = true;
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

interface ScanMetrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** Replaces the findings of the last scan. */
  scanned(report: CheckReport, seconds: number): void;
}

/** Labels are bounded by the rules and the kinds. */
function createScanMetrics(): ScanMetrics {
  const registry = new Registry();
  const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `muster_scan_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const runs = new Counter({
    name: 'muster_scan_runs_total',
    help: 'Scans; incomplete: not all could be read.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['complete', 'incomplete']) runs.inc({ outcome }, 0);
  const objects = gauge('objects', 'Objects evaluated by the last scan.', ['resource', 'outcome']);
  const findings = gauge('findings', 'Findings of the last scan.', ['rule', 'action']);
  const errors = gauge('errors', 'What the last scan could not read or evaluate.');
  const end = gauge('end_timestamp_seconds', 'When the last scan ended.');
  const duration = gauge('duration_seconds', 'How long the last scan took.');
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    scanned(report, seconds) {
      runs.inc({ outcome: report.errors.length === 0 ? 'complete' : 'incomplete' });
      objects.reset();
      findings.reset();
      for (const result of report.results) {
        objects.inc({ resource: resourceOf(result), outcome: result.outcome });
        for (const { ruleId, action, outcome } of result.findings)
          findings.inc({ rule: ruleId, action: outcome ?? action });
      }
      errors.set(report.errors.length);
      end.set(Date.now() / 1000);
      duration.set(seconds);
    },
  };
}

function resourceOf({ apiVersion, kind }: CheckResult): string {
  const dialect = dialectOf(apiVersion.split('/')[0] ?? '', kind);
  return dialect ? `${dialect.plural}.${dialect.group}` : 'other';
}

function handler(metrics: ScanMetrics, isReady: () => boolean): RequestListener {
  return async ({ method, url }, response) => {
    const path = url?.split('?')[0];
    if (method !== 'GET' && method !== 'HEAD') response.writeHead(405).end();
    else if (path === '/metrics')
      response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text());
    else if (path === '/livez') response.writeHead(200).end('ok\n');
    else if (path === '/readyz')
      response.writeHead(isReady() ? 200 : 503).end(isReady() ? 'ok\n' : 'no scan has ended yet\n');
    else response.writeHead(404).end();
  };
}

async function listen({ host, port }: Address, listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return server;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`--expose-metrics: can't listen on ${host} port ${port} (${reason}); name another address`);
  }
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

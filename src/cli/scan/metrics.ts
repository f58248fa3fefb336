/** `--expose-metrics`: scans repeatedly, and serves the findings of the last scan until a signal ends it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { dialectOf } from '../../api/dialects.ts';
import type { CheckReport, CheckResult } from '../../report/report.ts';
import { inUrl, listen } from '../../server/lifecycle/listen.ts';
import { createOps } from '../../server/ops/ops.ts';

interface Exporter {
  readonly address: { readonly host: string; readonly port: number };
  /** Milliseconds from the end of a scan to the start of the next. */
  readonly intervalMs: number;
  /** Scans and reports. It reports failures, and rejects only for bugs. */
  readonly scanOnce: (signal: AbortSignal) => Promise<CheckReport>;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Scans and serves until the signal is aborted. Throws UsageError if it can't listen on the address. */
export async function exposeMetrics({ address, intervalMs, scanOnce, signal, log }: Exporter): Promise<void> {
  const metrics = createScanMetrics();
  let isReady = false;
  const scanned = { name: 'scan', run: () => (isReady ? undefined : 'no scan has ended yet') };
  const listening = await listen(createOps({ checks: [scanned], metrics }), address);
  const url = `http://${inUrl(listening.host)}:${listening.port}`;
  try {
    log(`metrics of the last scan on ${url}/metrics, a scan every ${intervalMs / 1000} s`);
    while (!signal.aborted) {
      const start = performance.now();
      const report = await scanOnce(signal);
      if (signal.aborted) return;
      metrics.scanned(report, (performance.now() - start) / 1000);
      isReady = true;
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await listening.close(0);
  }
}

/**
 * Returns the metrics, whose labels are bounded by the rules and the kinds; `scanned` replaces the findings of the last
 * scan.
 */
export function createScanMetrics(registry = new Registry()) {
  const registers = [registry];
  const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `muster_scan_${name}`, help, labelNames: [...labelNames], registers });
  const help = 'Scans; incomplete: not all could be read.';
  const runs = new Counter({ name: 'muster_scan_runs_total', help, labelNames: ['outcome'], registers });
  for (const outcome of ['complete', 'incomplete']) runs.inc({ outcome }, 0);
  const objects = gauge('objects', 'Objects evaluated by the last scan: allowed, denied, indeterminate.', [
    'resource',
    'outcome',
  ]);
  const findings = gauge('findings', 'Findings of the last scan: deny, warn, audit, indeterminate.', [
    'rule',
    'action',
  ]);
  const errors = gauge('errors', 'Errors of the last scan: it could not read or evaluate something.');
  const end = gauge('end_timestamp_seconds', 'When the last scan ended, in seconds since the epoch.');
  const duration = gauge('duration_seconds', 'How long the last scan took, in seconds.');
  return {
    text: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    scanned(report: CheckReport, seconds: number) {
      runs.inc({ outcome: report.errors.length === 0 ? 'complete' : 'incomplete' });
      objects.reset();
      findings.reset();
      for (const result of report.results) {
        objects.inc({ resource: resourceIn(result), outcome: result.outcome });
        for (const { ruleId, action, outcome } of result.findings)
          findings.inc({ rule: ruleId, action: outcome ?? action });
      }
      errors.set(report.errors.length);
      end.set(Date.now() / 1000);
      duration.set(seconds);
    },
  };
}

function resourceIn({ apiVersion, kind }: CheckResult): string {
  const dialect = dialectOf(apiVersion.split('/')[0] ?? '', kind);
  return dialect?.groupResource ?? 'other';
}

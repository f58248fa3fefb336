/** `--expose-metrics`: scans again and again, and serves what came of the last scan until it is told to stop. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckReport } from '../output/report.ts';
import { UsageError } from '../shared.ts';
import { CONTENT_TYPE, exposition, type Rounds } from './exposition.ts';
import type { Address } from './values.ts';

export interface Exporter {
  readonly address: Address;
  /** Milliseconds from the end of a scan to the next. */
  readonly intervalMs: number;
  /** One scan with all it writes. It reports failures, and rejects only for bugs of ours. */
  readonly round: (signal: AbortSignal) => Promise<CheckReport>;
  /** Ends it all. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Resolves when it was told to stop. @throws UsageError where the address can't be had */
export async function exposeMetrics({ address, intervalMs, round, signal, say }: Exporter): Promise<void> {
  let rounds: Rounds = { complete: 0, incomplete: 0 };
  const server = await listen(address, () => rounds);
  try {
    say(`metrics of the last scan on ${urlOf(server)}/metrics, a scan every ${intervalMs / 1000} s`);
    while (!signal.aborted) {
      const begun = performance.now();
      const report = await round(signal);
      if (signal.aborted) return;
      const milliseconds = Math.round(performance.now() - begun);
      const outcome = report.errors.length === 0 ? 'complete' : 'incomplete';
      const last = { report, endedAt: Date.now(), milliseconds };
      rounds = { ...rounds, [outcome]: rounds[outcome] + 1, last };
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function listen({ host, port }: Address, rounds: () => Rounds): Promise<Server> {
  const server = createServer(({ method, url }, response) => {
    const path = url?.split('?')[0];
    if (method !== 'GET' && method !== 'HEAD') response.writeHead(405).end();
    else if (path === '/metrics') response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(exposition(rounds()));
    else if (path === '/livez') response.writeHead(200).end('ok\n');
    else if (path === '/readyz') {
      const ready = rounds().last !== undefined;
      response.writeHead(ready ? 200 : 503).end(ready ? 'ok\n' : 'no scan has ended yet\n');
    } else response.writeHead(404).end();
  });
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

/**
 * `npm run bench:scan`: what `muster scan --live` takes for 100,000 objects in a real API server, beside a program that only
 * reads them. Each figure is the median of some rounds; in a round each runs once, in a process of its own.
 * A few thousand objects take half a minute. What it finds is noted in test/bench/serve/files-and-scans.md, by hand.
 *
 *     npm run bench:scan -- [--count 100000] [--rounds 3] [--cli dist/cli/main.js]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whyNoAssets } from '../../e2e/harness/assets.ts';
import { type ControlPlane, startControlPlane } from '../../e2e/harness/index.ts';
import { tokenOf } from '../../e2e/harness/users.ts';
import { type Contender, measure } from '../check/measure.ts';
import { buildCommand, countProblem, flagsOf } from '../command.ts';
import { fill, LISTS } from './fill.ts';

const values = flagsOf(
  {
    count: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    cli: { type: 'string' },
  },
  ({ count, rounds }) => countProblem({ count, rounds }),
);

const BARE = fileURLToPath(new URL('bare-list.js', import.meta.url));
const [count, rounds] = [Number(values.count), Number(values.rounds)];

const reason = whyNoAssets();
if (reason !== undefined) throw new Error(`no API server to scan: ${reason}`);
const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
try {
  const cli = values.cli ?? buildCommand(folder);
  const plane = await startControlPlane();
  try {
    log(`writing ${count} objects`);
    await fill(plane, count);
    log('measuring');
    report(plane, cli);
  } finally {
    await plane.stop();
  }
} finally {
  rmSync(folder, { recursive: true });
}

function report(plane: ControlPlane, cli: string): void {
  const bare: Contender = { args: [BARE, plane.url, plane.caFile, tokenOf('admin'), ...LISTS], codes: [0] };
  const args = [cli, 'scan', '--live', '--kubeconfig', plane.kubeconfig('admin')];
  const [read, scanned] = measure([bare, { args, codes: [1] }], rounds, folder);
  const rate = Math.round((count / (scanned.cpuMs - read.cpuMs)) * 1000);
  for (const [name, { wallMs, cpuMs, peakMiB }] of Object.entries({ read, scanned })) {
    const figures = `${wallMs.toFixed(0)} ms, processor ${cpuMs.toFixed(0)} ms, peak ${peakMiB.toFixed(0)} MiB`;
    process.stdout.write(`${name}: ${figures}\n`);
  }
  process.stdout.write(`${rate} objects a second of processor time, once they are fetched\n`);
}

function log(line: string): void {
  process.stderr.write(`  ${line}\n`);
}

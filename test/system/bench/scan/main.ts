/**
 * `npm run bench:scan`: what `muster scan --live` takes for 100,000 objects in a real API server, beside a program that
 * only reads them. Each figure is the median of some rounds; in a round each runs once, in a process of its own. A few
 * thousand objects take half a minute. What it finds is noted in test/system/bench/serve/files-and-scans.md, by hand.
 *
 * With `--clusters N` the objects are spread over N API servers, which one scan reads side by side, beside a scan of
 * the first alone: both should need about as much memory.
 *
 *     npm run bench:scan -- [--count 100000] [--clusters 1] [--rounds 3] [--cli dist/cli/main.js]
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countProblem, flagsOf } from '../../../support/flags.ts';
import { newFolder } from '../../../support/folder.ts';
import { buildCommand } from '../../../support/main.ts';
import { whyNoAssets } from '../../e2e/harness/assets.ts';
import { type ControlPlane, startControlPlane } from '../../e2e/harness/index.ts';
import { tokenOf, writeContexts } from '../../e2e/harness/users.ts';
import { type Contender, measure, type Taken } from '../check/measure.ts';
import { fill, LISTS } from './fill.ts';

const values = flagsOf(
  {
    count: { type: 'string', default: '100000' },
    clusters: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    cli: { type: 'string' },
  },
  ({ count, clusters, rounds }) => countProblem({ count, clusters, rounds }),
);

const BARE = fileURLToPath(new URL('bare-list.js', import.meta.url));
const count = Number(values.count);
const clusters = Number(values.clusters);
const rounds = Number(values.rounds);

const reason = whyNoAssets();
if (reason !== undefined) throw new Error(`no API server to scan: ${reason}`);
const folder = newFolder().path;
const cli = values.cli ?? buildCommand(folder);
const planes: ControlPlane[] = [];
try {
  for (let index = 0; index < clusters; index++) {
    const plane = await startControlPlane();
    planes.push(plane);
    log(`writing ${Math.round(count / clusters)} objects`);
    await fill(plane, Math.round(count / clusters));
  }
  log('measuring');
  const [plane] = planes;
  if (plane && clusters === 1) report(plane, cli);
  else reportAll(planes, cli);
} finally {
  for (const plane of planes) await plane.stop();
}

function report(plane: ControlPlane, cli: string): void {
  const bare: Contender = { args: [BARE, plane.url, plane.caFile, tokenOf('admin'), ...LISTS], codes: [0] };
  const args = [cli, 'scan', '--live', '--kubeconfig', plane.kubeconfig('admin')];
  const [read, scanned] = measure([bare, { args, codes: [1] }], rounds, folder);
  const rate = Math.round((count / (scanned.cpuMs - read.cpuMs)) * 1000);
  show({ read, scanned });
  process.stdout.write(`${rate} objects a second of processor time, once they are fetched\n`);
}

/** Scans the first cluster alone, and all of them side by side. */
function reportAll(planes: readonly ControlPlane[], cli: string): void {
  const names = planes.map((_, index) => `cluster-${index}`);
  const clusters = Object.fromEntries(planes.map((plane, index) => [names[index], plane]));
  const file = writeContexts(join(folder, 'kubeconfig'), 'admin', clusters);
  const scan = [cli, 'scan', '--kubeconfig', file];
  const all = [...scan, ...names.flatMap((name) => ['--context', name])];
  const [one, several] = measure(
    [
      { args: [...scan, '--live'], codes: [1] },
      { args: all, codes: [1] },
    ],
    rounds,
    folder,
  );
  show({ 'one cluster': one, [`${names.length} clusters`]: several });
  process.stdout.write(`peak of all to that of one: ${(several.peakMiB / one.peakMiB).toFixed(2)}\n`);
}

function show(taken: Readonly<Record<string, Taken>>): void {
  for (const [name, { wallMs, cpuMs, peakMiB }] of Object.entries(taken)) {
    const figures = `${wallMs.toFixed(0)} ms, processor ${cpuMs.toFixed(0)} ms, peak ${peakMiB.toFixed(0)} MiB`;
    process.stdout.write(`${name}: ${figures}\n`);
  }
}

function log(line: string): void {
  process.stderr.write(`  ${line}\n`);
}

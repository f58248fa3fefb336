/**
 * `npm run bench:check`: what `muster check` takes for 10,000 manifests, as a folder and as one file, beside bare reading of
 * the same bytes by the package `yaml`; and for one small file, beside a Node that does nothing. Each figure is the median of
 * some rounds; in a round each contender runs once, in a process of its own, so that a busy machine is busy for all.
 *
 *     npm run bench:check -- [--count 10000] [--rounds 5] [--cli dist/cli/main.js] [--keep]
 *
 * `--keep` keeps the figures, and writes docs/performance.md with them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countProblem, flagsOf } from '../flags.ts';
import { writePage } from '../serve/page.ts';
import { keepRun, type Pair, runOf } from '../sizes/results.ts';
import { buildCommand } from './build.ts';
import { manifestFiles, oneFile } from './manifests.ts';
import { type Contender, measure, type Taken } from './measure.ts';

const values = flagsOf(
  {
    count: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    cli: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
  ({ count, rounds }) => countProblem({ count, rounds }),
);

const BARE = fileURLToPath(new URL('bare-yaml.js', import.meta.url));
const NOTHING = ['--input-type=module', '--eval', ''];

const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
try {
  report(folder, Number(values.count), Number(values.rounds), values.cli ?? buildCommand(folder));
} finally {
  rmSync(folder, { recursive: true });
}

function report(place: string, count: number, rounds: number, cli: string): void {
  const { files, one, single, bytes } = writeManifests(place, count);
  const check = (path: string): Contender => ({ args: [cli, 'check', path], codes: [0, 1, 2] });
  const bare = (path: string): Contender => ({ args: [BARE, path], codes: [0] });
  print(
    `${count} manifests, ${(bytes / 2 ** 20).toFixed(1)} MiB; medians of ${rounds} rounds; Node ${process.version}`,
  );
  print(row(['', 'wall ms', 'CPU ms', 'peak MiB']));
  const beside = (path: string): Pair => {
    const [plain, judged] = measure([bare(path), check(path)], rounds, place);
    return { bare: plain, muster: judged };
  };
  const [folderRead, fileRead] = [beside(files), beside(one)];
  const [idle, quick] = measure([{ args: NOTHING, codes: [0] }, check(single)], Math.max(rounds, 11), place);
  compare('a folder: bare yaml', folderRead.bare, 'a folder: muster check', folderRead.muster);
  compare('one file: bare yaml', fileRead.bare, 'one file: muster check', fileRead.muster);
  compare('nothing: bare Node', idle, 'one manifest: muster check', quick);
  if (!values.keep) return;
  const found = { folder: folderRead, file: fileRead, single: { bare: idle, muster: quick } };
  keepRun('check', { ...runOf(count, rounds), mebibytes: bytes / 2 ** 20, ...found });
  writePage();
}

function writeManifests(place: string, count: number) {
  const manifests = manifestFiles(count);
  const files = join(place, 'manifests');
  for (const { name, text } of manifests) write(join(files, name), text);
  const text = oneFile(manifests);
  const one = write(join(place, 'all.yaml'), text);
  const single = write(join(place, 'single.yaml'), manifests[0]?.text ?? '');
  return { files, one, single, bytes: Buffer.byteLength(text) };
}

function write(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function compare(below: string, base: Taken, name: string, taken: Taken): void {
  print(row([below, ...figures(base)]));
  print(row([name, ...figures(taken)]));
  const ratio = (taken.cpuMs / base.cpuMs).toFixed(2);
  const [wall, more] = [taken.wallMs - base.wallMs, taken.peakMiB - base.peakMiB].map((figure) => signed(figure));
  print(row(['', `${(taken.wallMs / base.wallMs).toFixed(2)} × (${wall})`, `${ratio} ×`, more ?? '']));
}

function figures({ wallMs, cpuMs, peakMiB }: Taken): string[] {
  return [wallMs, cpuMs, peakMiB].map((figure) => figure.toFixed(0));
}

function signed(figure: number): string {
  return `${figure < 0 ? '-' : '+'}${Math.abs(figure).toFixed(0)}`;
}

function row([label = '', ...cells]: readonly string[]): string {
  return `${label.padEnd(28)}${cells.map((cell) => cell.padStart(16)).join('')}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * `npm run bench:check`: what `muster check` takes for 10,000 manifests, as a folder and as one file, beside bare reading of
 * the same bytes by the package `yaml`; and for one small file, beside a Node that does nothing. Each figure is the median of
 * some rounds; in a round each contender runs once, in a process of its own, so that a busy machine is busy for all.
 *
 *     npm run bench:check -- [--count 10000] [--rounds 5] [--cli dist/cli/main.js]
 *
 * What it finds is noted in test/bench/serve/files-and-scans.md, by hand.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand, countProblem, flagsOf } from '../command.ts';
import { manifestFiles, oneFile } from './manifests.ts';
import { type Contender, measure, type Taken } from './measure.ts';

const values = flagsOf(
  {
    count: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    cli: { type: 'string' },
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

function report(folder: string, count: number, rounds: number, cli: string): void {
  const { files, one, single, bytes } = writeManifests(folder, count);
  const check = (path: string): Contender => ({ args: [cli, 'check', path], codes: [0, 1, 2] });
  const bare = (path: string): Contender => ({ args: [BARE, path], codes: [0] });
  print(
    `${count} manifests, ${(bytes / 2 ** 20).toFixed(1)} MiB; medians of ${rounds} rounds; Node ${process.version}`,
  );
  print(row(['', 'wall ms', 'CPU ms', 'peak MiB']));
  const beside = (path: string) => measure([bare(path), check(path)], rounds, folder);
  const [[bareFolder, folderChecked], [bareFile, fileChecked]] = [beside(files), beside(one)];
  const [idle, quick] = measure([{ args: NOTHING, codes: [0] }, check(single)], Math.max(rounds, 11), folder);
  compare('a folder: bare yaml', bareFolder, 'a folder: muster check', folderChecked);
  compare('one file: bare yaml', bareFile, 'one file: muster check', fileChecked);
  compare('nothing: bare Node', idle, 'one manifest: muster check', quick);
}

function writeManifests(folder: string, count: number) {
  const manifests = manifestFiles(count);
  const files = join(folder, 'manifests');
  for (const { name, text } of manifests) write(join(files, name), text);
  const text = oneFile(manifests);
  const one = write(join(folder, 'all.yaml'), text);
  const single = write(join(folder, 'single.yaml'), manifests[0]?.text ?? '');
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

/** What a run of `bench:check` found, as a section of docs/performance.md. */
import { machine } from '../serve/measure.ts';
import type { Taken } from './measure.ts';

interface CheckTaken {
  /** A folder in which 200 of 10,000 manifests are of muster's kinds. */
  readonly mixed: Taken | undefined;
  readonly mixedBare: Taken | undefined;
  /** Undefined without Go. */
  readonly mixedConform: Taken | undefined;
  /** The same as one file. */
  readonly file: Taken | undefined;
  readonly fileBare: Taken | undefined;
  /** A folder in which all are. */
  readonly ours: Taken | undefined;
  readonly oursBare: Taken | undefined;
  readonly single: Taken | undefined;
  readonly nothing: Taken | undefined;
}

interface CheckInput {
  readonly count: number;
  readonly files: number;
  readonly bytes: number;
  readonly rounds: number;
}

/** Returns the section. */
export function reportOf(taken: CheckTaken, { count, files, bytes, rounds }: CheckInput): string {
  const { processor, cores, system, node } = machine();
  const date = new Date().toISOString().slice(0, 10);
  const { mixed, mixedBare, mixedConform, file, fileBare, ours, oursBare, single, nothing } = taken;
  const mix = `${Math.ceil(count / 50)} of muster's kinds`;
  return `${HEAD}

\`npm run bench:check\`, ${date}, ${processor}, ${cores} cores, ${system}, Node ${node}; ${count.toLocaleString('en')} manifests of
${(bytes / 2 ** 20).toFixed(1)} MiB in ${files.toLocaleString('en')} files; the least of ${rounds} rounds:

| | wall ms | processor ms | peak MiB |
|---|---|---|---|
${row(`${mix}, a folder: muster`, mixed)}${row('— kubeconform', mixedConform)}${row('— bare `yaml`', mixedBare)}\
${row(`${mix}, one file: muster`, file)}${row('— bare `yaml`', fileBare)}\
${row("all of muster's kinds, a folder: muster", ours)}${row('— bare `yaml`', oursBare)}\
${row('one manifest: muster', single)}${row('— a Node that does nothing', nothing)}
| what | target | found | reached |
|---|---|---|---|
${ratio(`${mix}, a folder, to kubeconform (wall)`, 0.7, mixed?.wallMs, mixedConform?.wallMs)}\
${ratio("all of muster's kinds, to bare `yaml` (processor time)", 1.3, ours?.cpuMs, oursBare?.cpuMs)}\
${most('its peak beyond bare `yaml`, in MiB', 150, ours?.peakMiB, oursBare?.peakMiB)}\
${most('one manifest beyond a bare start (wall), in ms', 100, single?.wallMs, nothing?.wallMs)}`;
}

const HEAD = `## Files

What \`muster check\` takes for many manifests. kubeconform, in Go, validates the same folder with its four workers, with a schema for each kind that asks for
\`apiVersion\`, \`kind\` and \`metadata\` and nothing else: so its time is that of reading YAML. The package \`yaml\` reads the same bytes to plain
values, without positions. Each runs in turn, in a process of its own. Other load on the machine changes wall times, and processor time hardly.

Most of a repository is of other kinds: Deployments, Services, ConfigMaps, Roles, CRDs, in block and flow style, with anchors, quotes, block scalars and comments. muster skips a
document whose text can't name one of its kinds (src/documents/index.ts), and so finds no mistakes there. Some of the manifests are broken, and some are JSON.`;

function row(name: string, taken: Taken | undefined): string {
  if (taken === undefined) return '';
  const { wallMs, cpuMs, peakMiB } = taken;
  const figures = [wallMs, cpuMs, peakMiB].map((figure) => (Number.isNaN(figure) ? '' : figure.toFixed(0)));
  return `| ${[name, ...figures].join(' | ')} |\n`;
}

function ratio(what: string, target: number, found: number | undefined, base: number | undefined): string {
  if (found === undefined || base === undefined) return '';
  return targetRow(what, `≤ ${target.toFixed(1)} ×`, (found / base).toFixed(2), found / base <= target);
}

function most(what: string, target: number, found: number | undefined, base: number | undefined): string {
  if (found === undefined || base === undefined) return '';
  return targetRow(what, `≤ ${target}`, (found - base).toFixed(0), found - base <= target);
}

function targetRow(what: string, target: string, found: string, reached: boolean): string {
  return `| ${what} | ${target} | ${found} | ${reached ? 'yes' : 'no'} |\n`;
}

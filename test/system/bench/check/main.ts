/**
 * `npm run bench:check`: what `muster check` takes for 10,000 manifests, beside kubeconform where Go is, and beside
 * bare reading by the package `yaml`: for a repository in which 200 are of muster's kinds, as a folder and as one file,
 * and for one in which all are. And for one small file, beside a Node that does nothing. In a round each runs once, in
 * a process of its own, so that a busy machine is busy for all; each figure is the least of the rounds, which others on
 * the machine change least.
 *
 *     npm run bench:check -- [--count 10000] [--rounds 5] [--cli dist/cli/main.js] [--folder DIR]
 *
 * With a folder of manifests it only compares muster and kubeconform there. A project to compare on: argoproj/argo-cd
 * at commit 37ee0097cf851bc2dd7665fc081bbce61a7e836e, its 2,441 files .yaml, .yml and .json.
 *
 * With 10,000 manifests it keeps what it finds in last-run.md, and writes docs/performance.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countProblem, flagsOf } from '../../../support/flags.ts';
import { newFolder } from '../../../support/folder.ts';
import { buildCommand } from '../../../support/main.ts';
import { goPeer } from '../go-peer.ts';
import { writePage } from '../serve/page.ts';
import { type ManifestFile, manifestFiles, oneFile } from './manifests.ts';
import { type Contender, measure } from './measure.ts';
import { reportOf } from './report.ts';

const values = flagsOf(
  {
    count: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    cli: { type: 'string' },
    folder: { type: 'string' },
  },
  ({ count, rounds }) => countProblem({ count, rounds }),
);

const BARE = fileURLToPath(new URL('bare-yaml.js', import.meta.url));
const LAST_RUN = new URL('last-run.md', import.meta.url);
const NOTHING = ['--input-type=module', '--eval', ''];
const KUBECONFORM = {
  name: 'kubeconform',
  module: new URL('kubeconform/', import.meta.url),
  package: 'github.com/yannh/kubeconform/cmd/kubeconform',
};

/** As kubeconform names their schemas. */
const KINDS = [
  ...['inventorycluster', 'clusterprofile', 'feature', 'clusterproperty', 'deployment', 'service', 'configmap', 'role'],
  'customresourcedefinition',
];

const folder = newFolder().path;
const cli = values.cli ?? buildCommand(folder);
const rounds = Number(values.rounds);
if (values.folder !== undefined) compareOn(values.folder, rounds, cli);
else {
  const text = run(Number(values.count), rounds, cli);
  process.stdout.write(text);
  if (values.count === '10000') {
    writeFileSync(LAST_RUN, text);
    writePage();
  }
}

function run(count: number, rounds: number, cli: string): string {
  const repository = manifestFiles(count);
  const paths = {
    folder: writeAll('repository', repository),
    file: write('all.yaml', oneFile(repository)),
    ours: writeAll('ours', manifestFiles(count, 1)),
    single: write('single.yaml', repository[0]?.text ?? ''),
  };
  const check = (path: string): Contender => ({ args: [cli, 'check', path], codes: [0, 1, 2] });
  const bare = (path: string): Contender => ({ args: [BARE, path], codes: [0] });
  const beside = (...contenders: readonly Contender[]) => measure(contenders, rounds, folder, least);
  const kubeconform = kubeconformOn(paths.folder);
  const [mixed, mixedBare, mixedConform] = beside(check(paths.folder), bare(paths.folder), ...kubeconform);
  const [file, fileBare] = beside(check(paths.file), bare(paths.file));
  const [ours, oursBare] = beside(check(paths.ours), bare(paths.ours));
  const [single, nothing] = measure([check(paths.single), { args: NOTHING, codes: [0] }], 8 * rounds, folder, least);
  const bytes = repository.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const taken = { mixed, mixedBare, mixedConform, file, fileBare, ours, oursBare, single, nothing };
  return reportOf(taken, { count, files: repository.length, bytes, rounds });
}

/** Compares on the files of another project. Of kinds without a schema kubeconform only reads the YAML. */
function compareOn(path: string, rounds: number, cli: string): void {
  const muster: Contender = { args: [cli, 'check', path], codes: [0, 1, 2] };
  const [kubeconform] = kubeconformOn(path, ['-ignore-missing-schemas']);
  if (kubeconform === undefined) throw new Error('kubeconform is not built, and Go is not installed');
  const [ours, theirs] = measure([muster, kubeconform], rounds, folder, least);
  process.stdout.write(`muster ${ours.wallMs.toFixed(0)} ms, kubeconform ${theirs.wallMs.toFixed(0)} ms: `);
  process.stdout.write(`${(ours.wallMs / theirs.wallMs).toFixed(2)} ×; muster's peak ${ours.peakMiB.toFixed(0)} MiB\n`);
}

function least(figures: readonly number[]): number {
  return Math.min(...figures);
}

/**
 * With schemas that ask for next to nothing, so that its time is that of reading; it knows no others without a network.
 */
function kubeconformOn(path: string, more: readonly string[] = []): Contender[] {
  const program = goPeer(KUBECONFORM, (line) => process.stderr.write(`${line}\n`));
  if (program === undefined) return [];
  const schema = JSON.stringify({ type: 'object', required: ['apiVersion', 'kind', 'metadata'] });
  for (const kind of KINDS) write(`schemas/${kind}.json`, schema);
  const schemas = join(folder, 'schemas/{{.ResourceKind}}.json');
  return [{ program, args: ['-schema-location', schemas, ...more, path], codes: [0, 1] }];
}

function writeAll(name: string, files: readonly ManifestFile[]): string {
  for (const file of files) write(join(name, file.name), file.text);
  return join(folder, name);
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

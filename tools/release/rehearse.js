/**
 * `npm run release:rehearse`: all steps of a release that need no registry. Builds everything twice, from two copies of
 * the checkout, and compares the bytes; installs the package, runs the binary, reads the chart; signs with a key of its
 * own and verifies.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CHECKSUMS, packBinaries, writeChecksums } from './archives.js';
import { findHelm, sourceDate } from './artifacts.js';
import { signAndVerify } from './sign.js';
import { releaseFiles, releaseProblems } from './version.js';

const IMAGE = 'registry.example.com/kube-muster';
const date = sourceDate();
const helm = await findHelm();
const { version } = releaseFiles().package;
const work = mkdtempSync(join(tmpdir(), 'muster-rehearsal-'));
try {
  rehearse();
} finally {
  rmSync(work, { recursive: true, force: true });
}

function rehearse() {
  for (const problem of releaseProblems(`v${version}`, releaseFiles())) say(`before the tag: ${problem}`);
  const copies = ['a', 'b'].map((name) => copyTo(join(work, name)));
  const [made, again] = copies.map((copy) => step(`build in ${basename(copy)}`, () => buildIn(copy)));
  step('the same bytes from two builds', () => compare(made, again));
  step('the package, installed in an empty project', () => tryPackage(made));
  step('the binary', () => tryCommand(join(made, binaryIn(made))));
  step('the chart', () => tryChart(made));
  process.env.NODE_LICENSE ??= standIn();
  step('archives and checksums', () => {
    packBinaries(made, date);
    run('sha256sum', ['--check', '--strict', basename(writeChecksums(made))], made);
    return readdirSync(made).length - 1;
  });
  step('a changed artifact is refused', () => refuseChanged(made));
  step('the archived binary', () => tryArchive(made));
  step('a signature of the checksums', () => signAndVerify(join(made, CHECKSUMS), join(work, 'key')));
  process.stdout.write(readFileSync(join(made, CHECKSUMS), 'utf8'));
}

/** Copies the checkout, so that its `dist/` is not changed, and returns the folder of the copy. */
function copyTo(copy) {
  const files = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']).split('\0');
  for (const file of files) if (file && existsSync(file)) cpSync(file, join(copy, file));
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Returns the folder of the artifacts. */
function buildIn(copy) {
  for (const script of ['build', 'build:binary', 'release:artifacts']) run('npm', ['run', '-s', script], copy);
  return join(copy, 'release');
}

function compare(made, again) {
  const names = readdirSync(made);
  const others = readdirSync(again);
  if (String(names) !== String(others)) throw new Error(`one build made ${names}, the other ${others}`);
  const different = names.filter((name) => !readFileSync(join(made, name)).equals(readFileSync(join(again, name))));
  if (different.length > 0) throw new Error(`two builds of one commit differ: ${different.join(', ')}`);
  return names.join(', ');
}

function tryPackage(made) {
  const project = join(work, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"another","version":"1.0.0","private":true}');
  const tarball = join(made, `kube-muster-npm-${version}.tgz`);
  run('npm', ['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], project);
  return tryCommand(join(project, 'node_modules/.bin/kube-muster'));
}

/** Renders the packed chart, and checks that its image is the one of the release. */
function tryChart(made) {
  const objects = run(helm, ['template', 'fleet', join(made, `kube-muster-chart-${version}.tgz`)]);
  if (!objects.includes(`${IMAGE}:${version}`)) throw new Error(`the chart has not the image ${IMAGE}:${version}`);
  return `pulls ${IMAGE}:${version}`;
}

function binaryIn(folder) {
  return readdirSync(folder).find((name) => /^kube-muster-\w+-\w+$/.test(name));
}

function tryArchive(made) {
  const archive = readdirSync(made).find((name) => name.endsWith('.tar.gz'));
  run('tar', ['-xzf', archive, '-C', work], made);
  return tryCommand(join(work, archive.replace('.tar.gz', ''), 'muster'));
}

/** Changes one byte of the package, as a download can be changed, and restores it. */
function refuseChanged(made) {
  const file = join(made, `kube-muster-npm-${version}.tgz`);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.with(-1, bytes.at(-1) ^ 1));
  const { status, stdout } = spawnSync('sha256sum', ['--check', CHECKSUMS], { cwd: made, encoding: 'utf8' });
  writeFileSync(file, bytes);
  if (status !== 1 || !stdout.includes(`${basename(file)}: FAILED`))
    throw new Error('sha256sum accepts a changed package');
  return 'one byte of the package';
}

/** Runs a command from an empty folder with no variables but a path, and compares what it prints and its exit codes. */
function tryCommand(command) {
  const examples = resolve('examples');
  const expected = [
    [['--version'], 0, `${version}\n`],
    [['explain', 'claim/id-syntax'], 0, 'claim/id-syntax'],
    [['check', join(examples, 'good')], 0, '0 denied'],
    [['check', join(examples, 'bad')], 1, '6 denied'],
    [['demo'], 0, 'denied'],
  ];
  for (const [args, code, text] of expected) {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: work,
      encoding: 'utf8',
      env: { PATH: nodePath() },
    });
    if (status !== code || !stdout.includes(text))
      throw new Error(
        `${basename(command)} ${args[0]}: exit code ${status}, not ${code}, or no "${text}"\n${stdout}${stderr}`,
      );
  }
  return `${expected.length} commands`;
}

function nodePath() {
  return `${dirname(process.execPath)}:/usr/bin:/bin`;
}

function standIn() {
  const file = join(work, 'LICENSE');
  writeFileSync(file, 'A stand-in: NODE_LICENSE was not set for this rehearsal.\n');
  return file;
}

function run(command, args, cwd = '.') {
  const env = {
    ...process.env,
    SOURCE_DATE_EPOCH: String(date),
    RELEASE_IMAGE: IMAGE,
    npm_config_update_notifier: 'false',
  };
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 16_777_216,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function step(name, action) {
  const start = performance.now();
  const result = action();
  say(`${name} (${((performance.now() - start) / 1000).toFixed(1)} s): ${String(result).replaceAll(work, '…')}`);
  return result;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

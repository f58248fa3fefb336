/**
 * `npm run release:artifacts -- FOLDER`: writes what a release publishes and what does not depend on the platform: the
 * npm package, the Helm chart and the bill of materials. The artifacts of a commit are always identical. It packs
 * `dist/` as it is, so `npm run build` comes first. RELEASE_IMAGE is where the chart pulls the image from (default:
 * what `values.yaml` says).
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseDocument } from 'yaml';
import { ensureTools } from '../../test/system/e2e/harness/assets.ts';
import { releaseFiles } from './version.js';

const CHART = 'charts/kube-muster';

/** Writes the artifacts and returns their paths. `date` is in seconds since 1970. Throws if npm or Helm fails. */
async function buildArtifacts(folder, date) {
  mkdirSync(folder, { recursive: true });
  const { name, version } = releaseFiles().package;
  const package_ = join(folder, `${name}-npm-${version}.tgz`);
  const chart = join(folder, `${name}-chart-${version}.tgz`);
  const bill = join(folder, `${name}-${version}.cdx.json`);
  // The package and the chart have the same file name, so each is made in a folder of its own.
  const work = mkdtempSync(join(tmpdir(), 'muster-release-'));
  try {
    run('npm', ['pack', '--ignore-scripts', '--pack-destination', work]);
    moveOnly(work, package_);
    packChart(await findHelm(), work, date);
    moveOnly(work, chart);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  writeFileSync(bill, run('npm', ['run', '-s', 'sbom']));
  return { package: package_, chart, bill };
}

/** Returns the path of Helm 4, built from source if it is missing (a few minutes, once). */
export async function findHelm() {
  return (await ensureTools())['helm-4'];
}

/** Returns the time of the commit, or SOURCE_DATE_EPOCH if it is set: seconds since 1970. */
export function sourceDate() {
  return Number(process.env.SOURCE_DATE_EPOCH ?? run('git', ['log', '-1', '--format=%ct']));
}

/** Helm 4 keeps the times of the files, so they get one that does not depend on the checkout. */
function packChart(helm, work, date) {
  const source = join(work, 'source');
  cpSync(CHART, source, { recursive: true });
  if (process.env.RELEASE_IMAGE) setImage(join(source, 'values.yaml'), process.env.RELEASE_IMAGE);
  for (const path of readdirSync(source, { recursive: true })) utimesSync(join(source, path), date, date);
  run(helm, ['package', source, '--destination', work]);
  rmSync(source, { recursive: true });
}

function setImage(file, image) {
  const values = parseDocument(readFileSync(file, 'utf8'));
  values.setIn(['image', 'repository'], image);
  writeFileSync(file, values.toString({ lineWidth: 0 }));
}

function moveOnly(work, target) {
  const [made, ...others] = readdirSync(work);
  if (made === undefined || others.length > 0) throw new Error(`one file was expected for ${target}`);
  // Between file systems, `rename` would fail.
  cpSync(join(work, made), target);
  rmSync(join(work, made));
}

function run(command, args) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const made = await buildArtifacts(resolve(process.argv[2] ?? 'release'), sourceDate());
  for (const path of Object.values(made)) process.stdout.write(`${path}\n`);
}

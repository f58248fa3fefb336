/**
 * `npm run release:archives -- FOLDER`: packs each binary of a folder with the licenses of what it contains, then
 * writes SHA256SUMS for all files of the folder. The archives of the same binaries are identical. Needs GNU tar.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceDate } from './artifacts.js';
import { releaseFiles } from './version.js';

export const CHECKSUMS = 'SHA256SUMS';
const BINARY = /^kube-muster-(\w+-\w+?)(\.exe)?$/;

/**
 * Replaces each binary by its archive and returns their paths. `date` is in seconds since 1970. Throws if a license is
 * missing.
 */
export function packBinaries(folder, date, licenses = defaultLicenses()) {
  for (const [name, source] of Object.entries(licenses)) {
    if (!existsSync(source))
      throw new Error(`no ${source} for ${name}: run npm run build, and set NODE_LICENSE to Node's LICENSE`);
  }
  const { version } = releaseFiles().package;
  return readdirSync(folder).flatMap((file) => {
    const [, platform, extension = ''] = BINARY.exec(file) ?? [];
    if (platform === undefined) return [];
    const top = `kube-muster-${version}-${platform}`;
    const archive = join(folder, `${top}.tar.gz`);
    const work = mkdtempSync(join(tmpdir(), 'muster-archive-'));
    try {
      mkdirSync(join(work, top));
      const command = join(work, top, `muster${extension}`);
      copyFileSync(join(folder, file), command);
      // A file that a workflow passes from one job to the next loses its mode.
      chmodSync(command, 0o755);
      for (const [name, source] of Object.entries(licenses)) copyFileSync(source, join(work, top, name));
      const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
      const same = ['--format=ustar', '--sort=name', `--mtime=@${date}`, ...owner];
      execFileSync('tar', [...same, '-C', work, '-I', 'gzip -n', '-cf', archive, top]);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    rmSync(join(folder, file));
    return [archive];
  });
}

/** Writes SHA256SUMS of all files of a folder, in the form of `sha256sum`, and returns its path. */
export function writeChecksums(folder) {
  const names = readdirSync(folder).filter((name) => name !== CHECKSUMS);
  const sum = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  const path = join(folder, CHECKSUMS);
  writeFileSync(
    path,
    names
      .sort()
      .map((name) => `${sum(name)}  ${name}\n`)
      .join(''),
  );
  return path;
}

/**
 * A binary contains muster, the packages that it bundles, and Node. The one that npm runs has its license in its
 * folder.
 */
function defaultLicenses() {
  const { NODE_LICENSE, npm_node_execpath: node = process.execPath } = process.env;
  const ofNode = NODE_LICENSE ?? join(dirname(node), '..', 'LICENSE');
  return { LICENSE: 'LICENSE', 'THIRD-PARTY-NOTICES': 'dist/THIRD-PARTY-NOTICES', 'NODE-LICENSE': ofNode };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = resolve(process.argv[2] ?? 'release');
  for (const archive of packBinaries(folder, sourceDate())) process.stdout.write(`${archive}\n`);
  process.stdout.write(`${writeChecksums(folder)}\n`);
}

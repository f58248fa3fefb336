/** The archives of the binaries: what is in them, that the bytes can be repeated, and the checksums. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
// @ts-expect-error A tool in plain JavaScript, without types.
import { packBinaries, writeChecksums } from '../../../tools/release/archives.js';
import { newFolder } from '../../support/folder.ts';

const DATE = 1_700_000_000;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
let folder: string;
beforeAll(() => {
  folder = newFolder().path;
});

/** Packs stand-ins of binaries, with files of this folder as licenses. */
function packed(name: string, mode: number): string {
  const release = mkdtempSync(join(folder, name));
  for (const binary of ['kube-muster-linux-x64', 'kube-muster-win32-x64.exe', 'kube-muster-0.cdx.json']) {
    writeFileSync(join(release, binary), binary);
    chmodSync(join(release, binary), mode);
  }
  packBinaries(release, DATE, { LICENSE: 'LICENSE' });
  writeChecksums(release);
  return release;
}

test('one archive for each binary, with its licenses and a time that does not change', () => {
  const release = packed('a', 0o600);
  const archive = `kube-muster-${version}-linux-x64.tar.gz`;
  expect(readdirSync(release).sort()).toEqual([
    'SHA256SUMS',
    archive,
    `kube-muster-${version}-win32-x64.tar.gz`,
    'kube-muster-0.cdx.json',
  ]);
  const env = { ...process.env, TZ: 'UTC' };
  const listed = execFileSync('tar', ['-tvzf', archive], { cwd: release, env, encoding: 'utf8' });
  const entries = listed
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +\d+ (?=2)/, ' '));
  const top = `2023-11-14 22:13 kube-muster-${version}-linux-x64`;
  expect(entries).toEqual([`drwxr-xr-x 0/0 ${top}/`, `-rw-r--r-- 0/0 ${top}/LICENSE`, `-rwxr-xr-x 0/0 ${top}/muster`]);
});

test('the same binaries give the same bytes, whatever their mode; sha256sum accepts the checksums', () => {
  const one = packed('b', 0o755);
  const other = packed('c', 0o644);
  for (const name of readdirSync(one)) expect(readFileSync(join(one, name))).toEqual(readFileSync(join(other, name)));
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: one });
});

test('a license that is missing is an error that names it', () => {
  expect(() => packBinaries(folder, DATE, { 'NODE-LICENSE': '/nonexistent/LICENSE' })).toThrow(
    /^no \/nonexistent\/LICENSE for NODE-LICENSE/,
  );
});

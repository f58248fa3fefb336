/** Go and what is built with it: for the control plane of the end-to-end tests, and for a peer of the benchmark. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Go's path, if it is there: its own installer leaves it to the user to put its folder on PATH. */
export function goProgram(): string | undefined {
  return installed('go', ['/usr/local/go/bin']);
}

/** The path of a program on PATH or in these folders. */
export function installed(name: string, folders: readonly string[] = []): string | undefined {
  const all = [...(process.env['PATH'] ?? '').split(delimiter), ...folders];
  return all.map((folder) => join(folder, name)).find(isProgram);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where a kind of programs is kept, outside of the checkout. */
export function cacheOf(kind: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'muster', kind);
}

/** What is built: a package in or below the module in a folder. */
export interface GoProgram {
  readonly path: string;
  readonly module: string;
  readonly package: string;
  readonly linkerFlags?: string;
  readonly tags?: string;
}

/** Of everything that a program is built from. */
export function fingerprint(folder: string, ...files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}

/**
 * Builds into a folder beside the cache and renames the result: other processes see whole programs only.
 * @throws Error with what the compiler said
 */
export function buildGo({ path, module, package: built, linkerFlags = '-s -w', tags = '' }: GoProgram): void {
  mkdirSync(dirname(path), { recursive: true });
  const aside = mkdtempSync(`${dirname(path)}.building-`);
  try {
    const out = join(aside, 'program');
    const flags = ['-trimpath', '-buildvcs=false', '-tags', tags, '-ldflags', linkerFlags, '-o', out];
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' };
    const args = ['build', ...flags, built];
    const { status, stderr, error } = spawnSync(goProgram() ?? 'go', args, { cwd: module, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`go build failed: ${error?.message ?? stderr.slice(-4000)}`);
    renameSync(out, path);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

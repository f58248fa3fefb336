/**
 * Programs in Go that muster is measured beside: found in the cache, or built there with Go, once for each state of
 * their module.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheOf, goProgram, isProgram } from '../../support/go-program.ts';

const CACHE = cacheOf('bench');

/** What is built: a package in or below the module in a folder. */
interface GoPeer {
  readonly name: string;
  readonly module: URL;
  readonly package: string;
}

/**
 * Returns its path; undefined where there is neither a built one nor Go. `log` gets a line for a build: minutes, the
 * first time.
 */
export function goPeer(peer: GoPeer, log: (line: string) => void): string | undefined {
  const program = join(CACHE, `${peer.name}-${fingerprint(peer)}`);
  if (isProgram(program)) return program;
  const go = goProgram();
  if (go === undefined) return undefined;
  log(`building ${peer.name} into ${CACHE} (minutes, the first time)`);
  build(go, peer, program);
  return program;
}

function fingerprint({ module }: GoPeer): string {
  const hash = createHash('sha256');
  const folder = fileURLToPath(module);
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Aside, and renamed: whoever looks in the cache sees a whole program only. */
function build(go: string, peer: GoPeer, program: string): void {
  mkdirSync(CACHE, { recursive: true });
  const aside = mkdtempSync(`${program}.building-`);
  try {
    const out = join(aside, peer.name);
    execFileSync(go, ['build', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', out, peer.package], {
      cwd: fileURLToPath(peer.module),
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(out, program);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

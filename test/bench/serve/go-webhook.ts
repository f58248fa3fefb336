/** The Go webhook: found in the cache, or built there with Go, once for each state of its sources. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheOf, goProgram, isProgram } from '../../go-program.ts';

const MODULE = fileURLToPath(new URL('./webhook-go/', import.meta.url));
const CACHE = cacheOf('bench');

/** Its path; undefined where there is neither a built one nor Go. `log` gets a line for a build: two minutes, the first time. */
export function goWebhook(log: (line: string) => void): string | undefined {
  const program = join(CACHE, `webhook-${fingerprint()}`);
  if (isProgram(program)) return program;
  const go = goProgram();
  if (go === undefined) return undefined;
  log(`building the Go webhook into ${CACHE} (minutes, the first time)`);
  build(go, program);
  return program;
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(MODULE).sort()) hash.update(name).update(readFileSync(join(MODULE, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Aside, and renamed: whoever looks in the cache sees a whole program only. */
function build(go: string, program: string): void {
  mkdirSync(CACHE, { recursive: true });
  const aside = mkdtempSync(`${program}.building-`);
  try {
    const out = join(aside, 'webhook');
    execFileSync(go, ['build', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', out, '.'], {
      cwd: MODULE,
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(out, program);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

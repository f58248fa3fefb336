/** The Go webhook: found in the cache, or built there with Go, once for each state of its sources. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('./webhook-go/', import.meta.url));

/** Its path; undefined where there is neither a built one nor Go. `tell` hears of a build: two minutes, the first time. */
export function goWebhook(tell: (line: string) => void): string | undefined {
  const program = join(cacheFolder(), `webhook-${fingerprint()}`);
  if (isProgram(program)) return program;
  const go = goProgram();
  if (go === undefined) return undefined;
  tell(`building the Go webhook into ${cacheFolder()} (minutes, the first time)`);
  build(go, program);
  return program;
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'muster', 'bench');
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(MODULE).sort()) hash.update(name).update(readFileSync(join(MODULE, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Go's own installer leaves it to the user to put its folder on PATH. */
function goProgram(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin'];
  return folders.map((folder) => join(folder, 'go')).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Aside, and renamed: whoever looks in the cache sees a whole program only. */
function build(go: string, program: string): void {
  mkdirSync(cacheFolder(), { recursive: true });
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

/** Builds a program from a Go module into the cache. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { goProgram } from '../../go-program.ts';

export interface GoBuild {
  /** The folder of the module's `go.mod`. */
  readonly module: string;
  /** What is built, such as `helm.sh/helm/v4/cmd/helm`. */
  readonly package: string;
  /** Default: without symbols. */
  readonly linkerFlags?: string;
  /** Where the program goes, under this name. */
  readonly folder: string;
  readonly name: string;
}

/**
 * Builds into a folder beside the cache and renames the result: other processes see whole programs only.
 * @throws Error with the end of what the compiler printed
 */
export async function buildGo({ module, linkerFlags = '-s -w', folder, name, ...build }: GoBuild): Promise<void> {
  await mkdir(folder, { recursive: true });
  const aside = await mkdtemp(`${folder}.building-`);
  try {
    const out = join(aside, name);
    const args = ['build', '-trimpath', '-buildvcs=false', '-ldflags', linkerFlags, '-o', out, build.package];
    await go(args, module);
    await rename(out, join(folder, name));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

function go(args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(goProgram() ?? 'go', args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4000);
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`go ${args[0]} failed: ${printed}`))));
  });
}

/**
 * `npm run build:binary -- FOLDER`: writes `kube-muster-PLATFORM-ARCH`, one file with Node and the command (a single
 * executable application), for the current platform. Any other platform needs its own Node, so a release
 * builds each on a machine of its kind.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
// @ts-expect-error It has no types.
import { inject } from 'postject';
import { commandOptions } from './bundle.ts';

/** Node's documentation of single executable applications names both. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Returns the name of the binary for a platform and an architecture as Node names them. */
function binaryName(platform: string = process.platform, arch: string = process.arch): string {
  return `kube-muster-${platform}-${arch}${platform === 'win32' ? '.exe' : ''}`;
}

/**
 * Writes the binary into a folder and returns its path. Throws where the sources do not build or a tool of the platform
 * fails.
 */
async function buildBinary(folder: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'muster-binary-'));
  try {
    // The embedded main script has to be CommonJS.
    await build({ ...commandOptions(), format: 'cjs', outfile: join(work, 'main.cjs') });
    // Paths are part of the file, so they are relative. No code cache, which would depend on the machine that builds.
    const settings = { main: 'main.cjs', output: 'blob', disableExperimentalSEAWarning: true };
    writeFileSync(join(work, 'settings.json'), JSON.stringify(settings));
    execFileSync(process.execPath, ['--experimental-sea-config', 'settings.json'], { cwd: work, stdio: 'pipe' });
    mkdirSync(folder, { recursive: true });
    const binary = join(folder, binaryName());
    copyFileSync(process.execPath, binary);
    chmodSync(binary, 0o755);
    const isApple = process.platform === 'darwin';
    // A changed Mach-O file has to be signed again, or macOS does not run it.
    if (isApple) execFileSync('codesign', ['--remove-signature', binary]);
    await inject(binary, RESOURCE, readFileSync(join(work, 'blob')), {
      sentinelFuse: FUSE,
      machoSegmentName: 'NODE_SEA',
    });
    if (isApple) execFileSync('codesign', ['--sign', '-', binary]);
    return binary;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await buildBinary(process.argv[2] ?? 'release'));
}

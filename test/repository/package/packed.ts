/**
 * The package as `npm pack` makes it of this checkout, and another project that has it installed. No network is used.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../../support/folder.ts';

export interface Packed {
  /** A folder of its own. */
  readonly folder: string;
  readonly tarball: string;
  /** `size` in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Bytes. */
  readonly unpackedSize: number;
}

const run = promisify(execFile);
const SOURCES = ['src', 'tools/generate', 'manifests', 'package.json', 'tsconfig.json'];
const TEXTS = ['README.md', 'CHANGELOG.md', 'LICENSE'];

/**
 * Packs a copy of the sources, by the package's own scripts, so that no one else's `dist/` is touched. Takes some
 * seconds.
 */
export async function pack(): Promise<Packed> {
  const folder = newFolder().path;
  const sources = join(folder, 'sources');
  for (const name of [...SOURCES, ...TEXTS]) cpSync(name, join(sources, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(sources, 'node_modules'));
  const { stdout } = await npm(sources, ['pack', '--json', '--pack-destination', folder]);
  // What the build prints stands before it.
  const [about] = JSON.parse(stdout.slice(stdout.search(/^\[$/m)));
  const { filename, files, unpackedSize } = about;
  return { folder, tarball: join(folder, filename), files, unpackedSize };
}

/** Makes a project in `folder` that has the package installed, and nothing else: npm is offline. */
export async function install({ tarball }: Packed, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const about = { name: 'another', version: '1.0.0', private: true, type: 'module' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  await npm(folder, ['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund']);
}

/** Runs a program of the checkout, or an installed one, with this Node. Resolves whatever its exit code. */
export async function runNode(folder: string, args: readonly string[]): Promise<{ code: number; out: string }> {
  try {
    const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout + stderr };
  }
}

/**
 * By this Node, whatever the machine has: its folder comes first in the path. Its cache is empty, so nothing comes from
 * there.
 */
function npm(cwd: string, args: readonly string[]): Promise<{ stdout: string }> {
  const path = `${dirname(process.execPath)}:${resolve('node_modules/.bin')}:${process.env['PATH']}`;
  return run('npm', args, {
    cwd,
    env: { ...process.env, PATH: path, npm_config_cache: join(cwd, '.npm-cache') },
    maxBuffer: 16_777_216,
  });
}

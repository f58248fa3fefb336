/**
 * `node bundle.ts FOLDER`, a step of the build: bundles the command and the library, with the packages that they use,
 * so that the published package has no dependencies, and starts in a third of the time that the sources take.
 * Identifiers keep their names for stack traces.
 */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

// esbuild ends with the build, so its garbage needs no collecting: a quarter less processor time.
process.env['GOGC'] ??= 'off';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** fastify requires these at the first route with a schema and at the first `inject`; `serve` has neither. */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'];

/**
 * The same code of the package `yaml` as ES modules. Its code for Node reads an environment variable for each token,
 * which takes a tenth of its time.
 */
const YAML = './node_modules/yaml/browser/index.js';

interface Bundled {
  /** The packages whose code is in the command, by path. */
  readonly packages: readonly BundledPackage[];
  /** The names of the packages that our sources import. */
  readonly imported: readonly string[];
}

interface BundledPackage {
  /** From the root of the checkout: `node_modules/fastify`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
}

/**
 * Writes the bundle into a folder (default: writes nothing) and returns what it contains. Throws where the sources do
 * not build.
 */
export async function bundle(folder?: string): Promise<Bundled> {
  const output: BuildOptions & { metafile: true } = {
    outdir: folder ?? 'dist',
    outbase: 'src',
    write: folder !== undefined,
    metafile: true,
    format: 'esm',
  };
  const command = await build({
    ...commandOptions(),
    ...output,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    // CommonJS packages call `require` for modules of Node.
    banner: { js: `import { createRequire } from 'node:module';const require = createRequire(import.meta.url);` },
  });
  // The library by itself, for no platform: the build fails if it imports a module of Node.
  await build({ ...common(), ...output, entryPoints: ['src/index.ts'], platform: 'neutral' });
  const packages = packagesIn(command.metafile);
  if (folder !== undefined) {
    chmodSync(join(folder, 'cli', 'main.js'), 0o755);
    writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), notices(packages));
  }
  return { packages, imported: importedBySources(command.metafile) };
}

/** Returns the options of every bundle of the command, without format and output. */
export function commandOptions(): BuildOptions {
  return {
    ...common(),
    entryPoints: ['src/cli/main.ts'],
    platform: 'node',
    external: UNUSED,
    alias: { yaml: YAML },
  };
}

function common(): BuildOptions {
  return {
    absWorkingDir: CHECKOUT,
    bundle: true,
    target: 'node22.19',
    charset: 'utf8',
    legalComments: 'none',
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    logLevel: 'warning',
    plugins: [withoutSideEffects],
  };
}

/**
 * client-node does not declare that its modules only define classes. Without this, every kind of the API is loaded: 10
 * MB. Paths are joined here, since esbuild takes 5 ms to resolve one for a plugin, and there are 2,000.
 */
const withoutSideEffects: Plugin = {
  name: 'without-side-effects',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir }) => {
      if (!importer.includes('/node_modules/@kubernetes/client-node/')) return undefined;
      return { path: join(resolveDir, path), sideEffects: false };
    });
  },
};

function packagesIn({ outputs }: Metafile): readonly BundledPackage[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  // From the first `node_modules` on: what lies before it differs where that folder is a link.
  const paths = used.flatMap((path) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(paths)].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(CHECKOUT, path, 'package.json'), 'utf8'));
    return { path, name, version, license: typeof license === 'string' ? license : 'unknown' };
  });
}

function importedBySources({ inputs }: Metafile): readonly string[] {
  const sources = Object.entries(inputs).filter(([path]) => path.startsWith('src/'));
  const specifiers = sources.flatMap(([, { imports }]) => imports.map(({ original }) => original ?? ''));
  const names = specifiers.map((specifier) => /^(?:@[^/]+\/)?[^./:]+(?=\/|$)/.exec(specifier)?.[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '').sort();
}

/** The license texts and notices of these packages. */
function notices(packages: readonly BundledPackage[]): string {
  const sections = packages.map(({ path, name, version, license }) => {
    const folder = join(CHECKOUT, path);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${text || 'The package contains no license text.'}\n`;
  });
  return `muster contains code of the following packages.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? 'dist');
  rmSync(folder, { recursive: true, force: true });
  await bundle(folder);
}

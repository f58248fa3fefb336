/**
 * `node bundle.ts FOLDER`, a step of the build: bundles the command and the library, with the packages that they use, so that the published package has
 * no dependencies. `serve` starts in 1.1 times what a plain fastify server takes; unbundled it takes 1.5 times. Identifiers keep their names for stack traces.
 */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** fastify requires these at the first route with a schema and at the first `inject`; `serve` has neither. */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'];

/** client-node does not declare that its modules only define classes. Without this, every kind of the API is loaded: 10 MB. */
const withoutSideEffects: Plugin = {
  name: 'without-side-effects',
  setup({ onResolve, resolve: resolvePath }) {
    onResolve({ filter: /^(\.|@kubernetes\/client-node$)/ }, async ({ path, pluginData, ...request }) => {
      const isClientNode = `${request.importer} ${path}`.includes('@kubernetes/client-node');
      if (pluginData === 'resolving' || !isClientNode) return undefined;
      const { importer, resolveDir, kind } = request;
      const resolved = await resolvePath(path, { importer, resolveDir, kind, pluginData: 'resolving' });
      return { ...resolved, sideEffects: false };
    });
  },
};

const folder = resolve(process.argv[2] ?? 'dist');
const common: BuildOptions & { metafile: true } = {
  absWorkingDir: CHECKOUT,
  outdir: folder,
  outbase: 'src',
  metafile: true,
  bundle: true,
  format: 'esm',
  target: 'node22.19',
  charset: 'utf8',
  legalComments: 'none',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  logLevel: 'warning',
  plugins: [withoutSideEffects],
};

rmSync(folder, { recursive: true, force: true });
const command = await build({
  ...common,
  entryPoints: ['src/cli/main.ts'],
  // Two folders deep, as the sources are: version.ts finds package.json from there.
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  platform: 'node',
  external: UNUSED,
  // CommonJS packages call `require` for modules of Node.
  banner: { js: `import { createRequire } from 'node:module';const require = createRequire(import.meta.url);` },
});
// By itself and for no platform: an import of Node's modules or of a package that needs them fails the build.
await build({ ...common, entryPoints: ['src/index.ts'], platform: 'neutral' });
chmodSync(join(folder, 'cli', 'main.js'), 0o755);
writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), notices(packagesIn(command.metafile)));

/** The paths of the packages whose code is in the bundle, such as `node_modules/fastify`. */
function packagesIn({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  return [...new Set(used.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort();
}

/** The license texts and notices of these packages. */
function notices(packages: readonly string[]): string {
  const sections = packages.map((path) => {
    const root = join(CHECKOUT, path);
    const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const files = readdirSync(root).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const text = files.map((file) => readFileSync(join(root, file), 'utf8').trim()).join('\n\n');
    const spdx = typeof license === 'string' ? license : 'unknown';
    return `${name} ${version} (${spdx})\n\n${text || 'The package contains no license text.'}\n`;
  });
  return `muster contains code of the following packages.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

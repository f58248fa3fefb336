/**
 * `npm run lockfile`, after a dependency was added or updated: gives the lockfile an entry for every platform's build of a package.
 * npm leaves out the builds that a registry does not hold, and then refuses its own lockfile ("Missing: … from lock file"). An
 * entry with its platform is enough: npm skips it everywhere else.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const OS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/** The builds that some package names and the lockfile lacks: `[path in the lockfile, entry]`. Throws where a name tells no platform. */
export function missingBuilds({ packages }) {
  const held = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const missing = Object.values(packages).flatMap(({ optionalDependencies, dev }) =>
    Object.entries(optionalDependencies ?? {})
      .filter(([name]) => !held.has(name))
      .map(([name, version]) => [
        `node_modules/${name}`,
        { version, ...platformOf(name), ...(dev && { dev }), optional: true },
      ]),
  );
  return [...new Map(missing)];
}

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = OS.find((word) => words.includes(word));
  const cpu = CPU.find((word) => words.includes(word));
  if (!os || !cpu)
    throw new Error(`${name} is missing from package-lock.json, and its name tells no platform: add it by hand`);
  if (os !== 'linux') return { cpu: [cpu], os: [os] };
  return { cpu: [cpu], libc: [words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc'], os: [os] };
}

function complete(file) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const builds = missingBuilds(lock);
  const all = Object.entries(lock.packages).concat(builds);
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`package-lock.json: ${builds.length} builds for other platforms added\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) complete('package-lock.json');

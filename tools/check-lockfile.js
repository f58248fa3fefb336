/**
 * A step of `npm run lockfile`, after a dependency was added or updated. Fails if `npm ci` could install packages
 * without a hash in package-lock.json on some platform: npm leaves out platform builds that the registry does not have.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Returns one sentence for each package that is missing, has no SHA-512 hash, or names an address. */
export function lockfileProblems({ packages }) {
  const installed = Object.entries(packages).filter(([path, { inBundle }]) => path && !inBundle);
  const held = new Set(installed.map(([path]) => nameOf(path)));
  const missing = installed.flatMap(([, { optionalDependencies }]) =>
    Object.entries(optionalDependencies ?? {})
      .filter(([name]) => !held.has(name))
      .map(([name, version]) => `${name} ${version} is missing: ${PIN}`),
  );
  return [...new Set(missing), ...installed.flatMap(entryProblems)];
}

const PIN = 'the registry does not hold this build; pin a version of its package whose builds it all holds';

function entryProblems([path, { version, integrity, resolved }]) {
  const name = `${nameOf(path)} ${version}`;
  return [
    ...(/^sha512-/.test(integrity ?? '') ? [] : [`${name} has no SHA-512 integrity: ${PIN}`]),
    ...(resolved ? [`${name} names an address (resolved): run npm run lockfile, which omits it`] : []),
  ];
}

const nameOf = (path) => path.split('node_modules/').at(-1);

function check(file) {
  const problems = lockfileProblems(JSON.parse(readFileSync(file, 'utf8')));
  for (const problem of problems) process.stderr.write(`${file}: ${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) check(process.argv[2] ?? 'package-lock.json');

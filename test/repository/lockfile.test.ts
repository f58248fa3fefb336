import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error A tool in plain JavaScript, without types.
import { lockfileProblems } from '../../tools/check-lockfile.js';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test.each(['package-lock.json', 'tools/integrations/runtime/package-lock.json'])(
  '%s holds every build that a package names, each by its hash, and no address',
  (file) => {
    expect(lockfileProblems(read(file))).toEqual([]);
  },
);

describe('what the action and the pre-commit hook install', () => {
  const { dependencies } = read('tools/integrations/runtime/package.json');
  const { packages } = read('tools/integrations/runtime/package-lock.json');

  test('is the packages that check loads, in the versions of this checkout, and what these need', () => {
    const { devDependencies } = read('package.json');
    expect(packages[''].dependencies).toEqual(dependencies);
    for (const [name, version] of Object.entries(dependencies)) expect(devDependencies[name]).toBe(version);
  });

  test('is at most 30 packages and 60 MB', () => {
    const paths = Object.keys(packages).filter((path) => path !== '');
    expect(paths.length).toBeLessThanOrEqual(30);
    const sizes = paths.map((path) => sizeOf(path));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60e6);
  });
});

/** The bytes of the files below a folder. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe('a lockfile is refused', () => {
  const whole = { version: '1.2.3', integrity: 'sha512-AAAA' };
  const { integrity: _, ...withoutHash } = whole;

  test.each([
    ['for a package of development without a hash', { 'node_modules/a': { ...withoutHash, dev: true } }, 'a 1.2.3'],
    ['for a build of another platform without a hash', { 'node_modules/a': { ...withoutHash, optional: true } }, 'a 1'],
    ['for a hash that is weaker than SHA-512', { 'node_modules/a': { ...whole, integrity: 'sha1-AAAA' } }, 'a 1.2.3'],
    [
      'for a build that it lacks',
      { 'node_modules/a': { ...whole, optionalDependencies: { '@a/darwin-x64': '1.2.3' } } },
      '@a/darwin-x64 1.2.3',
    ],
    ['for an address', { 'node_modules/a': { ...whole, resolved: 'https://127.0.0.1/a.tgz' } }, 'a 1.2.3'],
  ])('%s', (_name, packages, named) => {
    expect(lockfileProblems({ packages: { '': {}, ...packages } })).toEqual([expect.stringContaining(named)]);
  });

  test('but not for packages that a package brings within itself, whose hash is that of the outer one', () => {
    const packages = { '': {}, 'node_modules/a': whole, 'node_modules/a/node_modules/b': { inBundle: true } };
    expect(lockfileProblems({ packages })).toEqual([]);
  });
});

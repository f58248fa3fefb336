import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error A tool in plain JavaScript, without types.
import { lockfileProblems } from '../tools/check-lockfile.js';

test('package-lock.json holds every build that a package names, each by its hash, and no address', () => {
  expect(lockfileProblems(JSON.parse(readFileSync('package-lock.json', 'utf8')))).toEqual([]);
});

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

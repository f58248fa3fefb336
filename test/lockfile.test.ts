import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
// @ts-expect-error A tool in plain JavaScript, without types.
import { missingBuilds } from '../tools/complete-lockfile.js';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('the lockfile has every build that a package names; if one is missing, run npm run lockfile', () => {
  expect(missingBuilds(read('package-lock.json')).map(([path]: [string]) => path)).toEqual([]);
});

test('the lockfile names no host', () => {
  expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved"/);
});

test('a build that is missing is told with its platform', () => {
  const packages = {
    '': {},
    'node_modules/a': {
      dev: true,
      optionalDependencies: { '@a/b-linux-arm64-musl': '1.2.3', '@a/b-win32-x64': '1.2.3' },
    },
  };
  expect(missingBuilds({ packages })).toEqual([
    [
      'node_modules/@a/b-linux-arm64-musl',
      { version: '1.2.3', cpu: ['arm64'], libc: ['musl'], os: ['linux'], dev: true, optional: true },
    ],
    ['node_modules/@a/b-win32-x64', { version: '1.2.3', cpu: ['x64'], os: ['win32'], dev: true, optional: true }],
  ]);
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const { bin, version } = JSON.parse(readFileSync('package.json', 'utf8'));

test('the built command runs by its name, as npx calls it; if it does not, run npm run build', () => {
  expect(execFileSync(`./${bin.muster}`, ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
});

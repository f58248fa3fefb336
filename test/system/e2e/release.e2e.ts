/**
 * A release as far as it goes without a registry: `npm run release:rehearse`, which builds in copies of the checkout.
 */
import { expect, test } from '@jest/globals';
import { runProgram } from './harness/index.ts';

test('two builds have the same bytes; package, chart and binary work; a changed artifact is refused; a signature of the checksums verifies', async () => {
  const { code, stdout, stderr } = await runProgram(process.execPath, ['tools/release/rehearse.js'], '', process.env);
  expect(code === 0 ? '' : stderr).toBe('');
  const steps = [...stdout.matchAll(/^(.+?) \([\d.]+ s\): /gm)].map(([, step]) => step);
  expect(steps).toEqual([
    'build in a',
    'build in b',
    'the same bytes from two builds',
    'the package, installed in an empty project',
    'the binary',
    'the chart',
    'archives and checksums',
    'a changed artifact is refused',
    'the archived binary',
    'a signature of the checksums',
  ]);
  expect(stdout.match(/^[0-9a-f]{64} {2}kube-muster-/gm)).toHaveLength(4);
});

/** The room for young objects of a server stays small; that of a process that does not see to it does not. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const sizeOf = (how: string) =>
  Number(execFileSync(process.execPath, ['test/cli/serve/young-growth.ts', how], { encoding: 'utf8' }));

test('it stops growing once it is large enough', () => {
  // It is looked at every so often, and may have doubled meanwhile.
  expect(sizeOf('kept')).toBeLessThanOrEqual(64);
  expect(sizeOf('free')).toBeGreaterThan(64);
}, 60_000);

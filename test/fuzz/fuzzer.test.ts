/** The fuzzer finds a fault behind nested conditions, which chance alone does not. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function planted(...more: string[]): Promise<{ code: number | undefined; stderr: string }> {
  const args = [MAIN, '--target', 'planted', '--runs', '50000', ...more];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_, __, stderr) =>
      resolve({ code: child.exitCode ?? undefined, stderr }),
    );
  });
}

test('it finds the planted fault, keeps the input, and exits with 1; the input alone breaks it again', async () => {
  const { code, stderr } = await planted();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('broken: Error: the planted fault') });
  const file = /--input (\S+)/.exec(stderr)?.[1] ?? '';
  expect(await planted('--input', file)).toEqual({ code: 1, stderr: expect.stringContaining('the planted fault') });
}, 60_000);

test('the same seed walks the same way', async () => {
  const [one, two] = await Promise.all([planted('--seed', '3'), planted('--seed', '3')]);
  const input = (stderr: string) => /--input (\S+)/.exec(stderr)?.[1];
  expect(input(one.stderr)).toBeDefined();
  expect(input(one.stderr)).toBe(input(two.stderr));
}, 60_000);

test('without coverage as its guide it finds nothing in as many executions', async () => {
  expect(await planted('--blind')).toEqual({ code: 0, stderr: expect.stringContaining('broken 0') });
}, 60_000);

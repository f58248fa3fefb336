/** `muster scan --state`, and the command as a whole. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { runScan } from '../../../src/cli/scan/run.ts';
import { claim, cluster, type Folder, NOW, newFolder, yaml } from '../world.ts';

// A process takes a quarter of a second; on a busy machine many times that.
jest.setTimeout(30_000);
const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
let folder: Folder;

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

const scan = (state: readonly string[], failOnNoMatch = false) =>
  runScan({
    source: { state, stdin: async () => Buffer.from(yaml(claim('id.k8s.io', 'B'))) },
    clock: () => NOW,
    failOnNoMatch,
  });

function muster(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: folder.path };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'scan', ...args], {
    env,
    encoding: 'utf8',
    cwd: folder.path,
  });
  return { status, stdout, stderr };
}

describe('files', () => {
  test('results are in the order of the input, findings at their line', async () => {
    const file = folder.put(
      'order.yaml',
      `${yaml(cluster('a'), claim('mine.k8s.io', 'x'))}${yaml(claim('id.k8s.io', 'A'))}`,
    );
    const { report } = await scan([file]);
    expect(report.results.map(({ name, line }) => [name, line])).toEqual([
      ['a', 2],
      ['mine.k8s.io', 4],
      ['id.k8s.io', 6],
    ]);
    const [clean, , bad] = report.results;
    expect(bad?.findings).toMatchObject([{ ruleId: 'claim/id-syntax', line: 6, column: expect.any(Number) }]);
    expect(bad?.sourceLine?.(6)).toContain('id.k8s.io');
    expect(clean?.sourceLine).toBeUndefined();
  });

  test('several files are one cluster', async () => {
    const set = folder.put('world/set.yaml', yaml(claim('clusterset.k8s.io', 'fleet')));
    expect((await scan([set])).report.summary.denied).toBe(1);
    folder.put('world/id.yaml', yaml(claim('id.k8s.io', 'a')));
    expect((await scan([`${folder.path}/world`])).report.summary).toMatchObject({ denied: 0, allowed: 2 });
  });

  test('what cannot be read is an error, and a missing object may then exist', async () => {
    const file = folder.put('broken.yaml', `${yaml(claim('clusterset.k8s.io', 'fleet'))}---\n{ not: [closed\n`);
    const { report } = await scan([file, `${folder.path}/nothing.yaml`]);
    expect(report.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('no such file'),
      expect.stringContaining(''),
    ]);
    expect(report.results).toMatchObject([{ outcome: 'indeterminate' }]);
  });

  test('objects that cannot have been stored are errors, other kinds are counted', async () => {
    const nameless = { ...claim('', 'x'), metadata: { generateName: 'a-' } };
    const odd = { ...claim('', 'x'), metadata: { name: 7 } };
    const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const { report } = await scan([folder.put('odd.yaml', yaml(nameless, odd, other))]);
    expect(report.errors.map(({ line, message }) => [line, message])).toEqual([
      [2, expect.stringContaining('no metadata.name; a stored object has one')],
      [4, expect.stringContaining('metadata.name must be a text, got number')],
    ]);
    expect(report.summary).toMatchObject({ judged: 0, skipped: 1 });
  });

  test('standard input is scanned; without an object --fail-on-no-match fails', async () => {
    expect((await scan(['-'])).report.results).toMatchObject([{ file: '<stdin>', outcome: 'denied' }]);
    const empty = folder.put('empty.yaml', '');
    expect((await scan([empty])).report.errors).toEqual([]);
    expect((await scan([empty], true)).report.errors).toMatchObject([
      { message: expect.stringContaining('--fail-on-no-match') },
    ]);
  });
});

describe('the command', () => {
  test('exits with 0, 1 or 2', () => {
    const bad = folder.put('bad.yaml', yaml(claim('mine.k8s.io', 'x')));
    const warned = folder.put('warned.yaml', yaml(cluster('a', { status: { version: { kubernetes: 'x' } } })));
    expect(muster('--state', bad).status).toBe(1);
    expect(muster('--state', warned).status).toBe(0);
    expect(muster('--state', warned, '--fail-on', 'warning').status).toBe(1);
    expect(muster('--state', 'nowhere.yaml')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('nowhere.yaml'),
    });
    expect(muster()).toMatchObject({
      status: 2,
      stderr: 'error: nothing to scan: give --live for a cluster, or --state PATH\n',
    });
    expect(muster('--live', '--page-size', '0').status).toBe(2);
    expect(muster('--live')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: no kubeconfig: .+\n$/),
    });
  });

  test('writes every format, several at once', () => {
    const bad = folder.put('outputs.yaml', yaml(claim('mine.k8s.io', 'x')));
    const { status, stdout } = muster(
      '--state',
      bad,
      '-o',
      'json=r.json',
      '-o',
      'junit=r.xml',
      '-o',
      'sarif=r.sarif',
      '-o',
      'github',
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error .*file=outputs\.yaml,line=2,/);
    expect(JSON.parse(readFileSync(`${folder.path}/r.json`, 'utf8'))).toMatchObject({
      kind: 'CheckReport',
      results: [{ operation: 'SCAN', findings: [{ ruleId: 'claim/reserved-name' }] }],
    });
    expect(readFileSync(`${folder.path}/r.xml`, 'utf8')).toContain('name="muster scan"');
    expect(JSON.parse(readFileSync(`${folder.path}/r.sarif`, 'utf8')).runs[0].results).toHaveLength(1);
  });
});

/** `muster test`: what a shell and a script see. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { claim, yaml } from '../../../support/command-line.ts';
import { HEAD } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';

const folder = newFolder();

const suite = (expected: string) => `apiVersion: muster/v1alpha1
kind: MusterTest
tests:
  - name: an id of the fleet
    check: ../manifests/id.yaml
    expect: ${expected}
`;

beforeEach(() => {
  folder.put('manifests/id.yaml', yaml(claim('id.k8s.io', 'pier-7')));
  folder.put('good/a.muster-test.yaml', suite('allowed'));
  folder.put('bad/a.muster-test.yaml', suite('denied'));
  folder.put('none/readme.yaml', 'a: 1\n');
});

const run = (args: readonly string[]) => musterHere(['test', ...args], { cwd: folder.path });

describe('exit codes', () => {
  test('0: all passed', async () => {
    expect(await run(['good'])).toEqual({ code: 0, out: '1 test in 1 file: 1 passed, 0 failed; 0 errors\n', err: '' });
  });

  test('1: some failed; without a path the current folder is searched', async () => {
    const { code, out, err } = await run([]);
    expect([code, err]).toEqual([1, '']);
    expect(out).toBe(
      'bad/a.muster-test.yaml:6:13: FAIL "an id of the fleet": verdict: expected denied, got allowed\n2 tests in 2 files: 1 passed, 1 failed; 0 errors\n',
    );
  });

  test('the summary goes to standard error where no text goes to standard output', async () => {
    const summary = '1 test in 1 file: 0 passed, 1 failed; 0 errors\n';
    expect(await run(['bad', '-o', 'junit=summary.xml'])).toEqual({ code: 1, out: '', err: summary });
    const json = await run(['bad', '-o', 'json']);
    expect([json.code, json.err, JSON.parse(json.out).summary.failed]).toEqual([1, summary, 1]);
    expect((await run(['bad', '-o', 'text', '-o', 'junit=summary.xml'])).err).toBe('');
  });

  test.each<[string, string[], string]>([
    ['no suite there', ['none'], 'none:1:1: error: no suite here: suites are files named *.muster-test.yaml;'],
    ['no such path', ['nowhere'], "nowhere:1:1: error: can't read it: no such file or folder"],
    ['no such test', ['good', '--filter', 'zzz'], 'good/a.muster-test.yaml:1:1: error: no test has "zzz" in its name'],
    ['a file that is none', ['manifests/id.yaml'], 'manifests/id.yaml:2:'],
    ['an unknown output', ['good', '-o', 'sarif'], 'error: unknown --output "sarif": use text, json or junit'],
    ['standard input', ['-'], 'error: a suite is read from a file'],
    ['no configuration', ['good', '--config', 'no.yaml'], 'error: no.yaml: cannot be read: no such file or folder'],
    ['a name of no suite', ['--record', 'a.yaml', 'manifests'], 'error: --record a.yaml: the file of a suite is named'],
    ['nothing to record', ['--record', '-'], 'error: nothing to record: name manifests'],
    ['nothing of ours', ['--record', '-', 'none'], 'error: nothing to record: no object is of a kind'],
  ])('2: %s', async (_, args, message) => {
    const { code, err } = await run(args);
    expect(code).toBe(2);
    expect(err.startsWith(message)).toBe(true);
    expect(err).not.toContain('a bug in muster');
  });

  test('2 takes precedence over 1, and the other suites are run', async () => {
    folder.put('mixed/a.muster-test.yaml', suite('denied'));
    folder.put('mixed/b.muster-test.yaml', suite('refused'));
    const { code, out, err } = await run(['mixed']);
    expect([code, out.split('\n').at(-2)]).toEqual([2, '1 test in 2 files: 0 passed, 1 failed; 1 error']);
    expect(err).toBe(
      'mixed/b.muster-test.yaml:6:13: error: tests[0].expect: expected a verdict (allowed, denied or indeterminate), a map, or a list of writes, found "refused"\n',
    );
  });
});

test('--config applies to suites without a configuration', async () => {
  const off = folder.put('off.yaml', `${HEAD}mode: warn\n`);
  const one = (head: string) =>
    `${suite('{ verdict: denied }').replace('tests:', `${head}tests:`)}    subresource: none\n`.replace(
      '../manifests/id.yaml',
      '../manifests/wrong.yaml',
    );
  folder.put('manifests/wrong.yaml', yaml(claim('id.k8s.io', 'A_B')));
  folder.put('configured/a.muster-test.yaml', one(''));
  folder.put('configured/b.muster-test.yaml', one('config: { mode: enforce }\n'));
  expect((await run(['configured'])).code).toBe(0);
  expect((await run(['configured', '--config', off])).out).toMatch(
    /^configured\/a\S+ FAIL [^\n]+ got allowed\n[^\n]+\n2 tests in 2 files: 1 passed, 1 failed/,
  );
});

test('--filter counts the tests that it leaves out, and a configuration in a suite may cause a warning', async () => {
  const config = 'config: { rules: { inventory/known-manager: deny } }\n';
  const other = suite('denied').split('tests:\n')[1]?.replace('of the fleet', 'elsewhere');
  folder.put('two/a.muster-test.yaml', `${suite('allowed').replace('tests:', `${config}tests:`)}${other}`);
  const { code, out, err } = await run(['two', '--filter', 'FLEET']);
  expect([code, out]).toEqual([0, '1 test in 1 file: 1 passed, 0 failed; 1 skipped, 0 errors\n']);
  expect(err).toMatch(/^warning: two\/a\.muster-test\.yaml:\d+:\d+: .*inventory\/known-manager.*\n$/);
});

test('-o json and -o junit, to files and to standard output', async () => {
  const { code, out } = await run(['bad', 'good', '-o', 'json', '-o', 'junit=results.xml']);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    apiVersion: 'muster/v1alpha1',
    kind: 'TestReport',
    summary: { suites: 2, tests: 2, passed: 1, failed: 1, skipped: 0, errors: 0 },
    results: [
      expect.objectContaining({
        file: 'bad/a.muster-test.yaml',
        line: 4,
        column: 5,
        name: 'an id of the fleet',
        outcome: 'failed',
        got: { verdict: 'allowed', rules: [], warnings: [], audits: [], message: '' },
        differences: [{ what: 'verdict', expected: 'denied', got: 'allowed', line: 6, column: 13 }],
      }),
      expect.objectContaining({ outcome: 'passed', differences: [] }),
    ],
    errors: [],
  });
  expect(readFileSync(`${folder.path}/results.xml`, 'utf8')).toContain('<failure type="verdict"');
});

describe('--record', () => {
  test('writes a suite that passes, and overwrites one only with --force', async () => {
    const file = 'recorded/a.muster-test.yaml';
    const source = 'manifests/id.yaml';
    folder.put('recorded/muster.yaml', HEAD);
    const args = ['--record', file, source, '--config', 'recorded/muster.yaml', '--as', 'jane'];
    expect(await run(args)).toEqual({ code: 0, out: '', err: `${file}: 1 write recorded\n` });
    const recorded = readFileSync(`${folder.path}/${file}`, 'utf8');
    expect(recorded).toContain('\nconfig: muster.yaml\n');
    expect((await run(['recorded'])).code).toBe(0);
    folder.put(file, 'mine\n');
    expect(await run(args)).toMatchObject({ code: 2, err: `error: ${file} exists already: --force overwrites it\n` });
    expect(readFileSync(`${folder.path}/${file}`, 'utf8')).toBe('mine\n');
    expect((await run([...args, '--force'])).code).toBe(0);
    expect((await run(['recorded'])).code).toBe(0);
  });

  test('the name of the suite begins no command of a CI system', async () => {
    const { err } = await run(['--record', '::error::a.muster-test.yaml', 'manifests/id.yaml']);
    expect(err).toBe('./::error::a.muster-test.yaml: 1 write recorded\n');
  });

  test('writes nothing if part of the input is broken', async () => {
    folder.put('broken/a.yaml', 'kind: ClusterClaim\napiVersion: multicluster.x-k8s.io/v1alpha1\na: [1\n');
    const { code, err } = await run(['--record', 'no.muster-test.yaml', 'broken', 'manifests']);
    expect([code, err.split('\n').at(-2)]).toEqual([2, 'nothing was recorded']);
    expect(existsSync(`${folder.path}/no.muster-test.yaml`)).toBe(false);
  });

  test('- prints it', async () => {
    const { code, out } = await run(['--record', '-', '--deleted', 'manifests/id.yaml']);
    expect([code, out.includes('operation: DELETE')]).toEqual([0, true]);
  });
});

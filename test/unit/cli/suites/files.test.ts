/** A suite of a stranger can make `muster test` read only regular files of its own repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { claim, muster, SMALL_STACK, yaml } from '../../../support/command-line.ts';
import { HEAD } from '../../../support/configuration.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';
import { runAt } from './rule-suites.ts';

/** What must be printed nowhere. */
const SECRET = 'precious';
const OUTSIDE = 'it is outside of ';

let outside: Folder;
let checkout: string;
beforeEach(() => {
  outside = newFolder();
  outside.put('secret.yaml', `${SECRET}: [\n`);
  outside.put('objects.yaml', yaml(claim(`${SECRET}.example.com`, 'x')));
  outside.put('folder/objects.yaml', yaml(claim(`${SECRET}.example.com`, 'x')));
  checkout = join(outside.path, 'checkout');
  for (const name of ['.git', 'suites', 'manifests']) mkdirSync(join(checkout, name), { recursive: true });
  writeFileSync(join(checkout, 'manifests/id.yaml'), yaml(claim('id.k8s.io', 'one')));
  writeFileSync(join(checkout, 'muster.yaml'), HEAD);
});

/** The exit code of `muster test`, and all that it prints. */
async function runCommand(args: readonly string[], cwd = checkout) {
  const { code, out, err } = await musterHere(['test', ...args], { cwd });
  return { code, out: out + err };
}

/** Runs suites of the checkout; returns the errors as lines. */
async function errorsOf(path: string): Promise<readonly string[]> {
  const { report } = await runAt(join(checkout, path));
  expect(report.summary.tests).toBe(0);
  expect(JSON.stringify(report)).not.toContain(SECRET);
  return report.errors.map(({ file, line, message }) => `${file?.slice(checkout.length + 1)}:${line}: ${message}`);
}

/** A suite that names one path. */
function suite(key: 'config' | 'check' | 'state', path: string): string {
  const test = { name: 'a', check: '../manifests/id.yaml', expect: 'allowed' };
  const named = key === 'state' ? { state: [path] } : { [key]: path };
  const [own, ofTest] = key === 'config' ? [named, {}] : [{}, named];
  return yaml({ apiVersion: 'muster/v1alpha1', kind: 'MusterTest', ...own, tests: [{ ...test, ...ofTest }] });
}

const put = (name: string, text: string) => writeFileSync(join(checkout, name), text);
const link = (target: string, name: string) => symlinkSync(join(outside.path, target), join(checkout, name));
const pipe = (name: string) => void execFileSync('mkfifo', [join(checkout, name)]);

describe('what lies outside, and what is no file', () => {
  const NO_FILE = 'it is a pipe, a socket or a device: name a regular file';
  type Row = readonly [string, 'config' | 'check' | 'state', string, string, (() => void)?];
  const zero = () => symlinkSync('/dev/zero', join(checkout, 'zero.yaml'));
  const linked = () => link('objects.yaml', 'manifests/x.yaml');
  const ROWS: readonly Row[] = [
    ['a configuration by its path', 'config', '../../secret.yaml', OUTSIDE],
    ['a configuration behind a link', 'config', '../link.yaml', OUTSIDE, () => link('secret.yaml', 'link.yaml')],
    ['a configuration that is a pipe', 'config', '../pipe.yaml', NO_FILE, () => pipe('pipe.yaml')],
    ['an object by its path', 'check', '../../objects.yaml', OUTSIDE],
    ['an object by a whole path', 'check', '/etc/hosts.yaml', OUTSIDE],
    ['an object behind a link', 'check', '../link.yaml', OUTSIDE, () => link('objects.yaml', 'link.yaml')],
    ['an object behind a folder that is a link', 'check', '../way/objects.yaml', OUTSIDE, () => link('folder', 'way')],
    ['an object in a pipe', 'check', '../pipe.yaml', NO_FILE, () => pipe('pipe.yaml')],
    ['an object in a device', 'check', '../zero.yaml', OUTSIDE, zero],
    ['a state of a folder', 'state', '../../folder/', OUTSIDE],
    ['a state of a folder that is a link', 'state', '../way/', OUTSIDE, () => link('folder', 'way')],
    [
      'a state of a folder with a link in it',
      'state',
      '../manifests/',
      'is a link that leads out of the repository',
      linked,
    ],
    ['a state of a folder with a pipe in it', 'state', '../manifests/', 'nor a folder', () => pipe('manifests/x.yaml')],
  ];
  test.each(ROWS.map((row) => [row[0], row] as const))('%s is refused', async (_, [, key, path, message, make]) => {
    make?.();
    put('suites/a.muster-test.yaml', suite(key, path));
    const [first] = await errorsOf('suites');
    expect(first).toMatch(/^suites\/a\.muster-test\.yaml:\d+: /);
    expect(first).toContain(message);
  });

  test.each([
    ['suites/link.muster-test.yaml', OUTSIDE],
    ['suites/pipe.muster-test.yaml', NO_FILE],
    ['suites', 'is a link that leads out of the named paths'],
  ])('the suite %s is refused', async (name, message) => {
    link('secret.yaml', 'suites/link.muster-test.yaml');
    pipe('suites/pipe.muster-test.yaml');
    expect((await errorsOf(name)).join('\n')).toContain(message);
  });
});

test('what lies inside is read: above the suite, by a whole path, behind a link', async () => {
  symlinkSync('manifests', join(checkout, 'way'));
  put('suites/a.muster-test.yaml', suite('config', '../muster.yaml'));
  put('suites/b.muster-test.yaml', suite('check', join(checkout, 'manifests/id.yaml')));
  put('suites/c.muster-test.yaml', suite('check', '../way/id.yaml'));
  put('suites/d.muster-test.yaml', suite('state', '../manifests/'));
  const { code, out } = await runCommand([join(checkout, 'suites')], '/');
  expect({ code, out }).toEqual({ code: 0, out: '4 tests in 4 files: 4 passed, 0 failed; 0 errors\n' });
});

test('without a repository, the current folder is the boundary; elsewhere the named one', async () => {
  outside.put('plain/manifests/id.yaml', yaml(claim('id.k8s.io', 'one')));
  outside.put('plain/suites/a.muster-test.yaml', suite('check', '../manifests/id.yaml'));
  const plain = join(outside.path, 'plain');
  expect((await runCommand(['suites'], plain)).code).toBe(0);
  expect((await runCommand([plain], checkout)).code).toBe(0);
  expect(await runCommand([join(plain, 'suites')], checkout)).toMatchObject({
    code: 2,
    out: expect.stringContaining(OUTSIDE),
  });
});
test('a recording does not name a configuration that the suite may not read', async () => {
  outside.put('muster.yaml', `${HEAD}mode: audit\n`);
  const recorded = await runCommand([
    '--record',
    'suites/a.muster-test.yaml',
    'manifests',
    '--config',
    '../muster.yaml',
  ]);
  expect(recorded).toEqual({ code: 0, out: expect.stringContaining('run it with --config ../muster.yaml') });
  expect((await runCommand(['suites', '--config', '../muster.yaml'])).code).toBe(0);
});

test('broken documents are as many errors, also if these are more than a call takes arguments', async () => {
  put('suites/broken.yaml', '---\na: [\n'.repeat(25_000));
  const { code, out } = await muster(['test', 'suites/broken.yaml'], { cwd: checkout, nodeArgs: [SMALL_STACK] });
  expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(/ 25000 errors\n$/) });
});

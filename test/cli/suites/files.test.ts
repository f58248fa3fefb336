/** A suite of a stranger can make `muster test` read only regular files of its own repository. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { claim, type Folder, newFolder, yaml } from '../world.ts';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
// A process takes a quarter of a second; on a busy machine many times that.
jest.setTimeout(60_000);
/** Milliseconds, against what never ends. */
const BOUND = 20_000;
/** What must be printed nowhere. */
const SECRET = 'precious';
const OUTSIDE = 'it lies outside of ';

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
  writeFileSync(join(checkout, 'muster.yaml'), 'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\n');
});
afterEach(() => outside.remove());

function muster(args: readonly string[], cwd = checkout) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'test', ...args], {
    cwd,
    encoding: 'utf8',
    timeout: BOUND,
    killSignal: 'SIGKILL',
  });
  return { code: status, out: `${stdout}${stderr}` };
}

/** A suite that names one path. */
function suite(key: 'config' | 'object' | 'state', path: string): string {
  const test = { name: 'a', object: '../manifests/id.yaml', expect: 'allowed' };
  const named = key === 'state' ? { state: [path] } : { [key]: path };
  const [own, ofTest] = key === 'config' ? [named, {}] : [{}, named];
  return yaml({ apiVersion: 'muster/v1alpha1', kind: 'MusterTest', ...own, tests: [{ ...test, ...ofTest }] });
}

const put = (name: string, text: string) => writeFileSync(join(checkout, name), text);
const link = (target: string, name: string) => symlinkSync(join(outside.path, target), join(checkout, name));
const pipe = (name: string) => void execFileSync('mkfifo', [join(checkout, name)]);

describe('what lies outside, and what is no file', () => {
  const NO_FILE = 'it is a pipe, a socket or a device: name a regular file';
  type Row = readonly [string, 'config' | 'object' | 'state', string, () => void, string];
  const ROWS: readonly Row[] = [
    ['a configuration by its path', 'config', '../../secret.yaml', () => {}, OUTSIDE],
    ['a configuration behind a link', 'config', '../link.yaml', () => link('secret.yaml', 'link.yaml'), OUTSIDE],
    ['a configuration that is a pipe', 'config', '../pipe.yaml', () => pipe('pipe.yaml'), NO_FILE],
    ['an object by its path', 'object', '../../objects.yaml', () => {}, OUTSIDE],
    ['an object by a whole path', 'object', '/etc/hosts.yaml', () => {}, OUTSIDE],
    ['an object behind a link', 'object', '../link.yaml', () => link('objects.yaml', 'link.yaml'), OUTSIDE],
    ['an object behind a folder that is a link', 'object', '../way/objects.yaml', () => link('folder', 'way'), OUTSIDE],
    ['an object in a pipe', 'object', '../pipe.yaml', () => pipe('pipe.yaml'), NO_FILE],
    [
      'an object in a device',
      'object',
      '../zero.yaml',
      () => symlinkSync('/dev/zero', join(checkout, 'zero.yaml')),
      OUTSIDE,
    ],
    ['a state of a folder', 'state', '../../folder/', () => {}, OUTSIDE],
    ['a state of a folder that is a link', 'state', '../way/', () => link('folder', 'way'), OUTSIDE],
    [
      'a state of a folder with a link in it',
      'state',
      '../manifests/',
      () => link('objects.yaml', 'manifests/x.yaml'),
      'is a link to outside',
    ],
    [
      'a state of a folder with a pipe in it',
      'state',
      '../manifests/',
      () => pipe('manifests/x.yaml'),
      'is neither a file nor a folder',
    ],
  ];
  test.each(ROWS)('%s', (_, key, path, make, says) => {
    make();
    put('suites/a.muster-test.yaml', suite(key, path));
    const { code, out } = muster(['suites']);
    expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining(says) });
    expect(out).not.toContain(SECRET);
    expect(out).toMatch(/^suites\/a\.muster-test\.yaml:\d+:\d+: error: /m);
  });

  test('the suite itself', () => {
    link('secret.yaml', 'suites/link.muster-test.yaml');
    pipe('suites/pipe.muster-test.yaml');
    for (const [name, says] of [
      ['suites/link.muster-test.yaml', OUTSIDE],
      ['suites/pipe.muster-test.yaml', NO_FILE],
      ['suites', 'is a link to outside'],
    ] as const) {
      const { code, out } = muster([name]);
      expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining(says) });
      expect(out).not.toContain(SECRET);
    }
  });
});

test('what lies inside is read: above the suite, by a whole path, behind a link', () => {
  symlinkSync('manifests', join(checkout, 'way'));
  put('suites/a.muster-test.yaml', suite('config', '../muster.yaml'));
  put('suites/b.muster-test.yaml', suite('object', join(checkout, 'manifests/id.yaml')));
  put('suites/c.muster-test.yaml', suite('object', '../way/id.yaml'));
  put('suites/d.muster-test.yaml', suite('state', '../manifests/'));
  const { code, out } = muster([join(checkout, 'suites')], '/');
  expect({ code, out }).toEqual({ code: 0, out: '4 tests in 4 files: 4 passed, 0 failed; 0 errors\n' });
});

test('without a repository, the current folder is the boundary; elsewhere the named one', () => {
  outside.put('plain/manifests/id.yaml', yaml(claim('id.k8s.io', 'one')));
  outside.put('plain/suites/a.muster-test.yaml', suite('object', '../manifests/id.yaml'));
  const plain = join(outside.path, 'plain');
  expect(muster(['suites'], plain).code).toBe(0);
  expect(muster([plain], checkout).code).toBe(0);
  expect(muster([join(plain, 'suites')], checkout)).toMatchObject({
    code: 2,
    out: expect.stringContaining(OUTSIDE),
  });
});
test('a recording does not name a configuration that the suite may not read', () => {
  outside.put('muster.yaml', 'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\nmode: audit\n');
  const recorded = muster(['--record', 'suites/a.muster-test.yaml', 'manifests', '--config', '../muster.yaml']);
  expect(recorded).toEqual({ code: 0, out: expect.stringContaining('run it with --config ../muster.yaml') });
  expect(muster(['suites', '--config', '../muster.yaml']).code).toBe(0);
});

/** Files are not written through links, pipes or devices that a checkout has in their place. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createFile, replaceFile } from '../../../src/report/safe-file.ts';
import { claim, muster, yaml } from '../../support/command-line.ts';
import { type Folder, newFolder } from '../../support/folder.ts';
import { musterHere } from '../../support/in-process.ts';

let checkout: Folder;
let outside: Folder;
beforeEach(() => {
  checkout = newFolder();
  outside = newFolder();
  checkout.put('good.yaml', yaml(claim('id.k8s.io', 'one')));
});

const at = (name: string) => join(checkout.path, name);

const NAME = 'out.muster-test.yaml';

test('a report that fails half way leaves neither a draft nor half a file', () => {
  checkout.put(NAME, 'before');
  function* failing() {
    yield 'half';
    throw Object.assign(new Error('full'), { code: 'EFBIG' });
  }
  expect(replaceFile(at(NAME), failing())).toBe('it would be larger than this process may write (ulimit -f)');
  expect(readFileSync(at(NAME), 'utf8')).toBe('before');
  expect(createFile(at('new.yaml'), failing())).toMatch(/larger than this process may write/);
  expect(readdirSync(checkout.path).sort()).toEqual(['good.yaml', NAME]);
});

describe('in the place of a file', () => {
  const OBSTACLES: readonly (readonly [string, () => void])[] = [
    ['a link to a file outside', () => symlinkSync(outside.put('victim', 'precious'), at(NAME))],
    ['a link to a file inside', () => symlinkSync(checkout.put('victim', 'precious'), at(NAME))],
    ['a link to what is not there yet', () => symlinkSync(join(outside.path, 'new'), at(NAME))],
    ['a link to a folder', () => symlinkSync(outside.path, at(NAME))],
    ['a link to a device', () => symlinkSync('/dev/null', at(NAME))],
  ];
  test.each(OBSTACLES)('%s: refused, and nothing is written', (_, put) => {
    put();
    expect(replaceFile(at(NAME), ['text'])).toMatch(/^it is a symbolic link: name a regular file/);
    expect(createFile(at(NAME), ['text'])).toBe('EEXIST');
    for (const { path } of [checkout, outside]) {
      if (existsSync(join(path, 'victim'))) expect(readFileSync(join(path, 'victim'), 'utf8')).toBe('precious');
    }
    expect(readdirSync(outside.path).filter((name) => name !== 'victim')).toEqual([]);
    expect(readdirSync(checkout.path).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('a folder, or a file in the place of its folder: refused', () => {
    expect(replaceFile(checkout.path, ['text'])).toBe('it is a folder');
    expect(replaceFile(at('good.yaml/x'), ['text'])).toBe('part of its path is not a folder');
    expect(replaceFile(at('none/x'), ['text'])).toBe('no such file or folder');
  });
});

describe('a folder that is a link', () => {
  test('out of the checkout: refused, from any current folder', () => {
    mkdirSync(at('.git'));
    symlinkSync(outside.path, at('reports'));
    for (const write of [replaceFile, createFile]) {
      expect(write(at(`reports/${NAME}`), ['text'])).toContain('behind a symbolic link that leads out of');
    }
    expect(readdirSync(outside.path)).toEqual([]);
  });

  test('within the checkout, or above it: written to', () => {
    mkdirSync(at('.git'));
    mkdirSync(at('real'));
    symlinkSync('real', at('reports'));
    symlinkSync(checkout.path, join(outside.path, 'way'));
    expect(replaceFile(at(`reports/${NAME}`), ['one'])).toBeUndefined();
    expect(createFile(join(outside.path, 'way/real/two'), ['two'])).toBeUndefined();
    expect(readdirSync(at('real')).sort()).toEqual([NAME, 'two']);
  });
});

describe('each command that writes a file', () => {
  const WRITERS: readonly (readonly [string, (file: string) => readonly string[]])[] = [
    ['check -o', (file) => ['check', 'good.yaml', '-o', `json=${file}`]],
    ['scan -o', (file) => ['scan', '--state', 'good.yaml', '-o', `json=${file}`]],
    ['test -o', (file) => ['test', 'good.yaml', '-o', `json=${file}`]],
    ['test --record', (file) => ['test', '--force', '--record', file, 'good.yaml']],
  ];
  test.each(WRITERS)('%s refuses a link in its place, a pipe, and a folder that leads out', async (_, args) => {
    symlinkSync(outside.put('victim', 'precious'), at(NAME));
    execFileSync('mkfifo', [at(`pipe.${NAME}`)]);
    symlinkSync(outside.path, at('reports'));
    for (const [file, problem] of [
      [NAME, 'it is a symbolic link'],
      [`pipe.${NAME}`, 'it is not a regular file'],
      [`reports/${NAME}`, 'its folder is behind a symbolic link'],
    ] as const) {
      const { code, err } = await musterHere(args(file), { cwd: checkout.path });
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(`error: can't write ${file}: ${problem}`),
      });
    }
    expect(readFileSync(join(outside.path, 'victim'), 'utf8')).toBe('precious');
    expect(readdirSync(outside.path)).toEqual(['victim']);
  });
});

test('an existing file is replaced whole and keeps its mode; hard links keep the old content', () => {
  writeFileSync(at('report.json'), 'before'.repeat(10_000));
  chmodSync(at('report.json'), 0o640);
  linkSync(at('report.json'), join(outside.path, 'other'));
  expect(replaceFile(at('report.json'), ['af', 'ter'])).toBeUndefined();
  expect(readFileSync(at('report.json'), 'utf8')).toBe('after');
  expect(statSync(at('report.json')).mode & 0o777).toBe(0o640);
  expect(readFileSync(join(outside.path, 'other'), 'utf8')).toMatch(/^before/);
  expect(readdirSync(checkout.path).sort()).toEqual(['good.yaml', 'report.json']);
});

test('- is standard output; /dev/stdout is refused', async () => {
  const { code, out } = await musterHere(['check', 'good.yaml', '-o', 'json=-'], { cwd: checkout.path });
  expect({ code, kind: JSON.parse(out).kind }).toEqual({ code: 0, kind: 'CheckReport' });
  const refused = await musterHere(['check', 'good.yaml', '-o', 'json=/dev/stdout'], { cwd: checkout.path });
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('or - for standard output') });
});

test.each(['certs', 'serve'])('%s puts no key behind a link out of the checkout', async (command) => {
  symlinkSync(outside.path, at('certs'));
  const args = command === 'certs' ? ['certs'] : ['serve', '--port', '0', '--ops-port', '0'];
  const { code, err } = await muster(args, { cwd: checkout.path });
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining("can't write certificates into certs: its folder is behind"),
  });
  expect(readdirSync(outside.path)).toEqual([]);
  expect(lstatSync(at('certs')).isSymbolicLink()).toBe(true);
});

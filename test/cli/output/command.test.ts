/** The outputs of the command itself, as a process: several at once, exit codes, readers who leave. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { XmlDocument } from 'libxml2-wasm';
import { REPORT_FORMATS } from '../../../src/cli/output/formats.ts';
import { claim, type Folder, newFolder, yaml } from '../world.ts';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
// A process takes a quarter of a second; on a busy machine many times that.
jest.setTimeout(120_000);

let folder: Folder;
beforeAll(() => {
  folder = newFolder();
  folder.put('good.yaml', yaml(claim('a.example', 'one')));
  folder.put('bad.yaml', yaml(claim('id.k8s.io', 'A_B')));
  folder.put('broken.yaml', 'a: [1\n');
  folder.put('many.yaml', yaml(...Array.from({ length: 3000 }, (_, index) => claim(`a${index}.k8s.io`, 'x'))));
  folder.put('wrong.yaml', 'apiVersion: 1\n---\n'.repeat(5000));
});
afterAll(() => folder.remove());

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `leaves`: the reader of that stream goes away as soon as it has seen something. */
function muster(args: readonly string[], leaves?: 'stdout' | 'stderr'): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(MUSTER_|NO_COLOR|FORCE_COLOR|GITHUB_)/.test(name),
  );
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder.path, env: Object.fromEntries(inherited) });
  const read = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text) => {
      read[name] += text;
      if (name === leaves) child[name].destroy();
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out: read.stdout, err: read.stderr }));
  });
}

test('five outputs at once: text on standard output, the others in files', async () => {
  const files = ['json=r.json', 'junit=r.xml', 'sarif=r.sarif', 'github=r.txt'].flatMap((output) => ['-o', output]);
  const { code, out, err } = await muster(['check', 'bad.yaml', 'good.yaml', '-o', 'text', ...files]);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  const file = (name: string) => readFileSync(`${folder.path}/${name}`, 'utf8');
  expect(out).toMatch(/^bad\.yaml:2:\d+: deny \[claim\/id-syntax\][\s\S]*\n2 judged: 1 allowed, 1 denied/);
  expect(JSON.parse(file('r.json'))).toMatchObject({ kind: 'CheckReport', summary: { denied: 1 } });
  expect(JSON.parse(file('r.json')).results[0].sourceLine).toBeUndefined();
  expect(JSON.parse(file('r.sarif')).runs[0].invocations).toEqual([
    { executionSuccessful: true, exitCode: 1, toolExecutionNotifications: [] },
  ]);
  expect(XmlDocument.fromString(file('r.xml')).find('//failure')).toHaveLength(1);
  expect(file('r.txt')).toMatch(/^::error title=deny%3A claim\/id-syntax,file=bad\.yaml,line=2,endLine=2,col=\d+/);
});

test.each(REPORT_FORMATS)('the exit code is the same with -o %s', async (format) => {
  const codes = await Promise.all(
    ['good.yaml', 'bad.yaml', 'broken.yaml'].map(async (file) => (await muster(['check', file, '-o', format])).code),
  );
  expect(codes).toEqual([0, 1, 2]);
});

test('a file that can not be written is named, and costs none of the others', async () => {
  const { code, out, err } = await muster([
    'check',
    'good.yaml',
    '-o',
    'json=no/r.json',
    '-o',
    'junit=ok.xml',
    '-o',
    'text',
  ]);
  expect({ code, err }).toEqual({ code: 2, err: "error: can't write no/r.json: no such file or folder\n" });
  expect(out).toMatch(/^1 judged: 1 allowed/);
  expect(existsSync(`${folder.path}/ok.xml`)).toBe(true);
});

test('standard output that takes nothing is an error, not a clean run', async () => {
  const unwritable = openSync(`${folder.path}/good.yaml`, 'r');
  const child = spawn(process.execPath, [MAIN, 'check', 'good.yaml'], {
    cwd: folder.path,
    stdio: ['ignore', unwritable, 'pipe'],
  });
  let err = '';
  child.stderr?.on('data', (text) => {
    err += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  closeSync(unwritable);
  expect({ code, err }).toEqual({ code: 2, err: "error: can't write to standard output: EBADF\n" });
});

describe('a reader who has seen enough ends it quietly', () => {
  test.each(REPORT_FORMATS)('of -o %s: the exit code stays, files are whole', async (format) => {
    const { code, out, err } = await muster(
      ['check', 'many.yaml', '-o', format, '-o', `json=${format}.whole`],
      'stdout',
    );
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out.length).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(`${folder.path}/${format}.whole`, 'utf8')).results).toHaveLength(3000);
  });

  test('of standard error: the report is whole', async () => {
    const { code, out, err } = await muster(['check', 'wrong.yaml', 'bad.yaml', '-o', 'json'], 'stderr');
    expect(code).toBe(2);
    expect(err).toMatch(/^wrong\.yaml:1:1: error: /);
    expect(JSON.parse(out).errors).toHaveLength(5000);
  });
});

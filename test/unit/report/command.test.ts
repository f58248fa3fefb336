/** Outputs of the command: several at once, files that must not be replaced, and readers that close the pipe. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { XmlDocument } from 'libxml2-wasm';
import { kubeconfigOf } from '../../support/api-stub.ts';
import { claim, type Ended, muster, yaml } from '../../support/command-line.ts';
import { newFolder } from '../../support/folder.ts';
import { musterHere } from '../../support/in-process.ts';
import { MAIN } from '../../support/main.ts';

const folder = newFolder();
folder.put('good.yaml', yaml(claim('a.example', 'one')));
folder.put('bad.yaml', yaml(claim('id.k8s.io', 'A_B')));
folder.put('many.yaml', yaml(...Array.from({ length: 3000 }, (_, index) => claim(`a${index}.k8s.io`, 'x'))));
folder.put('wrong.yaml', 'apiVersion: multicluster.x-k8s.io/v1alpha1\n---\n'.repeat(5000));

const exported = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ServiceExport',
  metadata: { namespace: 'a', name: 'b' },
};

const check = (...args: string[]) =>
  musterHere(['check', ...args], { cwd: folder.path, env: { GITHUB_WORKSPACE: '' } });

/** Runs a check whose reader closes one stream after the first chunk. */
async function checkClosing(stream: 'stdout' | 'stderr', ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'check', '-q', ...args], { cwd: folder.path });
  const read = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text) => {
      read[name] += text;
      if (name === stream) child[name].destroy();
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, out: read.stdout, err: read.stderr };
}

test('five outputs at once: text on standard output, the others in files', async () => {
  const files = ['json=r.json', 'junit=r.xml', 'sarif=r.sarif', 'github=r.txt'].flatMap((output) => ['-o', output]);
  const { code, out, err } = await check('bad.yaml', 'good.yaml', '-o', 'text', ...files);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  const file = (name: string) => readFileSync(`${folder.path}/${name}`, 'utf8');
  expect(out).toMatch(/^bad\.yaml:2:\d+: denied \[claim\/id-syntax\][\s\S]*\n2 evaluated: 1 allowed, 1 denied/);
  expect(JSON.parse(file('r.json'))).toMatchObject({ kind: 'CheckReport', summary: { denied: 1 } });
  expect(JSON.parse(file('r.json')).results[0].findings[0].sourceLine).toBeUndefined();
  expect(JSON.parse(file('r.sarif')).runs[0].invocations).toMatchObject([{ exitCode: 1 }]);
  expect(XmlDocument.fromString(file('r.xml')).find('//failure')).toHaveLength(1);
  expect(file('r.txt')).toMatch(/^::error title=denied%3A claim\/id-syntax,file=bad\.yaml,line=2,endLine=2,col=\d+/);
});

test('-o=FORMAT is read as kubectl reads it', async () => {
  const { code, out } = await check('good.yaml', '-o=json');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('"kind": "CheckReport"') });
});

test('a file that is not writable is named beside the summary, and the others are written', async () => {
  const { code, out, err } = await check('good.yaml', '-o', 'json=no/r.json', '-o', 'junit=ok.xml');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^1 evaluated: 1 allowed.*\nerror: can't write no\/r\.json: no such file or folder\n$/);
  expect(existsSync(`${folder.path}/ok.xml`)).toBe(true);
});

test.each([
  ['check m -o json=m/../m/id.yaml', 'm/id.yaml'],
  ['check m -o json=m/other.yaml', 'm/other.yaml'],
  ['manifests --config m/other.yaml -o yaml=m/other.yaml', 'm/other.yaml'],
  ['check --clusters m/* --explain-service a/b -o json=m/c/export.json', 'm/c/export.json'],
  ['scan --state m -o json=m/id.yaml', 'm/id.yaml'],
  ['test m -o json=m/x.muster-test.yaml', 'm/x.muster-test.yaml'],
  ['test m -o json=m/id.yaml', 'm/id.yaml'],
])('a file in a folder that is read is not replaced by a report: %s', async (line, file) => {
  const own = newFolder();
  own.put('m/id.yaml', yaml(claim('id.k8s.io', 'A_B')));
  own.put('m/other.yaml', 'kind: Other\n');
  own.put('m/c/export.json', JSON.stringify(exported));
  own.put(
    'm/x.muster-test.yaml',
    'apiVersion: muster/v1alpha1\nkind: MusterTest\ntests: [{ name: a, check: id.yaml, expect: denied }]\n',
  );
  const before = readFileSync(`${own.path}/${file}`, 'utf8');
  const { code, err } = await musterHere(line.split(' '), { cwd: own.path });
  expect(code).toBe(2);
  expect(err).toContain(`error: the report would replace ${file}, which is read: give it another name\n`);
  expect(readFileSync(`${own.path}/${file}`, 'utf8')).toBe(before);
});

describe('the access to a cluster is not replaced by a report', () => {
  const access = newFolder();
  access.put('good.yaml', yaml(claim('a.example', 'one')));
  const written = kubeconfigOf('https://127.0.0.1:1', { tokenFile: 'token', 'client-key': 'key' });
  for (const name of ['named', 'second', '.kube/config']) access.put(name, JSON.stringify(written));
  for (const name of ['token', 'key']) access.put(name, name);
  const [named, second] = ['named', 'second'].map((name) => join(access.path, name)) as [string, string];
  const refused = async (file: string, call: Promise<Ended>) => {
    const before = readFileSync(join(access.path, file), 'utf8');
    const { code, err } = await call;
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^error: the report would replace \S+, /) });
    expect(readFileSync(join(access.path, file), 'utf8')).toBe(before);
  };

  test.each(
    ['check good.yaml --live', 'scan --live', 'scan --context x', 'doctor'].flatMap((command) => [
      [command, 'named', { MUSTER_KUBECONFIG: named }] as const,
      [command, 'second', { KUBECONFIG: [named, second].join(delimiter) }] as const,
      [command, 'token', { KUBECONFIG: named }] as const,
      [command, 'key', { KUBECONFIG: named }] as const,
    ]),
  )('%s -o json=%s', async (command, file, env) => {
    await refused(file, musterHere([...command.split(' '), '-o', `json=${file}`], { cwd: access.path, env }));
  });

  test.each(['plugin', 'login', 'secret'])('what an exec plugin needs: %s', async (file) => {
    const exec = { command: './plugin', args: ['--data', 'login', '--key=secret'] };
    const config = access.put('plugged', JSON.stringify(kubeconfigOf('https://127.0.0.1:1', { exec })));
    access.put(file, 'content');
    const words = ['scan', '--live', '--kubeconfig', config, '-o', `json=${file}`];
    await refused(file, musterHere(words, { cwd: access.path }));
  });

  test('the default kubeconfig', async () => {
    const file = '.kube/config';
    const options = { cwd: access.path, env: { HOME: access.path, USERPROFILE: access.path } };
    await refused(file, muster(['scan', '--live', '-o', `json=${file}`], options));
  });
});

test.each(['check . -o text -o json=m/r.json', 'check . -o text -o sarif=m/r.json', 'scan --state . -o json=m/r.json'])(
  'an earlier report in a folder that is read is replaced: %s',
  async (line) => {
    const own = newFolder();
    own.put('m/id.yaml', yaml(claim('id.k8s.io', 'A_B')));
    const run = () => musterHere(line.split(' '), { cwd: own.path });
    expect([(await run()).code, (await run()).code]).toEqual([1, 1]);
  },
);

test('standard output that is not writable is an error', async () => {
  const unwritable = openSync(`${folder.path}/good.yaml`, 'r');
  const stdio = ['ignore', unwritable, 'pipe'] as const;
  const child = spawn(process.execPath, [MAIN, 'check', '-q', 'good.yaml'], { cwd: folder.path, stdio: [...stdio] });
  let err = '';
  child.stderr?.on('data', (text) => {
    err += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  closeSync(unwritable);
  expect({ code, err }).toEqual({
    code: 2,
    err: "error: can't write to standard output: EBADF: bad file descriptor, write\n",
  });
});

test.each(['text', 'json'])('a closed pipe of -o %s changes neither the exit code nor files', async (format) => {
  const file = `json=${format}.whole`;
  const { code, out, err } = await checkClosing('stdout', 'many.yaml', '-o', format, '-o', file);
  const summary = '3000 evaluated: 0 allowed, 3000 denied, 0 indeterminate; 0 warnings, 0 skipped, 0 errors\n';
  expect({ code, err }).toEqual({ code: 1, err: format === 'text' ? '' : summary });
  expect(out.length).toBeGreaterThan(0);
  expect(JSON.parse(readFileSync(`${folder.path}/${format}.whole`, 'utf8')).results).toHaveLength(3000);
});

test('a closed standard error leaves the report whole', async () => {
  const { code, out } = await checkClosing('stderr', 'wrong.yaml', 'bad.yaml', '-o', 'json');
  expect(code).toBe(2);
  expect(JSON.parse(out).errors).toHaveLength(5000);
});

/** The image without an engine to build it: its stages' steps in a folder of their own, and what runs from there. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { partOf } from '../../src/manifests/installation.ts';

// It builds.
jest.setTimeout(120_000);
const dockerfile = readFileSync('Dockerfile', 'utf8');
const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]+ /.test(line));
const of = (word: string) =>
  instructions.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
const image = mkdtempSync(join(tmpdir(), 'muster-image-'));
const MAIN = join(image, 'dist/cli/main.js');

beforeAll(() => {
  execFileSync(process.execPath, ['src/generate/bundle.ts', join(image, 'dist')]);
  for (const name of ['LICENSE', 'package.json']) cpSync(name, join(image, name));
});
afterAll(() => rmSync(image, { recursive: true, force: true }));

describe('what is copied', () => {
  const context = of('COPY').filter((line) => !line.startsWith('--from'));
  const sources = [...new Set(context.flatMap((line) => line.split(' ').slice(0, -1)))];

  test('is there, and is all that the build is given', () => {
    for (const source of sources) expect({ source, there: existsSync(source) }).toEqual({ source, there: true });
    const given = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).*$/gm);
    expect([...(given ?? [])].sort()).toEqual([...sources].sort());
  });
});

describe('from what is left', () => {
  test('muster tells its version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(run('--version')).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });

  test('prints an installation, and checks what comes by standard input', () => {
    expect(run('manifests', '--only', 'leases')).toMatchObject({ status: 0, err: '' });
    const claim =
      'apiVersion: multicluster.x-k8s.io/v1alpha1\nkind: ClusterClaim\nmetadata: { name: a.k8s.io }\nspec: { value: a }\n';
    const { status, stdout } = spawnSync(process.execPath, [MAIN, 'check', '-'], { input: claim, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('claim/reserved-name') });
  });

  test('connects to a cluster: nothing of the client is missing', () => {
    const config = {
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      users: [{ name: 'a', user: { token: 'a' } }],
      'current-context': 'a',
    };
    writeFileSync(join(image, 'kubeconfig'), JSON.stringify(config));
    const at = ['--kubeconfig', join(image, 'kubeconfig')];
    for (const args of [['doctor'], ['certs', '--secret=a/b', '--service=a/c', '--webhook=d']]) {
      const { status, out, err } = run(...args, ...at);
      expect({ args, status, said: out + err }).toEqual({
        args,
        status: 2,
        said: expect.stringMatching(/127\.0\.0\.1:1/),
      });
    }
  });

  test('serves, and ends in order', async () => {
    mkdirSync(join(image, 'work'));
    const args = [
      'serve',
      '--port=0',
      '--ops-port=0',
      '--drain-seconds=0',
      '--host=127.0.0.1',
      `--cert-dir=${join(image, 'certs')}`,
    ];
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: join(image, 'work') });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      const ops = () => /ops: (http:\S+)\)/.exec(out)?.[1];
      for (let tries = 0; ops() === undefined && tries < 600; tries += 1) await new Promise((go) => setTimeout(go, 50));
      expect((await fetch(`${ops()}/livez`)).status).toBe(200);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
  });
});

describe('the image and the manifests agree', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
  const workload: any = partOf('workload', { image: 'muster:1' }).find(({ kind }) => kind === 'Deployment');
  const { securityContext, containers } = workload.spec.template.spec;

  test('on the user', () => {
    expect(of('USER')).toEqual([`${securityContext.runAsUser}:${securityContext.runAsGroup}`]);
  });

  test('on the ports', () => {
    expect(of('EXPOSE')).toEqual([
      containers[0].ports.map((port: { containerPort: number }) => port.containerPort).join(' '),
    ]);
  });

  test('on what is run: the arguments follow the entry point', () => {
    expect(of('ENTRYPOINT')).toEqual(['["/nodejs/bin/node", "/muster/dist/cli/main.js"]']);
    expect(containers[0].command).toBeUndefined();
    const [command = ''] = of('CMD');
    for (const argument of JSON.parse(command)) expect(containers[0].args).toContain(argument);
  });

  test('the last stage has no shell to run anything in', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).not.toMatch(/^RUN /m);
    expect(of('ARG').some((line) => /distroless\/nodejs24-\w+:nonroot$/.test(line))).toBe(true);
  });
});

function run(...args: readonly string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', cwd: image });
  return { status, out: stdout, err: stderr };
}

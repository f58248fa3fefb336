/**
 * Which packages a command loads: what it does not use would cost each start its time, and a server its memory for
 * good.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { claim, yaml } from '../../support/command-line.ts';
import { HEAD } from '../../support/configuration.ts';
import { type Folder, newFolder } from '../../support/folder.ts';

const COMMAND = ['--import', './test/unit/cli/loaded-packages.js', 'src/cli/main.ts'];
let folder: Folder;
beforeEach(() => {
  folder = newFolder();
});

test('check needs flags and YAML, and nothing else', () => {
  const file = folder.put('claim.yaml', yaml(claim('id.k8s.io', 'one')));
  const state = join(folder.path, 'state');
  mkdirSync(state);
  execFileSync(process.execPath, [...COMMAND, 'check', file, '--state', state], { env: env() });
  // What the action and the pre-commit hook install.
  const runtime = JSON.parse(readFileSync('tools/integrations/runtime/package.json', 'utf8'));
  expect(loaded()).toEqual(Object.keys(runtime.dependencies).sort());
});

test('serve loads no compiler of schemas, no client of a cluster, and nothing that makes certificates', async () => {
  const config = folder.put('muster.yaml', HEAD);
  const certs = join(folder.path, 'certs');
  execFileSync(process.execPath, ['src/cli/main.ts', 'certs', '--dir', certs], { stdio: 'ignore' });
  const flags = ['--port=0', '--ops-port=0', '--drain-seconds=0', `--cert-dir=${certs}`, `--config=${config}`];
  const child = spawn(process.execPath, [...COMMAND, 'serve', ...flags], { env: env() });
  await announced(child);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const packages = loaded();
  expect(packages).toEqual(expect.arrayContaining(['@prometheus-io/client', 'commander', 'fastify', 'pino', 'yaml']));
  const needless = ['@fastify/ajv-compiler', '@kubernetes/client-node', 'ajv', 'node-forge'];
  expect(packages.filter((name) => needless.includes(name))).toEqual([]);
});

async function announced({ stdout }: ChildProcess): Promise<void> {
  for await (const text of stdout ?? []) if (String(text).includes('muster listens on')) return;
  throw new Error('it ended before it listened');
}

function env(): NodeJS.ProcessEnv {
  return { ...process.env, LOADED_PACKAGES: join(folder.path, 'loaded.json') };
}

function loaded(): string[] {
  return JSON.parse(readFileSync(join(folder.path, 'loaded.json'), 'utf8')).sort();
}

/**
 * `muster demo`: ten verdicts, and nothing is left of it, whatever happens. What kubectl prints:
 * test/system/e2e/demo.e2e.ts.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from '@jest/globals';
import { UsageError } from '../../../../src/base/usage-error.ts';
import { openApiServer } from '../../../../src/cli/demo/api-server.ts';
import { examples, state } from '../../../../src/cli/demo/examples.generated.ts';
import { muster } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { SOURCE_MAIN } from '../../../support/main.ts';

let folder: Folder;
/** Where the demo puts its own folder. */
let temporary: string;
beforeEach(() => {
  folder = newFolder();
  temporary = join(folder.path, 'tmp');
  mkdirSync(temporary);
});

const verdicts = (out: string) => [...out.matchAll(/^ ?\d+\. (\w+): /gm)].map(([, word]) => word);

test.each<[string, Record<string, string>]>([
  ['on a terminal of anybody', {}],
  ['in a pod', { KUBERNETES_SERVICE_HOST: '192.0.2.1' }],
  ['with variables for other commands', { MUSTER_PORT: '1', MUSTER_STATE: '/none', MUSTER_OUTPUT: 'sarif' }],
  ['with a kubeconfig of no use', { KUBECONFIG: '/none' }],
  ['behind a proxy', { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://127.0.0.1:1' }],
])('%s it shows ten verdicts, and leaves nothing', async (_, env) => {
  const { code, out, err } = await muster(['demo'], { cwd: folder.path, env: { ...env, TMPDIR: temporary } });
  expect({ code, err, verdicts: verdicts(out).join(' ') }).toEqual({
    code: 0,
    err: '',
    verdicts: 'denied allowed denied denied warned allowed denied denied allowed denied',
  });
  expect(out).toContain('3 allowed, 1 allowed with a warning, 6 denied.');
  expect([readdirSync(temporary), readdirSync(folder.path)]).toEqual([[], ['tmp']]);
});

const [RUN, TERMINAL] = ['demo/run.ts', '../report/terminal.ts'].map((file) => {
  return pathToFileURL(join(SOURCE_MAIN, '..', file)).href;
});

test.each<[string, string, number]>([
  ['SIGINT', "process.kill(process.pid, 'SIGINT')", 130],
  ['SIGTERM', "process.kill(process.pid, 'SIGTERM')", 143],
  ['a failure', "throw new Error('no terminal')", 1],
])('after %s nothing is left', (_, write, expected) => {
  const options = `{ write() { ${write}; }, paint: noColor, width: 80 }`;
  const script = `import { runDemo } from '${RUN}'; import { noColor } from '${TERMINAL}'; await runDemo(${options}).catch(() => { process.exitCode = 1 });`;
  const env = { ...process.env, TMPDIR: temporary };
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env });
  expect(status).toBe(expected);
  expect(readdirSync(temporary)).toEqual([]);
});

test('without a place for temporary files it says so in one line', async () => {
  const env = { TMPDIR: join(folder.path, 'none') };
  const { code, err } = await muster(['demo'], { cwd: folder.path, env });
  expect({ code, err }).toEqual({
    code: 2,
    err:
      `error: the temporary folder ${env.TMPDIR} can't be written: no such file or folder; ` +
      'set TMPDIR to a folder that this user can write\n',
  });
});

test('a server that can not be called is named in one line', async () => {
  const apiServer = openApiServer({ port: 1, ca: '', state });
  const [example] = examples;
  const message = "the server can't be called at https://localhost:1 (ECONNREFUSED): allow connections to it";
  await expect(apiServer.apply(example?.object ?? {})).rejects.toThrow(new UsageError(message));
  apiServer.close();
});

/** Flags that say what exists before, as a shell sees them: exit codes, streams, and that the rest is judged. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { kubeconfigOf } from '../cluster/live/api-stub.ts';
import { type GitFolder, newRepository } from './git-world.ts';
import { claim, yaml } from './world.ts';

jest.setTimeout(30_000);

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
let repository: GitFolder;
beforeAll(() => {
  repository = newRepository();
  repository.put('m/a.yaml', yaml(claim('id.k8s.io', 'one'), claim('clusterset.k8s.io', 'fleet')));
  repository.commit();
  repository.put('m/a.yaml', yaml(claim('id.k8s.io', 'Two')));
  writeFileSync(repository.at('away.kubeconfig'), kubeconfigOf('https://127.0.0.1:1', '', 'x'));
});
afterAll(() => repository.remove());

function check(args: readonly string[], env: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(MUSTER_|KUBE)/.test(name));
  const options = { cwd: repository.path, env: { ...Object.fromEntries(inherited), ...env } };
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = execFile(process.execPath, [MAIN, 'check', ...args], options, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
    child.stdin?.end(yaml(claim('id.k8s.io', 'Two')));
  });
}

describe('--base-ref', () => {
  test('as a flag and as a variable: what changed and what went', async () => {
    const ended = await check(['m', '-o', 'json', '--base-ref', 'HEAD']);
    expect(await check(['m', '-o', 'json'], { MUSTER_BASE_REF: 'HEAD' })).toEqual(ended);
    const { results } = JSON.parse(ended.out);
    expect(results).toMatchObject([
      { file: 'HEAD:m/a.yaml', line: 4, operation: 'DELETE', outcome: 'allowed' },
      { file: 'm/a.yaml', line: 2, operation: 'UPDATE', outcome: 'denied' },
    ]);
    expect({ code: ended.code, err: ended.err }).toEqual({ code: 1, err: '' });
  });

  test('a revision that is not there: exit 2, one line, and the rest is judged', async () => {
    const { code, out, err } = await check(['m', '--base-ref', 'nowhere']);
    expect({ code, err }).toEqual({
      code: 2,
      err: '<git>:1:1: error: --base-ref nowhere: this repository has no such commit: look for its name with git branch --all, or git fetch it\n',
    });
    expect(out).toContain('m/a.yaml:2:');
    expect(out).toContain('[claim/id-syntax]');
  });

  test.each([
    { args: ['-', '--base-ref', 'HEAD'], message: 'standard input has no past' },
    { args: ['m', '--base-ref=-p'], message: '--base-ref needs a git revision' },
    { args: ['--deleted', 'm', '--base-ref', 'HEAD'], message: '--base-ref needs PATH' },
  ])('$args: refused in one line', async ({ args, message }) => {
    const { code, out, err } = await check(args);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(/^error: [^\n]*\n$/) });
    expect(err).toContain(message);
  });
});

describe('--live', () => {
  test('no cluster to be reached: exit 2, one line, and the rest is judged', async () => {
    const { code, out, err } = await check(['m', '-', '--live', '--kubeconfig', 'away.kubeconfig']);
    expect({ code, err }).toEqual({
      code: 2,
      err: "<cluster>:1:1: error: the API server at https://127.0.0.1:1 can't be reached (ECONNREFUSED): is it up, and is this the right --kubeconfig and --context?\n",
    });
    expect(out).toContain('[claim/id-syntax]');
    expect(out).toContain('2 judged');
  });

  test.each([
    { args: ['m', '--live', '--kubeconfig', 'nowhere'], message: '--kubeconfig nowhere' },
    { args: ['m', '--live', '--kubeconfig', 'away.kubeconfig', '--context', 'y'], message: 'context "y"' },
    { args: ['m', '--live', '--state', 'm'], message: '--live and --state' },
    { args: ['m', '--context', 'x'], message: 'give --live beside it' },
  ])('$args: refused in one line', async ({ args, message }) => {
    const { code, out, err } = await check(args);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(/^error: [^\n]*\n$/) });
    expect(err).toContain(message);
  });

  test('a variable that names a cluster for other commands is no flag of this one', async () => {
    const { code, err } = await check(['m'], { MUSTER_KUBECONFIG: 'away.kubeconfig' });
    expect({ code, err }).toEqual({ code: 1, err: '' });
  });
});

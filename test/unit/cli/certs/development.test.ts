import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { registerCerts } from '../../../../src/cli/certs/flags.ts';
import { Program } from '../../../../src/cli/flags.ts';
import { newFolder } from '../../../support/folder.ts';

afterEach(() => {
  jest.restoreAllMocks();
  delete process.env['MUSTER_DIR'];
  delete process.env['MUSTER_FORCE'];
});

async function run(...args: string[]) {
  const write = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const program = new Program('muster').exitOverride();
  registerCerts(program);
  await program.parseAsync(['certs', ...args], { from: 'user' });
  const out = write.mock.calls.join('');
  write.mockRestore();
  return { out };
}

test.each([
  ['plain-1.0_x', '%'],
  ["it's here", `'%'`],
])(
  'muster certs --dir %j prints where, for which names, until when, and a line that works when pasted',
  async (name, form) => {
    const folder = newFolder().path;
    const dir = join(folder, name);
    const { out } = await run('--dir', dir);
    const inDays = new Date(Date.now() + 90 * 24 * 3_600_000).toISOString().slice(0, 10);
    expect(out.split('\n')).toEqual([
      `Made development certificates in ${dir}:`,
      `  ${dir}/ca.crt   what clients trust`,
      expect.stringContaining(
        `  ${dir}/tls.crt  for localhost, 127.0.0.1, ::1, host.docker.internal, until ${inDays}T`,
      ),
      `  ${dir}/tls.key  its private key`,
      `Next: muster serve --cert-dir ${form.replace('%', () => dir.replace("'", `'\\''`))}`,
      '',
    ]);
  },
);

test('the name of the folder reaches no terminal as it is', async () => {
  const { out } = await run('--dir', join(newFolder().path, 'a\u001b[2J\n::error::b'));
  expect(out).toContain('/a\\u001b[2J\\u000a::error::b:\n');
  expect(out.split('\n')).toHaveLength(6);
});

test.each([
  [['--force'], {}, 'Made'],
  [[], { MUSTER_FORCE: '1' }, 'Made'],
  [[], { MUSTER_FORCE: 'false' }, 'Good'],
  [[], {}, 'Good'],
])('good certificates stay unless new ones are forced, by flag or variable (%#)', async (args, env, begins) => {
  const folder = newFolder().path;
  Object.assign(process.env, { MUSTER_DIR: folder });
  await run();
  const key = () => readFile(join(folder, 'tls.key'), 'utf8');
  const made = await key();
  Object.assign(process.env, env);
  expect((await run(...args)).out.split(' ')[0]).toBe(begins);
  expect((await key()) === made).toBe(begins === 'Good');
});

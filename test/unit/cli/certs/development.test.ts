import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';

const run = (args: readonly string[], env = {}) => musterHere(['certs', ...args], { cwd: newFolder().path, env });

test.each([
  ['plain-1.0_x', '%'],
  ["it's here", `'%'`],
])(
  'muster certs --dir %j prints where, for which names, until when, and a line that works when pasted',
  async (name, form) => {
    const folder = newFolder().path;
    const dir = join(folder, name);
    const { out } = await run(['--dir', dir]);
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
  const { out } = await run(['--dir', 'a\u001b[2J\n::error::b']);
  expect(out).toContain(' in a\\u001b[2J\\u000a::error::b:\n');
  expect(out.split('\n')).toHaveLength(6);
});

test('the name of the folder begins no command of a CI system', async () => {
  const { out } = await run(['--dir', '::error::a']);
  expect(out).toContain('\n./::error::a/tls.key  its private key\n');
  expect(out).not.toMatch(/^\s*::/m);
});

test.each([
  [['--force'], {}, 'Made'],
  [[], { MUSTER_FORCE: '1' }, 'Made'],
  [[], { MUSTER_FORCE: 'false' }, 'Good'],
  [[], {}, 'Good'],
])('good certificates stay unless new ones are forced, by flag or variable (%#)', async (args, env, begins) => {
  const folder = newFolder().path;
  const inFolder = { MUSTER_DIR: folder };
  await run([], inFolder);
  const key = () => readFile(join(folder, 'tls.key'), 'utf8');
  const made = await key();
  expect((await run(args, { ...inFolder, ...env })).out.split(' ')[0]).toBe(begins);
  expect((await key()) === made).toBe(begins === 'Good');
});

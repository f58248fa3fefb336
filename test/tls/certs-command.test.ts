import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { registerCerts } from '../../src/cli/certs/flags.ts';
import { Program } from '../../src/cli/flags.ts';
import { inFolder, issue, writePair } from './world.ts';

afterEach(() => {
  delete process.env['MUSTER_DIR'];
  delete process.env['MUSTER_FORCE'];
});

describe('muster certs', () => {
  test('makes certificates, says where, for which names, until when, and what to try', async () => {
    await inFolder(async (folder) => {
      const dir = join(folder, 'dev');
      const { code, out, err } = await run('--dir', dir);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const inDays = new Date(Date.now() + 90 * 24 * 3_600_000).toISOString().slice(0, 10);
      expect(out.split('\n')).toEqual([
        `Made development certificates in ${dir}:`,
        `  ${dir}/ca.crt   what clients trust`,
        expect.stringContaining(
          `  ${dir}/tls.crt  for localhost, 127.0.0.1, ::1, host.docker.internal, until ${inDays}T`,
        ),
        `  ${dir}/tls.key  its private key`,
        `Next: npx muster serve --cert-dir ${dir}`,
        '',
      ]);
    });
  });

  test('keeps good ones, and makes new ones with --force', async () => {
    await inFolder(async (folder) => {
      await run('--dir', folder);
      const key = () => readFile(join(folder, 'tls.key'), 'utf8');
      const made = await key();
      expect((await run('--dir', folder)).out).toMatch(/^Good certificates are in .* already/);
      expect(await key()).toBe(made);
      expect((await run('--dir', folder, '--force')).out).toMatch(/^Made/);
      expect(await key()).not.toBe(made);
    });
  });

  test.each([
    ['true', 'Made'],
    ['1', 'Made'],
    ['false', 'Good'],
    ['0', 'Good'],
    ['', 'Good'],
  ])('reads MUSTER_DIR, and MUSTER_FORCE=%j', async (force, begins) => {
    await inFolder(async (folder) => {
      await run('--dir', folder);
      Object.assign(process.env, { MUSTER_DIR: folder, MUSTER_FORCE: force });
      expect((await run()).out.split(' ')[0]).toBe(begins);
      process.env['MUSTER_DIR'] = join(folder, 'not', 'this');
      expect((await run('--dir', folder)).out).toContain(`in ${folder}`);
    });
  });

  test.each([
    ["it's here", `'%'`],
    ['plain-1.0_x', '%'],
  ])('writes the folder %j so that the line works when pasted', async (name, form) => {
    await inFolder(async (folder) => {
      const dir = join(folder, name);
      const { out } = await run('--dir', dir);
      expect(out).toContain(`--cert-dir ${form.replace('%', () => dir.replace("'", `'\\''`))}\n`);
    });
  });

  test('answers what it can’t do with one line and exit 2', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'file'), '');
      expect(await run('--dir', join(folder, 'file'))).toEqual({
        code: 2,
        out: '',
        err: `error: can't write certificates into folder ${join(folder, 'file')} (a file is in its place); choose a folder that this user can write\n`,
      });
      await writePair(folder, await issue());
      expect(await run('--dir', folder)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^error: .* not made by muster .*\n$/),
      });
      expect(await run('--dir', '')).toEqual({
        code: 2,
        out: '',
        err: 'error: --dir (or MUSTER_DIR) is empty; name a folder\n',
      });
    });
  });

  test('--help shows its flags, their variables and an example', async () => {
    const { out } = await run('--help');
    for (const text of [
      '--dir',
      'MUSTER_DIR',
      '--force',
      'MUSTER_FORCE',
      '--secret',
      '--rotate',
      'muster certs --dir',
    ]) {
      expect(out).toContain(text);
    }
    expect(out).not.toContain('--namespace');
  });
});

async function run(...args: string[]) {
  let out = '';
  let err = '';
  const program = new Program('muster').exitOverride().configureOutput({
    writeOut: (text) => {
      out += text;
    },
    writeErr: (text) => {
      err += text;
    },
  });
  registerCerts(program);
  const code = await program.parseAsync(['certs', ...args], { from: 'user' }).then(
    () => 0,
    (error: { exitCode: number }) => error.exitCode,
  );
  return { code, out, err };
}

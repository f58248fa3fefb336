import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { DEVELOPMENT_NAMES, ensureDevelopmentCertificates } from '../../src/tls/development.ts';
import { loadCertificate } from '../../src/tls/load.ts';
import { writeAlone } from '../../src/tls/lock.ts';
import { DAY, echo, echoServer, handshake, inFolder, issue, unprivileged, writePair } from './world.ts';

const LOCK = '.making-certificates';
const TRIO = ['ca.crt', 'tls.crt', 'tls.key'];

describe('ensureDevelopmentCertificates', () => {
  test('makes a folder with a trio that clients verify', async () => {
    await inFolder(async (folder) => {
      const dir = join(folder, 'not', 'there', 'yet');
      const made = await ensureDevelopmentCertificates(dir);
      expect(made).toEqual({
        caFile: join(dir, 'ca.crt'),
        certFile: join(dir, 'tls.crt'),
        keyFile: join(dir, 'tls.key'),
        made: true,
      });
      expect((await readdir(dir)).sort()).toEqual(TRIO);
      expect((await stat(made.keyFile)).mode & 0o777).toBe(0o600);
      const loaded = await loadCertificate(made);
      expect(loaded.names).toEqual(DEVELOPMENT_NAMES);
      const { port, close } = await echoServer(loaded);
      const socket = await handshake(port, await readFile(made.caFile, 'utf8'), { servername: 'host.docker.internal' });
      expect(await echo(socket, 'hello')).toBe('hello');
      socket.destroy();
      await close();
    });
  });

  test('leaves a good trio alone, also where it may not write', async () => {
    await inFolder(async (folder) => {
      await ensureDevelopmentCertificates(folder);
      const before = await contents(folder);
      await chmod(folder, 0o555);
      await chmod(join(folder, 'tls.key'), 0o644);
      const again = await unprivileged(() => ensureDevelopmentCertificates(folder));
      await chmod(folder, 0o755);
      expect(again.made).toBe(false);
      expect(await contents(folder)).toEqual(before);
    });
  });

  test('makes new ones, over good ones, when forced', async () => {
    await inFolder(async (folder) => {
      await ensureDevelopmentCertificates(folder);
      const before = await contents(folder);
      expect((await ensureDevelopmentCertificates(folder, { force: true })).made).toBe(true);
      const after = await contents(folder);
      for (const [index, text] of after.entries()) expect(text).not.toBe(before[index]);
      await expectConsistent(folder);
    });
  });

  const spoilt: [string, (folder: string) => Promise<unknown>][] = [
    ['without ca.crt', (folder) => rm(join(folder, 'ca.crt'))],
    ['without tls.crt', (folder) => rm(join(folder, 'tls.crt'))],
    ['without tls.key', (folder) => rm(join(folder, 'tls.key'))],
    ['with an empty tls.crt', (folder) => writeFile(join(folder, 'tls.crt'), '')],
    [
      'with a cut tls.crt',
      async (folder) => writeFile(join(folder, 'tls.crt'), (await contents(folder))[1].slice(0, 300)),
    ],
    ['with garbage in a block', (folder) => writeFile(join(folder, 'tls.crt'), block('AAAA'))],
    ['with the key of another', async (folder) => writeFile(join(folder, 'tls.key'), (await issue()).key)],
    ['with the CA of another', async (folder) => writeFile(join(folder, 'ca.crt'), (await issue()).ca)],
    ['with the leaf as CA', (folder) => cp(join(folder, 'tls.crt'), join(folder, 'ca.crt'))],
    ['with garbage as CA', (folder) => writeFile(join(folder, 'ca.crt'), 'garbage')],
  ];
  test.each(spoilt)('makes a new trio in a folder %s', async (_, spoil) => {
    await inFolder(async (folder) => {
      await ensureDevelopmentCertificates(folder);
      const [, , key] = await contents(folder);
      await spoil(folder);
      expect((await ensureDevelopmentCertificates(folder)).made).toBe(true);
      await expectConsistent(folder);
      expect((await contents(folder))[2]).not.toBe(key);
    });
  });

  test.each([
    ['59 days later', 59 * DAY, false],
    ['61 days later, with less than 30 to go', 61 * DAY, true],
    ['91 days later, expired', 91 * DAY, true],
    ['a day before, by a clock set back', -DAY, true],
  ])('renews in time: %s', async (_, later, made) => {
    await inFolder(async (folder) => {
      await ensureDevelopmentCertificates(folder);
      const now = new Date(Date.now() + later);
      expect((await ensureDevelopmentCertificates(folder, { now })).made).toBe(made);
    });
  });

  test("uses another's good trio to its last day, and never overwrites it unless forced", async () => {
    await inFolder(async (folder) => {
      const foreign = await issue(new Date(Date.now() - 89 * DAY));
      await writePair(folder, foreign);
      const before = (await contents(folder)).slice(1);
      const refusal = {
        code: 'not-ours',
        message: expect.stringContaining(`${join(folder, 'tls.crt')} is not muster's own`),
      };
      await expect(ensureDevelopmentCertificates(folder)).rejects.toMatchObject(refusal);
      await writeFile(join(folder, 'ca.crt'), foreign.ca);
      expect((await ensureDevelopmentCertificates(folder)).made).toBe(false);
      const now = new Date(Date.now() + 2 * DAY);
      await expect(ensureDevelopmentCertificates(folder, { now })).rejects.toMatchObject(refusal);
      expect((await contents(folder)).slice(1)).toEqual(before);
      expect((await readdir(folder)).sort()).toEqual(TRIO);
      expect((await ensureDevelopmentCertificates(folder, { force: true })).made).toBe(true);
    });
  });

  test.each<[string, (folder: string) => Promise<string>, RegExp]>([
    ['closed to us', (folder) => mkdir(join(folder, 'dir'), { mode: 0o500 }).then(() => join(folder, 'dir')), /EACCES/],
    ['in a folder closed to us', async (folder) => join(folder, 'dir'), /EACCES/],
    [
      'below a file',
      (folder) => writeFile(join(folder, 'f'), '').then(() => join(folder, 'f', 'dir')),
      /a file is in its place/,
    ],
    [
      'that is a file',
      (folder) => writeFile(join(folder, 'f'), '').then(() => join(folder, 'f')),
      /a file is in its place/,
    ],
    ['that the system refuses', async () => '/dev/null/certs', /a file is in its place/],
  ])('says so in one line when the folder is one %s', async (_, prepare, reason) => {
    await inFolder(async (folder) => {
      const dir = await prepare(folder);
      await chmod(folder, 0o555);
      const error = await unprivileged(() => ensureDevelopmentCertificates(dir).catch((thrown: Error) => thrown));
      await chmod(folder, 0o755);
      expect(error).toMatchObject({ code: 'unwritable', message: expect.stringMatching(reason) });
      expect((error as Error).message).toContain(`folder ${dir} `);
      expect((error as Error).message).not.toContain('\n');
    });
  });

  test('leaves no drafts and no lock when it fails half-way', async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'tls.crt'));
      await expect(ensureDevelopmentCertificates(folder)).rejects.toMatchObject({ code: 'unwritable' });
      expect(await readdir(folder)).not.toContain(LOCK);
    });
  });
});

describe('several at once', () => {
  test('8 calls in one empty folder end with one trio, made once', async () => {
    await inFolder(async (folder) => {
      const calls = await Promise.all(Array.from({ length: 8 }, () => ensureDevelopmentCertificates(folder)));
      expect(calls.filter(({ made }) => made)).toHaveLength(1);
      await expectConsistent(folder);
    });
  });

  test('8 processes too; the encoder is loaded only by the one that makes', async () => {
    await inFolder(async (folder) => {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => inProcess(folder)));
      expect(outcomes.filter(({ made }) => made)).toEqual([expect.objectContaining({ made: true, encoder: true })]);
      expect(new Set(outcomes.map(({ trio }) => trio)).size).toBe(1);
      expect(outcomes.filter(({ made }) => !made).every(({ encoder }) => !encoder)).toBe(true);
      await expectConsistent(folder);
    });
  }, 30_000);

  test('8 forced ones take turns', async () => {
    await inFolder(async (folder) => {
      const calls = Array.from({ length: 8 }, () => ensureDevelopmentCertificates(folder, { force: true }));
      expect((await Promise.all(calls)).every(({ made }) => made)).toBe(true);
      await expectConsistent(folder);
    });
  });

  test('waits for the one at work, and takes what it made', async () => {
    await inFolder(async (folder) => {
      await ensureDevelopmentCertificates(join(folder, 'elsewhere'));
      const dir = join(folder, 'dir');
      await mkdir(join(dir, LOCK), { recursive: true });
      const waiting = ensureDevelopmentCertificates(dir);
      for (const name of TRIO) await cp(join(folder, 'elsewhere', name), join(dir, name));
      await rm(join(dir, LOCK), { recursive: true });
      expect((await waiting).made).toBe(false);
      expect(await contents(dir)).toEqual(await contents(join(folder, 'elsewhere')));
    });
  });

  test.each([
    ['old', -60],
    ['from a clock ahead', 60],
  ])('takes over from one that died: a lock that is %s', async (_, seconds) => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, LOCK));
      await writeFile(join(folder, LOCK, 'draft'), 'half a key');
      const then = Date.now() / 1000 + seconds;
      await utimes(join(folder, LOCK), then, then);
      const calls = await Promise.all(Array.from({ length: 8 }, () => ensureDevelopmentCertificates(folder)));
      expect(calls.filter(({ made }) => made)).toHaveLength(1);
      await expectConsistent(folder);
    });
  });

  test('one whose lock was taken over writes nothing, and looks again', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'file');
      let calls = 0;
      const wrote = await writeAlone(folder, async () => {
        calls++;
        if (calls === 2) expect((await readdir(folder)).sort()).toEqual([LOCK, 'grave']);
        if (calls === 1) await rename(join(folder, LOCK), join(folder, 'grave'));
        return [{ file, text: `call ${calls}`, mode: 0o644 }];
      });
      expect({ wrote, calls, text: await readFile(file, 'utf8') }).toEqual({ wrote: true, calls: 2, text: 'call 2' });
    });
  });

  test("never removes the lock of another that is at work, nor swallows the maker's own error", async () => {
    await inFolder(async (folder) => {
      const attempt = writeAlone(folder, async () => {
        await rm(join(folder, LOCK), { recursive: true });
        await mkdir(join(folder, LOCK));
        await writeFile(join(folder, LOCK, 'draft of another'), '');
        throw new Error('my own');
      });
      await expect(attempt).rejects.toThrow('my own');
      expect(await readdir(join(folder, LOCK))).toEqual(['draft of another']);
    });
  });
});

async function contents(folder: string): Promise<[string, string, string]> {
  const [ca = '', cert = '', key = ''] = await Promise.all(
    TRIO.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return [ca, cert, key];
}

async function expectConsistent(folder: string): Promise<void> {
  expect((await readdir(folder)).sort()).toEqual(TRIO);
  const [ca, cert] = await contents(folder);
  await loadCertificate({ certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') });
  expect(new X509Certificate(cert).verify(new X509Certificate(ca).publicKey)).toBe(true);
}

function block(body: string): string {
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
}

async function inProcess(folder: string): Promise<{ made: boolean; encoder: boolean; trio?: string }> {
  const source = new URL('../../src/tls/development.ts', import.meta.url);
  const script = `
    import { createRequire } from 'node:module';
    import { readFileSync } from 'node:fs';
    import { ensureDevelopmentCertificates } from ${JSON.stringify(source)};
    const { made, caFile, certFile, keyFile } = await ensureDevelopmentCertificates(${JSON.stringify(folder)});
    const trio = [caFile, certFile, keyFile].map((file) => readFileSync(file, 'utf8')).join('');
    const encoder = Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('node-forge'));
    console.log(JSON.stringify({ made, encoder, trio }));`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

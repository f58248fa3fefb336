import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { ensureDevelopmentCertificates } from '../../../src/certificates/development.ts';
import { loadCertificate } from '../../../src/certificates/load-certificate.ts';
import { newFolder, unprivileged } from '../../support/folder.ts';
import { DAY, issue, writePair } from './fixtures.ts';

const LOCK = '.making-certificates';
const FILES = ['ca.crt', 'tls.crt', 'tls.key'];

async function contents(folder: string): Promise<[string, string, string]> {
  const texts = await Promise.all(FILES.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return texts as [string, string, string];
}

async function expectConsistent(folder: string): Promise<void> {
  expect((await readdir(folder)).sort()).toEqual(FILES);
  const [ca, cert] = await contents(folder);
  await loadCertificate({ certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') });
  expect(new X509Certificate(cert).verify(new X509Certificate(ca).publicKey)).toBe(true);
}

test('three files in a new folder, for the names of this machine', async () => {
  const folder = newFolder().path;
  const dir = join(folder, 'not', 'there', 'yet');
  const made = await ensureDevelopmentCertificates(dir);
  expect(made.made).toBe(true);
  expect((await readdir(dir)).sort()).toEqual(FILES);
  expect((await stat(made.keyFile)).mode & 0o777).toBe(0o600);
  const loaded = await loadCertificate(made);
  expect(loaded.names).toEqual(['localhost', '127.0.0.1', '::1', 'host.docker.internal']);
});

test('good files stay, also where they may not be written; force makes new ones', async () => {
  const folder = newFolder().path;
  await ensureDevelopmentCertificates(folder);
  const before = await contents(folder);
  await chmod(folder, 0o555);
  await chmod(join(folder, 'tls.key'), 0o644);
  expect((await unprivileged(() => ensureDevelopmentCertificates(folder))).made).toBe(false);
  await chmod(folder, 0o755);
  expect(await contents(folder)).toEqual(before);
  expect((await ensureDevelopmentCertificates(folder, { force: true })).made).toBe(true);
  for (const [index, text] of (await contents(folder)).entries()) expect(text).not.toBe(before[index]);
  await expectConsistent(folder);
});

test.each<[string, (folder: string) => Promise<unknown>]>([
  ['no ca.crt', (folder) => rm(join(folder, 'ca.crt'))],
  ['no tls.crt', (folder) => rm(join(folder, 'tls.crt'))],
  ['no tls.key', (folder) => rm(join(folder, 'tls.key'))],
  [
    'a tls.crt cut off',
    async (folder) => writeFile(join(folder, 'tls.crt'), (await contents(folder))[1].slice(0, 300)),
  ],
  ['the key of another', async (folder) => writeFile(join(folder, 'tls.key'), (await issue()).key)],
  ['the leaf as CA', (folder) => cp(join(folder, 'tls.crt'), join(folder, 'ca.crt'))],
])('files that do not fit are made anew: %s', async (_, spoil) => {
  const folder = newFolder().path;
  await ensureDevelopmentCertificates(folder);
  const [, , key] = await contents(folder);
  await spoil(folder);
  expect((await ensureDevelopmentCertificates(folder)).made).toBe(true);
  await expectConsistent(folder);
  expect((await contents(folder))[2]).not.toBe(key);
});

test.each([
  ['59 days later', 59 * DAY, false],
  ['61 days later, with less than 30 to go', 61 * DAY, true],
  ['a day before, by a clock set back', -DAY, true],
])('they are renewed in time: %s', async (_, later, made) => {
  const folder = newFolder().path;
  await ensureDevelopmentCertificates(folder);
  const now = new Date(Date.now() + later);
  expect((await ensureDevelopmentCertificates(folder, { now })).made).toBe(made);
});

test("another's good files are used to their last day, and never overwritten unless forced", async () => {
  const folder = newFolder().path;
  const foreign = await issue(new Date(Date.now() - 89 * DAY));
  await writePair(folder, foreign);
  const before = (await contents(folder)).slice(1);
  const refusal = { message: expect.stringContaining('was not made by muster') };
  await expect(ensureDevelopmentCertificates(folder)).rejects.toMatchObject(refusal);
  await writeFile(join(folder, 'ca.crt'), foreign.ca);
  expect((await ensureDevelopmentCertificates(folder)).made).toBe(false);
  const now = new Date(Date.now() + 2 * DAY);
  await expect(ensureDevelopmentCertificates(folder, { now })).rejects.toMatchObject(refusal);
  expect((await contents(folder)).slice(1)).toEqual(before);
  expect((await ensureDevelopmentCertificates(folder, { force: true })).made).toBe(true);
});

test.each<[string, string, (file: string) => Promise<unknown>]>([
  [
    'a key alone, as while its certificate is requested',
    'tls.key',
    async (file) => writeFile(file, (await issue()).key),
  ],
  [
    'a certificate that is not PEM',
    'tls.crt',
    async (file) => writeFile(file, new X509Certificate((await issue()).cert).raw),
  ],
  ['a certificate that may not be read', 'tls.crt', async (file) => writeFile(file, (await issue()).cert, { mode: 0 })],
  ['a CA alone', 'ca.crt', async (file) => writeFile(file, (await issue()).ca)],
])("another's file is not overwritten: %s", async (_, name, prepare) => {
  const folder = newFolder().path;
  await chmod(folder, 0o777);
  await prepare(join(folder, name));
  const error = await unprivileged(() => ensureDevelopmentCertificates(folder).catch((thrown: Error) => thrown));
  expect(error).toMatchObject({ message: expect.stringContaining(join(folder, name)) });
  expect(await readdir(folder)).toEqual([name]);
});

test("another's CA beside muster's certificate is not overwritten unless forced", async () => {
  const folder = newFolder().path;
  await ensureDevelopmentCertificates(folder);
  const { ca } = await issue();
  await writeFile(join(folder, 'ca.crt'), ca);
  const refusal = { message: expect.stringContaining(join(folder, 'ca.crt')) };
  await expect(ensureDevelopmentCertificates(folder)).rejects.toMatchObject(refusal);
  expect(await readFile(join(folder, 'ca.crt'), 'utf8')).toBe(ca);
  expect((await ensureDevelopmentCertificates(folder, { force: true })).made).toBe(true);
});

test.each<[string, (folder: string) => Promise<string>, RegExp]>([
  [
    'may not be written',
    (folder) => mkdir(join(folder, 'dir'), { mode: 0o500 }).then(() => join(folder, 'dir')),
    /EACCES/,
  ],
  [
    'is below a file',
    (folder) => writeFile(join(folder, 'f'), '').then(() => join(folder, 'f', 'dir')),
    /a file is in/,
  ],
  ['is a file', (folder) => writeFile(join(folder, 'f'), '').then(() => join(folder, 'f')), /a file is in its place/],
])('a folder that %s is an error of one line', async (_, prepare, reason) => {
  const folder = newFolder().path;
  const dir = await prepare(folder);
  await chmod(folder, 0o555);
  const error = await unprivileged(() => ensureDevelopmentCertificates(dir).catch((thrown: Error) => thrown));
  await chmod(folder, 0o755);
  expect(error).toMatchObject({ message: expect.stringMatching(reason) });
  expect((error as Error).message).toContain(`folder ${dir} `);
});

describe('several at once', () => {
  test('8 calls, 8 forced ones, and a lock that a dead process left: each time files that belong together', async () => {
    const folder = newFolder().path;
    await writeFile(join(folder, LOCK), '');
    const then = Date.now() / 1000 - 60;
    await utimes(join(folder, LOCK), then, then);
    for (const force of [false, true]) {
      const calls = Array.from({ length: 8 }, () => ensureDevelopmentCertificates(folder, { force }));
      expect((await Promise.all(calls)).filter(({ made }) => made)).toHaveLength(force ? 8 : 1);
      await expectConsistent(folder);
    }
  });

  test('8 processes: one makes them, and only that one loads the encoder', async () => {
    const folder = newFolder().path;
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => inProcess(folder)));
    expect(outcomes.filter(({ made }) => made)).toEqual([expect.objectContaining({ made: true, encoder: true })]);
    expect(new Set(outcomes.map(({ texts }) => texts)).size).toBe(1);
    expect(outcomes.filter(({ made }) => !made).every(({ encoder }) => !encoder)).toBe(true);
    await expectConsistent(folder);
  });
});

async function inProcess(folder: string): Promise<{ made: boolean; encoder: boolean; texts?: string }> {
  const source = new URL('../../../src/certificates/development.ts', import.meta.url);
  const script = `
    import { createRequire } from 'node:module';
    import { readFileSync } from 'node:fs';
    import { ensureDevelopmentCertificates } from ${JSON.stringify(source)};
    const { made, caFile, certFile, keyFile } = await ensureDevelopmentCertificates(${JSON.stringify(folder)});
    const texts = [caFile, certFile, keyFile].map((file) => readFileSync(file, 'utf8')).join('');
    const encoder = Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('node-forge'));
    console.log(JSON.stringify({ made, encoder, texts }));`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

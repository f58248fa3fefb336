import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import forge from 'node-forge';
import { CertificateError } from '../../../src/certificates/error.ts';
import { loadCertificate } from '../../../src/certificates/load-certificate.ts';
import { type Certificate, signCertificate } from '../../../src/certificates/x509.ts';
import { newFolder, unprivileged } from '../../support/folder.ts';
import { DAY, echoServer, handshake, issue, type Pair, writePair } from './fixtures.ts';

const made = await issue();
const other = await issue();
const keyText = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('loadCertificate', () => {
  test('answers what a server needs', async () => {
    const folder = newFolder().path;
    const loaded = await loadCertificate(await writePair(folder, made));
    expect(loaded).toEqual({
      cert: expect.stringContaining('BEGIN CERTIFICATE'),
      key: made.key,
      issuerEndsFirst: false,
      notBefore: made.notBefore,
      notAfter: made.notAfter,
      names: ['localhost', '127.0.0.1', '::1'],
    });
  });

  test.each<[string, { cert: string; key: string }]>([
    ['Windows line ends', { cert: made.cert.replaceAll('\n', '\r\n'), key: made.key.replaceAll('\n', '\r\n') }],
    ['text around the blocks', { cert: `subject=x\n${made.cert}\nend`, key: `my key\n${made.key}` }],
    ['the root after the leaf', { cert: `${made.cert}${made.ca}`, key: made.key }],
    ['both in both files', { cert: `${made.cert}${made.key}`, key: `${made.cert}${made.key}` }],
    [
      'a SEC1 key',
      { cert: made.cert, key: createPrivateKey(made.key).export({ type: 'sec1', format: 'pem' }).toString() },
    ],
  ])('takes %s', async (_, pair) => {
    const folder = newFolder().path;
    const loaded = await loadCertificate(await writePair(folder, pair));
    expect(loaded.names).toContain('localhost');
    expect(loaded.cert).not.toContain('PRIVATE');
  });

  test('takes a chain in order, and sends it whole', async () => {
    const folder = newFolder().path;
    const { root, intermediate, leaf, key } = chain();
    const loaded = await loadCertificate(await writePair(folder, { cert: leaf + intermediate, key }));
    const { port, close } = await echoServer(loaded);
    const socket = await handshake(port, root);
    expect(socket.getPeerX509Certificate()?.issuerCertificate?.subject).toBe('CN=between');
    socket.destroy();
    await close();
  });

  test('ends with the first of those that every client needs: not with the last of several issuers', async () => {
    const folder = newFolder().path;
    const soon = new Date(made.notBefore.getTime() + DAY);
    const past = new Date(made.notBefore.getTime() - DAY);
    const { root, intermediate, leaf, key } = chain({ intermediate: { notAfter: soon }, root: { notAfter: past } });
    const cert = leaf + intermediate + root;
    const pair = await writePair(folder, { cert, key });
    expect(await loadCertificate(pair)).toMatchObject({ notAfter: soon, issuerEndsFirst: true });
    const error = await failure(pair, new Date(soon.getTime() + 1000));
    expect(error).toMatchObject({
      message: expect.stringMatching(/: its certificate 2, an issuer, ex/),
    });
  });

  const { root, intermediate, leaf, key } = chain();
  const forClients = chain({ leaf: { client: true } });
  const [encrypted, legacy] = encryptedKeys();
  test.each<[string, Partial<{ cert: string; key: string }>, string]>([
    ['empty certificate', { cert: '' }, 'certificate file CERT is empty'],
    ['blank key', { key: ' \n\n' }, 'private key file KEY is empty'],
    ['garbage certificate', { cert: '\u0000\u0001garbage' }, 'needs at least one whole'],
    ['garbage key', { key: 'garbage' }, 'needs one whole'],
    ['certificate cut off', { cert: made.cert.slice(0, 400) }, 'needs at least one whole'],
    ['certificate with a bad body', { cert: made.cert.replace(/\n.{9}/, '\nAAAAAAAAA') }, 'not an X.509'],
    ['key cut off', { key: made.key.slice(0, 100) }, 'broken or cut off'],
    ['files swapped, certificate first', { cert: made.key }, 'were the two files swapped?'],
    ['files swapped, key first', { key: made.cert }, 'were the two files swapped?'],
    ['encrypted key', { key: encrypted }, 'private key file KEY is encrypted'],
    ['old encrypted key', { key: legacy }, 'private key file KEY is encrypted'],
    ['key of another', { key: other.key }, 'KEY is not the key of certificate file CERT'],
    ['CA before the leaf', { cert: intermediate + leaf, key }, "server's own certificate first"],
    ['chain out of order', { cert: leaf + root + intermediate, key }, '2 did not issue certificate 1'],
    ['strange certificate in the chain', { cert: made.cert + other.ca }, '2 did not issue certificate 1'],
    ['no name', nameless(), 'names no host'],
    ['one for clients', { cert: forClients.leaf, key: forClients.key }, 'CERT is not for servers'],
    ['an issuer that is no CA', underNoCa(), 'certificate 2 is the issuer of the one before, but not a CA'],
    ['key too short for TLS', shortKey(), 'TLS refuses'],
  ])('refuses: %s', async (_, change, text) => {
    const folder = newFolder().path;
    const pair = await writePair(folder, { ...made, ...change });
    const error = await failure(pair);
    expect(error.message).toContain(text.replace('CERT', pair.certFile).replace('KEY', pair.keyFile));
    expectOneSafeLine(error, change.key ?? made.key);
  });

  test.each([
    ['expired', 91 * DAY, /tls\.crt expired at \d{4}-\d\d-\d\dT[\d:]{8}Z; renew it/],
    ['not-yet-valid', -2 * DAY, /tls\.crt is not valid before \d{4}-\d\d-\d\dT[\d:]{8}Z; check this machine's clock/],
  ])('refuses by its dates: %s', async (_, offset, text) => {
    const folder = newFolder().path;
    const pair = await writePair(folder, made);
    const error = await failure(pair, new Date(Date.now() + offset));
    expect(error.message).toMatch(text);
  });

  test('is valid from its first to its last second', async () => {
    const folder = newFolder().path;
    const pair = await writePair(folder, made);
    const { notBefore, notAfter } = made;
    await expect(loadCertificate(pair, notBefore)).resolves.toBeDefined();
    await expect(loadCertificate(pair, notAfter)).resolves.toBeDefined();
    expect((await failure(pair, new Date(notBefore.getTime() - 1))).message).toContain('is not valid before');
    expect((await failure(pair, new Date(notAfter.getTime() + 1))).message).toContain('expired at');
  });

  const unreadable: [string, (file: string) => Promise<unknown>, string][] = [
    ['missing', async () => {}, 'does not exist; check the path'],
    ['a folder', (file) => mkdir(file), 'is a folder; name the file in it'],
    ['a pipe', async (file) => execFileSync('mkfifo', [file]), 'is a pipe; name a file'],
    ['a link to itself', (file) => symlink(file, file), "can't be read (ELOOP)"],
    ['not ours to read', (file) => writeFile(file, 'x').then(() => chmod(file, 0)), 'may not be read by this user'],
  ];
  test.each(
    unreadable.flatMap(([what, ...rest]) => [
      ['certFile', what, ...rest] as const,
      ['keyFile', what, ...rest] as const,
    ]),
  )('refuses a %s that is %s', async (which, _, spoil, text) => {
    const folder = newFolder().path;
    await chmod(folder, 0o755);
    const pair = await writePair(folder, made);
    await rm(pair[which]);
    await spoil(pair[which]);
    const error = await unprivileged(() => failure(pair));
    expect(error).toMatchObject({ message: expect.stringContaining(`${pair[which]} ${text}`) });
  });

  test('any text, and any cut of a key, is an error of its own without a word of the key', async () => {
    const label = fc.constantFrom('CERTIFICATE', 'PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY', '');
    const block = fc
      .tuple(label, fc.oneof(fc.base64String(), fc.string()))
      .map(([name, body]) => `-----BEGIN ${name}-----\n${body}\n-----END ${name}-----\n`);
    const text = fc.oneof(
      fc.string(),
      block,
      fc.tuple(block, block).map(([a, b]) => a + b),
      fc.constant(made.cert),
      fc.nat(made.key.length - 30).map((cut) => made.key.slice(0, cut)),
    );
    const folder = newFolder().path;
    const run = async (cert: string, key: string) =>
      expectOneSafeLine(await failure(await writePair(folder, { cert, key })), made.key);
    await fc.assert(fc.asyncProperty(text, text, run), { numRuns: 100 });
  });
});

async function failure(pair: Pair, now?: Date): Promise<CertificateError> {
  const error = await loadCertificate(pair, now).then(
    () => new Error('it loaded'),
    (thrown: Error) => thrown,
  );
  if (error instanceof CertificateError) return error;
  throw error;
}

function expectOneSafeLine(error: CertificateError, key: string): void {
  expect(error.message).not.toContain('\n');
  const text = `${error.message} ${error.stack} ${(error.cause as Error | undefined)?.message}`;
  const secrets = key.split('\n').filter((line) => line.length >= 16 && !line.startsWith('-----'));
  expect(secrets.filter((line) => text.includes(line))).toEqual([]);
}

function chain(
  of: { leaf?: Partial<Certificate>; intermediate?: Partial<Certificate>; root?: Partial<Certificate> } = {},
) {
  const keys = ['root', 'between', 'server'].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const [top, middle, end] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]];
  const dates = { notBefore: made.notBefore, notAfter: made.notAfter };
  const sign = (subject: string, issuer: string, own: typeof top, by: typeof top, over: Partial<Certificate> = {}) => {
    const keys = { publicKey: own.publicKey, issuerPublicKey: by.publicKey };
    return signCertificate({ ...dates, subject, issuer, ...keys, names: [], ca: true, ...over }, by.privateKey);
  };
  return {
    root: sign('root', 'root', top, top, of.root),
    intermediate: sign('between', 'root', middle, top, of.intermediate),
    leaf: sign('server', 'between', end, middle, { names: ['localhost'], ca: false, ...of.leaf }),
    key: keyText(end.privateKey),
  };
}

function encryptedKeys(): [string, string] {
  const options = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' } as const;
  const key = createPrivateKey(made.key);
  return [key.export({ ...options, type: 'pkcs8' }).toString(), key.export({ ...options, type: 'sec1' }).toString()];
}

function selfSigned(subject: { publicKey: KeyObject; privateKey: KeyObject }, names: string[], ca: boolean) {
  const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { notBefore, notAfter } = made;
  const facts = { subject: 'server', issuer: 'ca', issuerPublicKey: signer.publicKey, notBefore, notAfter, names, ca };
  const cert = signCertificate({ ...facts, publicKey: subject.publicKey }, signer.privateKey);
  return { cert, key: keyText(subject.privateKey) };
}

function nameless() {
  return selfSigned(generateKeyPairSync('ec', { namedCurve: 'P-256' }), [], true);
}

/** Certificates without a key usage, as tools write them that do not ask. */
function underNoCa() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [secret, known] = [
    forge.pki.privateKeyFromPem(keyText(privateKey)),
    publicKey.export({ type: 'spki', format: 'pem' }),
  ];
  const signed = (subject: string, issuer: string) => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.publicKeyFromPem(String(known));
    certificate.serialNumber = '01';
    certificate.validity.notAfter = made.notAfter;
    certificate.setSubject([{ name: 'commonName', value: subject }]);
    certificate.setIssuer([{ name: 'commonName', value: issuer }]);
    certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }]);
    certificate.sign(secret, forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  };
  return { cert: signed('server', 'no CA') + signed('no CA', 'root'), key: keyText(privateKey) };
}

function shortKey() {
  return selfSigned(generateKeyPairSync('rsa', { modulusLength: 512 }), ['localhost'], false);
}

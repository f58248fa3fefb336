/** Loads certificates and keys, and refuses what would fail only later, in a handshake. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isIPv6, SocketAddress } from 'node:net';
import { createSecureContext } from 'node:tls';
import { formatTime } from '../base/syntax.ts';
import { CertificateError, ExpiredError } from './error.ts';

export interface CertificateFiles {
  /** PEM: the leaf first, then any intermediates, each followed by its issuer. */
  readonly certFile: string;
  /** PEM, not encrypted. May be the same file. */
  readonly keyFile: string;
}

/** A certificate and its key, which were checked. Both are PEM, for a secure context. */
export interface LoadedCertificate {
  readonly cert: string;
  readonly key: string;
  /** The time in which all certificates that clients need are valid. */
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Whether an issuer in the file expires before the certificate itself. */
  readonly issuerEndsFirst: boolean;
  /** DNS names and IP addresses, in the certificate's order. */
  readonly names: string[];
}

/**
 * Loads and checks a pair: PEM, chain order, key and leaf belong together, names, uses, dates, accepted by TLS.
 * @throws CertificateError, in one line with file and fix, without the text of a broken key or its parser's error
 */
export async function loadCertificate(files: CertificateFiles, now = new Date()): Promise<LoadedCertificate> {
  const { certFile, keyFile } = files;
  // One after the other, so that if both are missing, the error always names the first.
  const certText = await readPem(certFile, 'certificate');
  const key = await readPem(keyFile, 'private key');
  const blocks = certText.match(CERTIFICATE_BLOCK) ?? [];
  const [leaf, ...issuers] = blocks.map((block) => parseCertificate(`certificate file ${certFile}`, block));
  if (leaf === undefined) {
    const remedy = KEY_BLOCK.test(certText)
      ? 'it holds a private key; were the two files swapped?'
      : 'it needs at least one whole "-----BEGIN CERTIFICATE-----" block';
    throw new CertificateError(`certificate file ${certFile} has no PEM certificate: ${remedy}`);
  }
  const cert = `${blocks.join('\n')}\n`;
  checkKey(files, leaf, issuers, parseKey(keyFile, key));
  checkChain(certFile, [leaf, ...issuers]);
  const names = namesOf(certFile, leaf);
  // Clients use their own copy of a root. Without it, the last of several may be an old cross-signed one, which they
  // ignore.
  const below = issuers.filter((issuer) => !isIssued(issuer, issuer));
  const isCrossSigned = below.length === issuers.length && below.length > 1;
  const needed = [leaf, ...(isCrossSigned ? below.slice(0, -1) : below)];
  checkUses(certFile, needed);
  for (const [index, certificate] of needed.entries()) {
    const what = index === 0 ? '' : `: its certificate ${index + 1}, an issuer,`;
    checkDates(`certificate file ${certFile}${what}`, certificate, now);
  }
  checkUsable(files, cert, key);
  const notBefore = new Date(Math.max(...needed.map(({ validFromDate }) => validFromDate.getTime())));
  const notAfter = new Date(Math.min(...needed.map(({ validToDate }) => validToDate.getTime())));
  return { cert, key, notBefore, notAfter, issuerEndsFirst: notAfter < leaf.validToDate, names };
}

/** The CAs that may sign the certificates of callers. */
export interface ClientCa {
  readonly pem: string;
  /** When the last of them expires. */
  readonly notAfter: Date;
}

/**
 * Loads the CAs that may sign the certificates of callers. All have to be CAs, up to a root, and one root in date.
 * @throws CertificateError, in one line with file and fix
 */
export async function loadClientCa(file: string, now = new Date()): Promise<ClientCa> {
  const what = `client CA file ${file}`;
  const text = await readPem(file, 'client CA');
  const blocks = text.match(CERTIFICATE_BLOCK) ?? [];
  // A block that is cut off, as in a file that is being written, would otherwise be ignored silently.
  const isCutOff = blocks.length === 0 || blocks.length !== text.split('-----BEGIN CERTIFICATE-----').length - 1;
  const whole = 'whole "-----BEGIN CERTIFICATE-----" blocks, one for each CA';
  refuseIf(isCutOff, `${what} needs ${whole}; write it again`);
  const cas = blocks.map((block) => parseCertificate(what, block));
  const leaf = cas.findIndex(({ ca }) => !ca) + 1;
  const remedy = "name the CA that issued the callers' certificates, not one of those";
  refuseIf(leaf > 0, `${what}: its certificate ${leaf} is not a CA; ${remedy}`);
  // Node's servers accept no partial chains: without the root, all callers would be refused.
  const roots = cas.filter((ca) => isIssued(ca, ca));
  const rootless = cas.findIndex((ca) => roots.length === 0 || !cas.some((issuer) => isIssued(ca, issuer))) + 1;
  const problem = `its certificate ${rootless} is an intermediate without its issuer`;
  refuseIf(rootless > 0, `${what}: ${problem}; add the CAs above it, up to the root`);
  // Each chain ends at a root of the file.
  const notAfter = new Date(Math.max(...roots.map(({ validToDate }) => validToDate.getTime())));
  const expired = `${what} has no CA in date, the last expired at ${formatTime(notAfter)}`;
  if (notAfter < now) throw new ExpiredError(`${expired}; renew it, or check this machine's clock`);
  return { pem: `${blocks.join('\n')}\n`, notAfter };
}

/** A certificate in PEM, anywhere in a text. */
export const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Whether one certificate issued another. */
export function isIssued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Returns the names of these types from Node's text of alternative names. */
export function alternativeNames(text: string, types: readonly string[]): string[] {
  const entries = text.matchAll(/(?:^|, )([^:,]+):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return Array.from(entries).flatMap(([, type = '', value = '']) => (types.includes(type) ? [plainName(value)] : []));
}

const READ_FAILURES: Record<string, string> = {
  ENOENT: 'does not exist; check the path',
  EACCES: 'may not be read by this user; change its mode or owner',
  EPERM: 'may not be read by this user; change its mode or owner',
  EISDIR: 'is a folder; name the file in it',
};

async function readPem(file: string, what: string): Promise<string> {
  const fail = (cause: NodeJS.ErrnoException) => {
    const failure = READ_FAILURES[cause.code ?? ''] ?? `can't be read (${cause.code ?? cause.message}); check the path`;
    throw new CertificateError(`${what} file ${file} ${failure}`, { cause });
  };
  // Reading a pipe without a writer would never end.
  const isPipe = (await stat(file).catch(fail)).isFIFO();
  refuseIf(isPipe, `${what} file ${file} is a pipe; name a file, which is read again when it changes`);
  const text = await readFile(file, 'utf8').catch(fail);
  refuseIf(text.trim() === '', `${what} file ${file} is empty; write the ${what} into it, in PEM`);
  return text;
}

function refuseIf(isBad: boolean, message: string): void {
  if (isBad) throw new CertificateError(message);
}

const KEY_BLOCK = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4, *ENCRYPTED/m;

function parseCertificate(file: string, block: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (cause) {
    const message = `${file} has a PEM block that is not an X.509 certificate; write it again`;
    throw new CertificateError(message, { cause });
  }
}

function parseKey(file: string, text: string): KeyObject {
  const remedy = 'muster asks for no passphrase; give the key unencrypted, in a file that only its user can read';
  refuseIf(ENCRYPTED.test(text), `private key file ${file} is encrypted: ${remedy}`);
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateError(`private key file ${file} has no usable PEM key: ${keyRemedy(text)}`);
  }
}

function keyRemedy(text: string): string {
  if (KEY_BLOCK.test(text)) return 'its key block is broken or cut off; write it again';
  if (text.includes('-----BEGIN CERTIFICATE-----')) return 'it holds a certificate; were the two files swapped?';
  return 'it needs one whole "-----BEGIN PRIVATE KEY-----" block';
}

function checkKey(
  { certFile, keyFile }: CertificateFiles,
  leaf: X509Certificate,
  issuers: readonly X509Certificate[],
  key: KeyObject,
): void {
  if (leaf.checkPrivateKey(key)) return;
  const isBehind = issuers.some((issuer) => issuer.checkPrivateKey(key));
  const order = "is out of order: put the server's own certificate first, then its issuers";
  refuseIf(isBehind, `certificate file ${certFile} ${order}`);
  const problem = `private key file ${keyFile} is not the key of certificate file ${certFile}`;
  throw new CertificateError(`${problem}; give the two that were made together`);
}

function checkChain(file: string, chain: readonly X509Certificate[]): void {
  for (const [index, issuer] of chain.entries()) {
    const issued = chain[index - 1];
    const message =
      `certificate file ${file} is out of order: its certificate ${index + 1} did not issue certificate ${index}; ` +
      `put the server's own first, then each one's issuer`;
    refuseIf(issued !== undefined && !isIssued(issued, issuer), message);
  }
}

function namesOf(file: string, leaf: X509Certificate): string[] {
  const names = alternativeNames(leaf.subjectAltName ?? '', ['DNS', 'IP Address']);
  const remedy = 'clients ignore the common name; issue it with subject alternative names';
  refuseIf(names.length === 0, `certificate file ${file} names no host: ${remedy}`);
  return names;
}

/** Node quotes unusual names as JSON, and writes IPv6 addresses without "::". */
function plainName(value: string): string {
  if (value.startsWith('"')) return String(JSON.parse(value));
  return isIPv6(value) ? new SocketAddress({ address: value, family: 'ipv6' }).address : value;
}

const SERVER_USES = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];

/** Refuses what an API server (Go) would: a certificate for clients only, and an intermediate that is not a CA. */
function checkUses(file: string, [leaf, ...issuers]: readonly X509Certificate[]): void {
  // The extended key usage (RFC 5280, 4.2.1.12): by their OIDs, servers or any use.
  const isForServers = leaf?.keyUsage?.some((use) => SERVER_USES.includes(use)) ?? true;
  const remedy = 'issue it with the extended key usage serverAuth; was it mixed up with a certificate for clients?';
  refuseIf(!isForServers, `certificate file ${file} is not for servers: ${remedy}`);
  const noCa = issuers.findIndex(({ ca }) => !ca) + 2;
  const problem = `its certificate ${noCa} is the issuer of the one before, but not a CA`;
  refuseIf(noCa > 1, `certificate file ${file}: ${problem}; issue the certificate by a CA`);
}

function checkDates(what: string, { validFromDate: from, validToDate: to }: X509Certificate, now: Date): void {
  refuseIf(now < from, `${what} is not valid before ${formatTime(from)}; check this machine's clock, or wait`);
  const expired = `${what} expired at ${formatTime(to)}`;
  if (now > to) throw new ExpiredError(`${expired}; renew it, or check this machine's clock`);
}

/** Refuses what TLS does not accept, such as a key that is too short. */
function checkUsable({ certFile, keyFile }: CertificateFiles, cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    const message =
      `TLS refuses certificate file ${certFile} with private key file ${keyFile} (${reason}); issue them again, ` +
      'with EC P-256 or RSA of 2048 bits or more';
    throw new CertificateError(message);
  }
}

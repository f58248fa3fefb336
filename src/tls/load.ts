/** Reads a certificate and its key, and refuses what would only fail later, in a handshake. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIPv6, SocketAddress } from 'node:net';
import { createSecureContext } from 'node:tls';
import { CertificateError } from './error.ts';

export interface CertificateFiles {
  /** PEM: the leaf first, then any intermediates, each followed by its issuer. */
  readonly certFile: string;
  /** PEM, not encrypted. May be the same file. */
  readonly keyFile: string;
}

/** A pair that was checked; `cert` and `key` are PEM, ready for a secure context. */
export interface LoadedCertificate {
  readonly cert: string;
  readonly key: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** DNS names and IP addresses, in the certificate's order. */
  readonly names: string[];
  /** SHA-256 of the leaf, as `AB:CD:…`. */
  readonly fingerprint: string;
}

/**
 * Loads and checks a pair: PEM, chain order, key and leaf belong together, names, dates, accepted by TLS.
 * Only the leaf's dates count: clients are free to pass by an old cross-signed certificate at the chain's end.
 * @throws CertificateError one line with file and remedy; a broken key's own text or parser error is never in it.
 */
export async function loadCertificate(options: CertificateFiles & { readonly now?: Date }): Promise<LoadedCertificate> {
  const { certFile, keyFile, now = new Date() } = options;
  // One after the other: of two that are missing, the same is named each time.
  const certText = await readPem(certFile, 'certificate');
  const key = await readPem(keyFile, 'private key');
  const { leaf, issuers, cert } = parseChain(certFile, certText);
  const privateKey = parseKey(keyFile, key);
  checkKey({ certFile, keyFile }, { leaf, issuers, privateKey });
  checkChain(certFile, [leaf, ...issuers]);
  const names = namesOf(certFile, leaf);
  checkDates(certFile, leaf, now);
  checkUsable({ certFile, keyFile }, { cert, key });
  const { validFromDate: notBefore, validToDate: notAfter, fingerprint256: fingerprint } = leaf;
  return { cert, key, notBefore, notAfter, names, fingerprint };
}

/** A certificate in PEM, wherever it stands in a text. */
export const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** A moment for people: UTC, in whole seconds. */
export function moment(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const READ_FAILURES: Record<string, string> = {
  ENOENT: 'does not exist; check the path',
  EACCES: 'may not be read by this user; change its mode or owner',
  EPERM: 'may not be read by this user; change its mode or owner',
  EISDIR: 'is a folder; name the file in it',
};

/** Text of a file that must not be empty. @throws CertificateError */
export async function readPem(file: string, what: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const failure = READ_FAILURES[cause.code ?? ''] ?? `can't be read (${cause.code ?? cause.message}); check the path`;
    throw new CertificateError('unreadable', `${what} file ${file} ${failure}`, { cause });
  });
  if (text.trim() !== '') return text;
  throw new CertificateError('empty', `${what} file ${file} is empty; write the ${what} into it, in PEM`);
}

const KEY_BLOCK = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4, *ENCRYPTED/m;

function parseChain(file: string, text: string) {
  const blocks = text.match(CERTIFICATE_BLOCK) ?? [];
  const [leaf, ...issuers] = blocks.map((block) => parseCertificate(file, block));
  if (leaf !== undefined) return { leaf, issuers, cert: `${blocks.join('\n')}\n` };
  const remedy = KEY_BLOCK.test(text)
    ? 'it holds a private key; were the two files swapped?'
    : 'it needs at least one whole "-----BEGIN CERTIFICATE-----" block';
  throw new CertificateError('not-pem', `certificate file ${file} has no PEM certificate: ${remedy}`);
}

function parseCertificate(file: string, block: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (cause) {
    const message = `certificate file ${file} has a PEM block that is no X.509 certificate; write it again`;
    throw new CertificateError('not-pem', message, { cause });
  }
}

function parseKey(file: string, text: string): KeyObject {
  if (ENCRYPTED.test(text)) {
    const remedy = 'muster asks for no passphrase; give the key unencrypted, in a file that only its user can read';
    throw new CertificateError('encrypted-key', `private key file ${file} is encrypted: ${remedy}`);
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateError('not-pem', `private key file ${file} has no usable PEM key: ${keyRemedy(text)}`);
  }
}

function keyRemedy(text: string): string {
  if (KEY_BLOCK.test(text)) return 'its key block is broken or cut off; write it again';
  if (text.includes('-----BEGIN CERTIFICATE-----')) return 'it holds a certificate; were the two files swapped?';
  return 'it needs one whole "-----BEGIN PRIVATE KEY-----" block';
}

interface Parsed {
  readonly leaf: X509Certificate;
  readonly issuers: readonly X509Certificate[];
  readonly privateKey: KeyObject;
}

function checkKey({ certFile, keyFile }: CertificateFiles, { leaf, issuers, privateKey }: Parsed): void {
  if (leaf.checkPrivateKey(privateKey)) return;
  if (issuers.some((issuer) => issuer.checkPrivateKey(privateKey))) {
    const message = `certificate file ${certFile} is out of order: put the server's own certificate first, then its issuers`;
    throw new CertificateError('chain-order', message);
  }
  const message = `private key file ${keyFile} is not the key of certificate file ${certFile}; give the two that were made together`;
  throw new CertificateError('key-mismatch', message);
}

function checkChain(file: string, chain: readonly X509Certificate[]): void {
  for (const [index, issuer] of chain.entries()) {
    const issued = chain[index - 1];
    if (issued === undefined || (issued.checkIssued(issuer) && issued.verify(issuer.publicKey))) continue;
    const message = `certificate file ${file} is out of order: its certificate ${index + 1} did not issue certificate ${index}; put the server's own first, then each one's issuer`;
    throw new CertificateError('chain-order', message);
  }
}

function namesOf(file: string, leaf: X509Certificate): string[] {
  const names = alternativeNames(leaf.subjectAltName ?? '', ['DNS', 'IP Address']);
  if (names.length > 0) return names;
  const message = `certificate file ${file} names no host: clients ignore the common name; issue it with subject alternative names`;
  throw new CertificateError('no-names', message);
}

/** The names of these types in Node's text of them, in their order. */
export function alternativeNames(text: string, types: readonly string[]): string[] {
  const entries = text.matchAll(/(?:^|, )([^:,]+):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return Array.from(entries).flatMap(([, type = '', value = '']) => (types.includes(type) ? [plainName(value)] : []));
}

/** Node quotes unusual names as JSON, and writes IPv6 addresses without "::". */
function plainName(value: string): string {
  if (value.startsWith('"')) return String(JSON.parse(value));
  return isIPv6(value) ? new SocketAddress({ address: value, family: 'ipv6' }).address : value;
}

function checkDates(file: string, leaf: X509Certificate, now: Date): void {
  const { validFromDate: from, validToDate: to } = leaf;
  if (now < from) {
    const message = `certificate file ${file} is not valid before ${moment(from)}; check this machine's clock, or wait`;
    throw new CertificateError('not-yet-valid', message);
  }
  if (now <= to) return;
  const message = `certificate file ${file} expired at ${moment(to)}; renew it, or check this machine's clock`;
  throw new CertificateError('expired', message);
}

/** What is left, such as a key too short for TLS. */
function checkUsable({ certFile, keyFile }: CertificateFiles, pair: { cert: string; key: string }): void {
  try {
    createSecureContext(pair);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    const message = `TLS refuses certificate file ${certFile} with private key file ${keyFile} (${reason}); issue them again, with EC P-256 or RSA of 2048 bits or more`;
    throw new CertificateError('unusable', message);
  }
}

/** Who may call a TLS server, and how: the client CA as a file, the names a caller shows, and what TLS itself must offer. */
import { X509Certificate } from 'node:crypto';
import type { PeerCertificate, TlsOptions } from 'node:tls';
import { CertificateError } from './error.ts';
import { alternativeNames, CERTIFICATE_BLOCK, moment, readPem } from './load.ts';

/** TLS 1.3's own, and of TLS 1.2's those with forward secrecy and authenticated encryption. */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');

/**
 * Returns the TLS options of a server but for its own certificate. With `clientCa` (PEM), a caller without a certificate of it gets no handshake;
 * undefined: anyone may call.
 */
export function tlsOptions(clientCa: string | undefined): TlsOptions {
  const options: TlsOptions = { minVersion: 'TLSv1.2', ciphers: CIPHERS };
  return clientCa === undefined ? options : { ...options, ca: clientCa, requestCert: true, rejectUnauthorized: true };
}

/**
 * Loads the CAs whose certificates callers may show: PEM, each a CA, up to its root, at least one in date.
 * @throws CertificateError one line with file and remedy
 */
export async function loadClientCa(file: string, now = new Date()): Promise<string> {
  const text = await readPem(file, 'client CA');
  const blocks = text.match(CERTIFICATE_BLOCK) ?? [];
  // One cut off, as in a file half written, would otherwise be a CA lost in silence.
  if (blocks.length === 0 || blocks.length !== text.split('-----BEGIN CERTIFICATE-----').length - 1) {
    const message = `client CA file ${file} needs whole "-----BEGIN CERTIFICATE-----" blocks, one for each CA; write it again`;
    throw new CertificateError('not-pem', message);
  }
  const cas = blocks.map((block, index) => parsedCa(file, block, index + 1));
  // A server's `setSecureContext` knows no partial chains: without the root no caller would ever get in.
  const rootless = cas.findIndex((ca) => !cas.some((issuer) => ca.checkIssued(issuer) && ca.verify(issuer.publicKey)));
  if (rootless >= 0) {
    const message = `client CA file ${file}: its certificate ${rootless + 1} is an intermediate without its issuer; add the CAs above it, up to the root`;
    throw new CertificateError('chain-order', message);
  }
  if (cas.every(({ validToDate }) => validToDate < now)) {
    const last = new Date(Math.max(...cas.map(({ validToDate }) => validToDate.getTime())));
    const message = `client CA file ${file} has no CA in date, the last expired at ${moment(last)}; renew it, or check this machine's clock`;
    throw new CertificateError('expired', message);
  }
  return `${blocks.join('\n')}\n`;
}

/** The names a caller's certificate shows: common names, DNS names, IP addresses and URIs. Empty without one. */
export function callerNames(certificate: Partial<PeerCertificate> | undefined): string[] {
  // Typed as text by Node's types, but a list where the subject has several.
  const common = [certificate?.subject?.CN ?? []].flat();
  return [...common, ...alternativeNames(certificate?.subjectaltname ?? '', ['DNS', 'IP Address', 'URI'])];
}

function parsedCa(file: string, block: string, place: number): X509Certificate {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(block);
  } catch (cause) {
    const message = `client CA file ${file} has a PEM block that is no X.509 certificate; write it again`;
    throw new CertificateError('not-pem', message, { cause });
  }
  if (certificate.ca) return certificate;
  const message = `client CA file ${file}: its certificate ${place} is no CA; name the CA that issued the callers' certificates, not one of those`;
  throw new CertificateError('unusable', message);
}

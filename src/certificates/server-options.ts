/** The TLS options of a server, and the names that a caller's certificate shows. */
import type { PeerCertificate, TlsOptions } from 'node:tls';
import { alternativeNames } from './load-certificate.ts';

/** The ciphers of TLS 1.3, and those of TLS 1.2 with forward secrecy and authenticated encryption. */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');

/**
 * Returns the TLS options of a server, without its certificate.
 * @param clientCa in PEM: only callers with a certificate of this CA can connect; undefined: anyone can
 */
export function tlsOptions(clientCa: string | undefined): TlsOptions {
  const options: TlsOptions = { minVersion: 'TLSv1.2', ciphers: CIPHERS };
  return clientCa === undefined ? options : { ...options, ca: clientCa, requestCert: true, rejectUnauthorized: true };
}

/** Returns the common names, DNS names, IP addresses and URIs of a caller's certificate; none without a certificate. */
export function callerNames(certificate: Partial<PeerCertificate> | undefined): string[] {
  // A text in Node's types, but a list if the subject has several.
  const common = [certificate?.subject?.CN ?? []].flat();
  return [...common, ...alternativeNames(certificate?.subjectaltname ?? '', ['DNS', 'IP Address', 'URI'])];
}

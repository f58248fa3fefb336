/** The TLS options of a server, and the names that a caller's certificate shows. */
import type { PeerCertificate, TlsOptions } from 'node:tls';
import { alternativeNames } from './load-certificate.ts';

/** Those of TLS 1.3, and of TLS 1.2 those with forward secrecy and authenticated encryption. */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');

/**
 * Returns the TLS options of a server without its certificate. With `clientCa` (PEM), only callers with a certificate
 * of that CA get a handshake; undefined: anyone may call.
 */
export function tlsOptions(clientCa: string | undefined): TlsOptions {
  const options: TlsOptions = { minVersion: 'TLSv1.2', ciphers: CIPHERS };
  return clientCa === undefined ? options : { ...options, ca: clientCa, requestCert: true, rejectUnauthorized: true };
}

/** Returns the common names, DNS names, IP addresses and URIs of a caller's certificate; empty without one. */
export function callerNames(certificate: Partial<PeerCertificate> | undefined): string[] {
  // Typed as text by Node's types, but a list where the subject has several.
  const common = [certificate?.subject?.CN ?? []].flat();
  return [...common, ...alternativeNames(certificate?.subjectaltname ?? '', ['DNS', 'IP Address', 'URI'])];
}

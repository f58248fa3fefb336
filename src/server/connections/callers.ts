/** Callers who must show a certificate: whoever can't is gone before a request of theirs is read. */
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { callerNames } from '../../tls/callers.ts';

export interface Callers {
  /** PEM: the CAs that vouch for them. */
  readonly ca: string;
  /** One of these must be in the certificate; none: the CA is enough. */
  readonly names: readonly string[];
  /** Hears the names of a caller who showed a good certificate with none of them. */
  refused(shown: readonly string[]): void;
}

/** What TLS sees to by itself: without a certificate under the CA, no handshake. */
export function handshakeOf(callers: Callers | undefined): { requestCert?: true; rejectUnauthorized?: true } {
  return callers === undefined ? {} : { requestCert: true, rejectUnauthorized: true };
}

/**
 * Closes a connection whose certificate has none of the names, before HTTP hears of it. To the API server that is a failed
 * call like any other, and to a stranger it tells nothing.
 */
export function admitByName(server: Server, { names, refused }: Callers): void {
  if (names.length === 0) return;
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const shown = callerNames(socket.getPeerCertificate());
    if (shown.some((name) => names.includes(name))) return;
    socket.destroy();
    refused(shown);
  });
}

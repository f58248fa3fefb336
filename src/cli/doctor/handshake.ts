/** A TLS handshake with a server, to see what it presents. It is trusted with nothing. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';

export interface Address {
  readonly host: string;
  readonly port: number;
  /** What the API server expects the server to be called. */
  readonly name: string;
}

export type Handshake =
  | {
      readonly kind: 'presented';
      /** Leaf first. */
      readonly chain: readonly X509Certificate[];
      /** Whether this machine's own roots vouch for it. */
      readonly publiclyTrusted: boolean;
    }
  | { readonly kind: 'failed'; readonly reason: string };

const TIMEOUT_MS = 5000;

/** Never rejects. */
export function shakeHands({ host, port, name }: Address, timeoutMs = TIMEOUT_MS): Promise<Handshake> {
  return new Promise((resolve) => {
    const servername = isIP(name) ? {} : { servername: name };
    // Nothing is sent: what is presented is judged by the caller, with the caBundle.
    const socket = connect({
      host,
      port,
      ...servername,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    const end = (result: Handshake) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end({ kind: 'failed', reason: 'no answer in time' }), timeoutMs);
    socket.on('error', (error: NodeJS.ErrnoException) => end({ kind: 'failed', reason: error.code ?? error.message }));
    socket.once('close', () => end({ kind: 'failed', reason: 'the connection was closed during the handshake' }));
    socket.once('secureConnect', () => {
      end({ kind: 'presented', chain: chainOf(socket.getPeerCertificate(true)), publiclyTrusted: socket.authorized });
    });
  });
}

function chainOf(leaf: PeerCertificate): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<string>();
  let each: PeerCertificate & { issuerCertificate?: PeerCertificate } = leaf;
  while (each?.raw !== undefined && !seen.has(each.fingerprint256)) {
    seen.add(each.fingerprint256);
    chain.push(new X509Certificate(each.raw));
    if (each.issuerCertificate === undefined) break;
    each = each.issuerCertificate;
  }
  return chain;
}

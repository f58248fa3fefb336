/** Why a TLS handshake failed, in a few words that are always the same. */

export const handshakeFailures = ['our_certificate', 'caller_certificate', 'protocol', 'gone'] as const;
/**
 * `our_certificate`: the caller does not take ours, as when an API server has another CA in its registration.
 * `caller_certificate`: the caller showed none, or none under the client CA. `protocol`: no TLS, or none that is safe.
 * `gone`: the caller went away, and did not say why.
 */
export type HandshakeFailure = (typeof handshakeFailures)[number];

const CODES: readonly (readonly [RegExp, HandshakeFailure])[] = [
  [/ALERT_(?:BAD_|UNSUPPORTED_)?(?:CERTIFICATE|UNKNOWN_CA)/, 'our_certificate'],
  [/CERTIFICATE/, 'caller_certificate'],
  [/^(?:ECONNRESET|EPIPE|ETIMEDOUT|ERR_TLS_HANDSHAKE_TIMEOUT)$/, 'gone'],
];

/** Of what Node hands to `tlsClientError`: an error, and the socket, which knows of a certificate that was no good. */
export function handshakeFailureOf(
  error: { readonly code?: unknown },
  socket: { readonly authorizationError?: unknown },
): HandshakeFailure {
  if (socket.authorizationError) return 'caller_certificate';
  const code = String(error.code ?? '');
  return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'protocol';
}

/** The ports of the latest connections that the server made to itself: those handshakes are nobody else's. */
export interface OwnPorts {
  add(port: number | undefined): void;
  has(port: number | undefined): boolean;
}

/** More than one probe makes, and few enough that a stranger hardly ever comes from one of them. */
const REMEMBERED = 16;

export function createOwnPorts(): OwnPorts {
  const latest: number[] = [];
  return {
    add: (port) => {
      if (port !== undefined && latest.push(port) > REMEMBERED) latest.shift();
    },
    has: (port) => port !== undefined && latest.includes(port),
  };
}

/** Why a TLS handshake failed, as one of a few causes. */

export const handshakeFailures = ['our_certificate', 'caller_certificate', 'protocol', 'gone'] as const;
/**
 * `our_certificate`: the caller does not accept ours, as when an API server has another CA in its registration.
 * `caller_certificate`: the caller showed none, or none of the client CA. `protocol`: no TLS, or none that is safe.
 * `gone`: the caller went away without a reason.
 */
export type HandshakeFailure = (typeof handshakeFailures)[number];

const CODES: readonly (readonly [RegExp, HandshakeFailure])[] = [
  [/ALERT_(?:BAD_|UNSUPPORTED_)?(?:CERTIFICATE|UNKNOWN_CA)/, 'our_certificate'],
  [/CERTIFICATE/, 'caller_certificate'],
  [/^(?:ECONNRESET|EPIPE|ETIMEDOUT|ERR_TLS_HANDSHAKE_TIMEOUT)$/, 'gone'],
];

/** Returns the cause of a `tlsClientError`, from its error and its socket, which knows of a certificate that was rejected. */
export function handshakeFailureOf(
  error: { readonly code?: unknown },
  socket: { readonly authorizationError?: unknown },
): HandshakeFailure {
  if (socket.authorizationError) return 'caller_certificate';
  const code = String(error.code ?? '');
  return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'protocol';
}

import { expect, test } from '@jest/globals';
import { classifyHandshakeFailure } from '../../../../src/server/connections/layer.ts';

test.each([
  // As Go's client says it, over TLS 1.3 and 1.2.
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'our_certificate'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'our_certificate'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'our_certificate'],
  ['ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE', 'our_certificate'],
  ['ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE', 'caller_certificate'],
  ['ERR_SSL_CERTIFICATE_VERIFY_FAILED', 'caller_certificate'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'protocol'],
  ['ERR_SSL_HTTP_REQUEST', 'protocol'],
  ['ERR_SSL_NO_SHARED_CIPHER', 'protocol'],
  ['ECONNRESET', 'gone'],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'gone'],
  [undefined, 'protocol'],
])('%s: %s', (code, cause) => {
  expect(classifyHandshakeFailure({ code }, {})).toBe(cause);
});

test('a socket whose certificate was rejected: the caller’s certificate is the cause', () => {
  expect(classifyHandshakeFailure({ code: 'ECONNRESET' }, { authorizationError: 'X' })).toBe('caller_certificate');
});

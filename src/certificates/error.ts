import { UsageError } from '../base/usage-error.ts';

/** What can be wrong with certificate files. The codes are stable; messages may change. */
export type CertificateErrorCode =
  | 'unreadable'
  | 'empty'
  | 'not-pem'
  | 'encrypted-key'
  | 'key-mismatch'
  | 'chain-order'
  | 'no-names'
  | 'not-yet-valid'
  | 'expired'
  | 'unusable'
  | 'unwritable'
  | 'not-ours';

/** One line that names the file and the fix. It has no cause from a key parser, so that it never holds key material. */
export class CertificateError extends UsageError {
  override readonly name = 'CertificateError';
  readonly code: CertificateErrorCode;

  constructor(code: CertificateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

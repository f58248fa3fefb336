import { UsageError } from '../base/usage-error.ts';

/** The problems of certificate files. The codes are stable; messages may change. */
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

/** A problem of a certificate file. The message is one line with the file and the fix, and never has key material. */
export class CertificateError extends UsageError {
  override readonly name = 'CertificateError';
  readonly code: CertificateErrorCode;

  constructor(code: CertificateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

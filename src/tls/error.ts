/** What can be wrong with certificate files. Scripts and tests hold on to the code; people read the message. */
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

/** One line that names the file and the remedy. It never holds key material, and so takes no cause from a key parser. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly code: CertificateErrorCode;

  constructor(code: CertificateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

import { UsageError } from '../base/usage-error.ts';

/** A problem of a certificate file. The message is one line with the file and the fix, and never has key material. */
export class CertificateError extends UsageError {
  override readonly name = 'CertificateError';
}

/** The only problem that comes by itself: a certificate in use may have it, too. */
export class ExpiredError extends CertificateError {}

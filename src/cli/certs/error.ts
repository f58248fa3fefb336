/** Why `muster certs --secret` did not do what was asked. */
export class CertsError extends Error {
  override readonly name = 'CertsError';
  /** `refused`: not as asked, ever. `put-off`: a later run may do it. */
  readonly code: 'refused' | 'put-off';

  /** @param message one line with the remedy */
  constructor(code: 'refused' | 'put-off', message: string) {
    super(message);
    this.code = code;
  }
}

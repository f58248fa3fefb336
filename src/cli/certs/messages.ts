/** What a run of `muster certs --secret` prints. Names and times only; nothing of a key. */
import { plain, shorten } from '../../engine/text.ts';
import { moment } from '../../tls/load.ts';
import type { Change, Step } from '../../tls/rotation.ts';
import type { Reference } from './reference.ts';
import { KINDS, type StoredConfiguration } from './registration.ts';

/** Why a run did not do what was asked: `refused` for good, or `put-off` to a later run. The message is one line with the remedy. */
export class CertsError extends Error {
  override readonly name = 'CertsError';
  readonly code: 'refused' | 'put-off';

  constructor(code: 'refused' | 'put-off', message: string) {
    super(message);
    this.code = code;
  }
}

const CHANGES: Readonly<Record<Change, string>> = {
  tidy: 'removed what is of no use, or put back a CA that servers need',
  mark: 'noted the time from which the overlap counts',
  unmark: 'the overlap begins again, because a caBundle was changed',
  promote: 'put the new certificate to use',
  drop: 'dropped the old CA; the rotation is over',
};

export function issued(secret: Reference, why: string, until: Date): string {
  return `${nameOf(secret)}: made a CA and a certificate until ${moment(until)} (${clean(why)})`;
}

export function written(secret: Reference, what: Change): string {
  return `${nameOf(secret)}: ${CHANGES[what]}`;
}

export function bundled({ kind }: StoredConfiguration, webhook: string): string {
  return `${kind} ${webhook}: wrote the caBundle`;
}

export function missing(webhook: string, registration: readonly StoredConfiguration[]): string[] {
  const absent = KINDS.filter((kind) => !registration.some((found) => found.kind === kind));
  return absent.map((kind) => `${kind} ${webhook}: there is none, left out`);
}

/** The state, and what is due when. */
export function state(secret: Reference, { phase, next, keyring }: Extract<Step, { do: 'rest' }>): string[] {
  const leaf = (keyring.current ?? keyring.next)?.leaf;
  const until = leaf ? moment(leaf.validToDate) : 'now';
  const due = {
    serving: `Next: a rotation begins in a run from ${moment(next)} on`,
    staged: `Next: a run from ${moment(next)} on puts the new certificate of a rotation to use`,
    promoted: `Next: a run from ${moment(next)} on drops the old CA of a rotation`,
  };
  return [`${nameOf(secret)}: the certificate is good until ${until}`, due[phase]];
}

export function foreign(secret: Reference, issuer: string): CertsError {
  const message = `holds a good certificate that muster did not make (issuer ${clean(issuer)}); name another Secret, or delete this one if nothing needs it`;
  return new CertsError('refused', `${nameOf(secret)} ${message}`);
}

export function kept(what: string): CertsError {
  return new CertsError('refused', `${what} is kept by cert-manager, by its annotations; use one of the two, not both`);
}

export function unregistered(webhook: string, secret: Reference): CertsError {
  const message = `there is neither a ${KINDS.join(' nor a ')} "${webhook}" that calls a Service, to write the CA of ${nameOf(secret)} into; apply them, or check --webhook, and run this again`;
  return new CertsError('refused', message);
}

export function clocks(now: Date, ahead: number): CertsError {
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  const message = `this machine's clock is ${minutes} minutes ${ahead > 0 ? 'ahead of' : 'behind'} the API server's, which says ${moment(now)}; nothing is issued or moved on until they agree: set the one that is wrong`;
  return new CertsError('put-off', message);
}

export function issuedInVain(secret: Reference, why: string): CertsError {
  const message = `the certificate made a moment ago is no good (${clean(why)}); who else writes this Secret, or which clock jumps? A later run tries again`;
  return new CertsError('put-off', `${nameOf(secret)}: ${message}`);
}

export function outrun(secret: Reference): CertsError {
  const message = 'or the webhook configurations were changed by others during each attempt; run this again';
  return new CertsError('put-off', `${nameOf(secret)} ${message}`);
}

/** What to grant, beside what the API server answered. */
export function forbidden(answer: string, { namespace, name }: Reference, webhook: string): string {
  return `${answer}; needed are get and update on Secret ${namespace}/${name} and on both webhook configurations "${webhook}"; where the Secret is gone, apply muster's manifests again, which bring it, or grant create`;
}

/** How messages name a Secret. */
export function nameOf({ namespace, name }: Reference): string {
  return `Secret ${namespace}/${name}`;
}

function clean(text: string): string {
  return plain(shorten(text, 256));
}

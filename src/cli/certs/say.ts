/** What a run of `muster certs --secret` tells. Names and times only; nothing of a key. */
import { plain, shorten } from '../../engine/text.ts';
import { moment } from '../../tls/load.ts';
import type { Change, Step } from '../../tls/rotation.ts';
import type { Reference } from './reference.ts';
import { KINDS, type StoredConfiguration } from './registration.ts';

const CHANGES: Readonly<Record<Change, string>> = {
  tidy: 'took out what is of no use, or put back a CA that servers need',
  mark: 'noted the time from which the overlap counts',
  unmark: 'the overlap begins again, because a caBundle was changed',
  promote: 'put the new certificate to use',
  drop: 'dropped the old CA; the rotation is over',
};

export function issued(secret: Reference, why: string, until: Date): string {
  return `${of(secret)}: made a CA and a certificate until ${moment(until)} (${clean(why)})`;
}

export function written(secret: Reference, what: Change): string {
  return `${of(secret)}: ${CHANGES[what]}`;
}

export function bundled({ kind, object }: StoredConfiguration): string {
  const { name = '' } = object['metadata'] as { readonly name?: string };
  return `${kind} ${name}: wrote the caBundle`;
}

export function missing(webhook: string, registration: readonly StoredConfiguration[]): string[] {
  const absent = KINDS.filter((kind) => !registration.some((found) => found.kind === kind));
  return absent.map((kind) => `${kind} ${webhook}: there is none, left out`);
}

/** How it stands, and what is due when. */
export function rest(secret: Reference, { phase, next, keyring }: Extract<Step, { do: 'rest' }>): string[] {
  const leaf = (keyring.current ?? keyring.next)?.leaf;
  const until = leaf ? moment(leaf.validToDate) : 'now';
  const due = {
    serving: `Next: a rotation begins in a run from ${moment(next)} on`,
    staged: `Next: a run from ${moment(next)} on puts the new certificate of a rotation to use`,
    promoted: `Next: a run from ${moment(next)} on drops the old CA of a rotation`,
  };
  return [`${of(secret)}: the certificate is good until ${until}`, due[phase]];
}

export function foreign(secret: Reference, issuer: string): string {
  return `${of(secret)} holds a good certificate that muster did not make (issuer ${clean(issuer)}); name another Secret, or delete this one if nothing needs it`;
}

export function kept(what: string): string {
  return `${what} is kept by cert-manager, by its annotations; use one of the two, not both`;
}

export function unregistered(webhook: string, secret: Reference): string {
  return `there is neither a ${KINDS.join(` nor a `)} "${webhook}" to tell the CA of ${of(secret)} to; apply them, or check --webhook, and run this again`;
}

export function clocks(now: Date, ahead: number): string {
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  return `this machine's clock is ${minutes} minutes ${ahead > 0 ? 'ahead of' : 'behind'} the API server's, which says ${moment(now)}; nothing is issued or moved on until they agree: set the one that is wrong`;
}

export function issuedInVain(secret: Reference, why: string): string {
  return `${of(secret)}: the certificate made a moment ago is no good (${clean(why)}); who else writes this Secret, or which clock jumps? A later run tries again`;
}

export function outrun(secret: Reference): string {
  return `${of(secret)} or the webhook configurations were changed by others during each attempt; run this again`;
}

/** What to grant, beside what the API server said. */
export function forbidden(said: string, { namespace, name }: Reference, webhook: string): string {
  return `${said}; needed are get and update on Secret ${namespace}/${name} and on both webhook configurations "${webhook}"; where the Secret is gone, apply muster's manifests again, which bring it, or grant create`;
}

function of({ namespace, name }: Reference): string {
  return `Secret ${namespace}/${name}`;
}

function clean(text: string): string {
  return plain(shorten(text, 256));
}

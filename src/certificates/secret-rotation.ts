/**
 * Plans the rotation of a cluster's certificates without downtime. All state is in the Secret: each step follows from
 * the Secret, the caBundles and the time. So a run may stop at any point, and the next one continues.
 *
 *   serving   `tls.*` is in use; `ca.crt` has only its CA
 *   staged    a new pair is in `next.*`; its CA is in `ca.crt` and every caBundle, beside the old one
 *   promoted  the new pair is in `tls.*`; servers load it one after the other, and both CAs are trusted
 *   serving   the old CA is removed
 *
 * The phases `staged` and `promoted` last for an overlap. It is counted from the first run that found the phase
 * complete (`since`), so that a crash can't shorten it.
 */
import { formatTime } from '../base/syntax.ts';
import type { IssuedCertificates } from './issue.ts';
import { bundleOf, KEYS, type Keyring, type KeyringInput, type Pair, readKeyring, type SecretText } from './keyring.ts';

export interface RotationInput extends KeyringInput {
  /** Whether there is a webhook to write the CA into. */
  readonly registered: boolean;
  readonly overlapMs: number;
  /** Whether to begin a rotation even if none is due. */
  readonly rotate: boolean;
}

/** The next step: one write, or nothing. After a write, `nextStep` has to be called again. */
export type RotationStep =
  /** Do nothing: the certificate is not from muster. */
  | { readonly do: 'refuse'; readonly why: string }
  /** Issue a new pair, and write the Secret that `staged` returns. */
  | { readonly do: 'issue'; readonly why: string; readonly keyring: Keyring }
  | { readonly do: 'write'; readonly what: RotationChange; readonly secret: SecretText }
  /** Write this text into every caBundle. */
  | { readonly do: 'bundle'; readonly ca: string }
  /** Do nothing: the next step is due at `next`. */
  | { readonly do: 'rest'; readonly phase: Phase; readonly next: Date; readonly keyring: Keyring };

/** The largest accepted difference of clocks: half of the time by which certificates are backdated. */
export const MOST_SKEW_MS = 30 * 60_000;

export type Phase = 'serving' | 'staged' | 'promoted';
/**
 * `tidy` removes unused keys and expired CAs; `mark` notes the start of the overlap, `unmark` removes that note;
 * `promote` puts the next pair into use; `drop` removes the old CA.
 */
export type RotationChange = 'tidy' | 'mark' | 'unmark' | 'promote' | 'drop';

/** Returns the next step. It has no side effects. */
export function nextStep(situation: RotationInput): RotationStep {
  const keyring = readKeyring(situation);
  const { current, next } = keyring;
  if (keyring.foreign !== undefined) return { do: 'refuse', why: keyring.foreign };
  const best = current ?? next;
  if (!best) return { do: 'issue', why: keyring.fault, keyring };
  const tidied = tidy(situation.secret, keyring);
  if (tidied) return write('tidy', tidied);
  const ca = bundleOf(keyring.cas);
  if (situation.bundles.some((text) => text !== ca)) return bundle(situation.secret, keyring, ca);
  // Without a webhook to write a new CA into, a leaf under it must not be used.
  if (current && !situation.registered) return rest(phaseOf(keyring), situation.now, keyring);
  if (next) return staging(situation, keyring, next);
  return keyring.cas.length > 1 ? promoted(situation, keyring, best) : serving(situation, keyring, best);
}

/**
 * Returns the Secret with a new pair as the next one. The old CAs are kept, since servers still use leaves under them.
 */
export function staged({ data }: SecretText, { cas }: Keyring, issued: IssuedCertificates): SecretText {
  const next = { [KEYS.ca]: bundleOf(cas) + issued.ca, [KEYS.nextCert]: issued.cert, [KEYS.nextKey]: issued.key };
  return { data: { ...data, ...next }, since: undefined };
}

/** Returns when a rotation of this leaf begins: at two thirds of its life. */
export function renewalOf({ leaf }: Pair): Date {
  const from = leaf.validFromDate.getTime();
  return new Date(from + ((leaf.validToDate.getTime() - from) * 2) / 3);
}

function phaseOf({ next, cas }: Keyring): Phase {
  if (next) return 'staged';
  return cas.length > 1 ? 'promoted' : 'serving';
}

function write(what: RotationChange, secret: SecretText): RotationStep {
  return { do: 'write', what, secret };
}

/** Returns the Secret without expired CAs and an unusable next pair; undefined if it has neither. */
function tidy({ data, since }: SecretText, { cas, next }: Keyring): SecretText | undefined {
  const idle = next ? [] : [KEYS.nextCert, KEYS.nextKey].filter((key) => key in data);
  const ca = bundleOf(cas);
  if (idle.length === 0 && data[KEYS.ca] === ca) return undefined;
  return { data: { ...without(data, idle), [KEYS.ca]: ca }, since };
}

/**
 * Returns the step that writes the caBundles. The overlap begins when all have the new CA, so a mark is removed first:
 * after a crash it would be too early.
 */
function bundle(secret: SecretText, { next }: Keyring, ca: string): RotationStep {
  if (next && secret.since !== undefined) return write('unmark', { ...secret, since: undefined });
  return { do: 'bundle', ca };
}

function staging(situation: RotationInput, keyring: Keyring, next: Pair): RotationStep {
  const { secret, now, overlapMs } = situation;
  const marked = endOfOverlap(situation);
  const end = marked ?? new Date(now.getTime() + overlapMs);
  // If the current leaf expires before that, waiting is of no use.
  const waits = keyring.current !== undefined && keyring.current.leaf.validToDate > end;
  if (waits && marked === undefined) return mark(situation);
  if (waits && now < end) return rest('staged', end, keyring);
  const data = { ...secret.data, [KEYS.cert]: String(next.leaf), [KEYS.key]: secret.data[KEYS.nextKey] ?? '' };
  return write('promote', { data: without(data, [KEYS.nextCert, KEYS.nextKey]), since: undefined });
}

function promoted(situation: RotationInput, keyring: Keyring, current: Pair): RotationStep {
  const end = endOfOverlap(situation);
  if (end === undefined) return mark(situation);
  if (situation.now < end) return rest('promoted', end, keyring);
  const data = { ...situation.secret.data, [KEYS.ca]: String(current.issuer) };
  return write('drop', { data, since: undefined });
}

function serving({ now, names, rotate }: RotationInput, keyring: Keyring, current: Pair): RotationStep {
  const unnamed = names.find((name) => !current.leaf.checkHost(name, { subject: 'never' }));
  const renewal = renewalOf(current);
  if (rotate) return { do: 'issue', why: 'as asked', keyring };
  if (unnamed !== undefined) return { do: 'issue', why: `it is not for ${unnamed}`, keyring };
  if (now >= renewal)
    return { do: 'issue', why: `two thirds of its life were over at ${formatTime(renewal)}`, keyring };
  return rest('serving', renewal, keyring);
}

function rest(phase: Phase, next: Date, keyring: Keyring): RotationStep {
  return { do: 'rest', phase, next, keyring };
}

/** Marks the start of the overlap. A second is added, since the API server's clock is rounded down to whole seconds. */
function mark({ secret, now }: RotationInput): RotationStep {
  return write('mark', { ...secret, since: new Date(now.getTime() + 1000).toISOString() });
}

/**
 * Returns the end of the overlap; undefined without a mark. A mark in the future is ignored, or it could last for
 * years.
 */
function endOfOverlap({ secret, now, overlapMs }: RotationInput): Date | undefined {
  const since = Date.parse(secret.since ?? '');
  const known = since <= now.getTime() + MOST_SKEW_MS;
  return known ? new Date(since + overlapMs) : undefined;
}

function without(data: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.includes(key)));
}

/**
 * The rotation of a cluster's certificates, without a gap. All state is in the Secret: each step follows from Secret,
 * caBundles and time, so a run may end anywhere, and the next one continues.
 *
 *   serving   `tls.*` is in use; `ca.crt` has its CA alone
 *   staged    a new pair is in `next.*`; its CA stands beside the old one in `ca.crt` and every caBundle
 *   promoted  `tls.*` is the new pair; servers load it one after the other, and both CAs are trusted
 *   serving   the old CA is gone
 *
 * A phase lasts an overlap, counted from the first run that *found* it complete (`since`), so a crash can't backdate
 * it.
 */
import { formatTime } from '../base/syntax.ts';
import type { IssuedCertificates } from './issue.ts';
import { bundleOf, KEYS, type Keyring, type KeyringInput, type Pair, readKeyring, type SecretText } from './keyring.ts';

export interface RotationInput extends KeyringInput {
  /** Whether there is a webhook that a CA can be written into. */
  readonly registered: boolean;
  readonly overlapMs: number;
  /** Whether to begin a rotation though none is due. */
  readonly rotate: boolean;
}

/** What to do next: one write, or nothing. After a write, plan again. */
export type RotationStep =
  /** Not ours to touch. */
  | { readonly do: 'refuse'; readonly why: string }
  /** Issue, and write `staged(…)`. */
  | { readonly do: 'issue'; readonly why: string; readonly keyring: Keyring }
  | { readonly do: 'write'; readonly what: RotationChange; readonly secret: SecretText }
  /** Make every caBundle this text. */
  | { readonly do: 'bundle'; readonly ca: string }
  /** Nothing is due before `next`. */
  | { readonly do: 'rest'; readonly phase: Phase; readonly next: Date; readonly keyring: Keyring };

/** Clocks further apart than this are wrong, one or the other: half of what a certificate is dated back. */
export const MOST_SKEW_MS = 30 * 60_000;

export type Phase = 'serving' | 'staged' | 'promoted';
/** `tidy` removes unused keys; `mark` notes the start of the overlap, `unmark` removes that note. */
export type RotationChange = 'tidy' | 'mark' | 'unmark' | 'promote' | 'drop';

/** Returns the next step. Pure. */
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
  // Where a new CA can't be written into a webhook, its leaf must not be used.
  if (current && !situation.registered) return rest(phaseOf(keyring), situation.now, keyring);
  if (next) return staging(situation, keyring, next);
  return keyring.cas.length > 1 ? promoted(situation, keyring, best) : serving(situation, keyring, best);
}

/** Returns the Secret with a new pair beside what it has. Its CAs stay: servers still show leaves of theirs. */
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

/** Returns the Secret without expired CAs and half a next pair; undefined where there is none of these. */
function tidy({ data, since }: SecretText, { cas, next }: Keyring): SecretText | undefined {
  const idle = next ? [] : [KEYS.nextCert, KEYS.nextKey].filter((key) => key in data);
  const ca = bundleOf(cas);
  if (idle.length === 0 && data[KEYS.ca] === ca) return undefined;
  return { data: { ...without(data, idle), [KEYS.ca]: ca }, since };
}

/** The overlap begins when all bundles have the new CA. Its mark is removed first, or a crash would leave it. */
function bundle(secret: SecretText, { next }: Keyring, ca: string): RotationStep {
  if (next && secret.since !== undefined) return write('unmark', { ...secret, since: undefined });
  return { do: 'bundle', ca };
}

function staging(situation: RotationInput, keyring: Keyring, next: Pair): RotationStep {
  const { secret, now, overlapMs } = situation;
  const marked = endOfOverlap(situation);
  const end = marked ?? new Date(now.getTime() + overlapMs);
  // Without a leaf that serves until then there is nothing to wait for.
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

/** A second late: an API server's clock is read in whole seconds, rounded down. */
function mark({ secret, now }: RotationInput): RotationStep {
  return write('mark', { ...secret, since: new Date(now.getTime() + 1000).toISOString() });
}

/** Undefined without a mark, or with one in the future: to trust that could mean to wait for years. */
function endOfOverlap({ secret, now, overlapMs }: RotationInput): Date | undefined {
  const since = Date.parse(secret.since ?? '');
  const known = since <= now.getTime() + MOST_SKEW_MS;
  return known ? new Date(since + overlapMs) : undefined;
}

function without(data: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.includes(key)));
}

/**
 * What the tests of a rotation share: certificates made once, Secrets and situations that differ by what a test names.
 */
import { type IssuedCertificates, issueCertificates } from '../../../src/certificates/issue.ts';
import { KEYS, type SecretText } from '../../../src/certificates/keyring.ts';
import type { Situation } from '../../../src/certificates/secret-rotation.ts';
import { DAY } from './world.ts';

export const NAMES = ['muster.fleet.svc', 'muster.fleet.svc.cluster.local', 'muster.fleet'];
/** Noon, the first of June 2026. */
export const NOON = Date.UTC(2026, 5, 1, 12);
export const HOUR = 3_600_000;

export const at = (days: number, milliseconds = 0): Date => new Date(NOON + days * DAY + milliseconds);

export const issued = (days = 0, names: readonly string[] = NAMES): Promise<IssuedCertificates> =>
  issueCertificates({ names, now: at(days) });

export function secretOf(data: Record<string, string>, since?: Date): SecretText {
  return { data, since: since?.toISOString() };
}

/** `tls.*` is this one, and its CA is in `ca.crt`, beside others. */
export function served({ ca, cert, key }: IssuedCertificates, ...others: readonly IssuedCertificates[]) {
  const cas = others.map((other) => other.ca).join('');
  return { [KEYS.cert]: cert, [KEYS.key]: key, [KEYS.ca]: cas + ca };
}

/** A rotation from one to the next, staged. */
export function stagedOf(from: IssuedCertificates, to: IssuedCertificates) {
  return {
    ...served(to, from),
    ...served(from),
    [KEYS.ca]: from.ca + to.ca,
    [KEYS.nextCert]: to.cert,
    [KEYS.nextKey]: to.key,
  };
}

/** Registered, with every caBundle as `ca.crt` has it; an hour's overlap. */
export function situation(secret: SecretText, more: Partial<Situation> = {}): Situation {
  const bundle = secret.data[KEYS.ca] ?? '';
  const bundles = [bundle, bundle];
  return { secret, bundles, names: NAMES, now: at(0), registered: true, overlapMs: HOUR, rotate: false, ...more };
}

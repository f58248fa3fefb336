/** Certificates as an API server looks at them: which CA signed, for which name, until when. Nothing secret is kept. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { CERTIFICATE_BLOCK, moment } from '../../tls/load.ts';

export interface Bundle {
  readonly certificates: readonly X509Certificate[];
  /** Why it can't be used as it is; undefined where it can. */
  readonly problem: string | undefined;
}

/** The certificates in a PEM text. */
export function readPem(pem: string): Bundle {
  const blocks = pem.match(CERTIFICATE_BLOCK) ?? [];
  if (blocks.length === 0) {
    return { certificates: [], problem: pem.trim() === '' ? 'is empty' : 'holds no PEM certificate' };
  }
  const certificates: X509Certificate[] = [];
  for (const block of blocks) {
    try {
      certificates.push(new X509Certificate(block));
    } catch {
      return { certificates, problem: `its PEM block ${certificates.length + 1} is no X.509 certificate` };
    }
  }
  return { certificates, problem: undefined };
}

/** The same for what stands in base64, as in `caBundle` and in the data of a Secret. */
export function readBase64Pem(text: string): Bundle {
  return readPem(Buffer.from(text, 'base64').toString('utf8'));
}

/** Whether two are the same certificate. */
export function isSame(one: X509Certificate, other: X509Certificate): boolean {
  return one.fingerprint256 === other.fingerprint256;
}

/**
 * Why an API server that trusts `roots` would refuse a server that calls itself `name` and shows `chain` (leaf first);
 * undefined where it would not. `now` in milliseconds since the epoch.
 */
export function refusalOf(
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  name: string,
  now: number,
): string | undefined {
  const [leaf] = chain;
  if (leaf === undefined) return 'there is no certificate';
  return datesRefused(leaf, now) ?? nameRefused(leaf, name) ?? trustRefused(chain, roots, now);
}

/** Why its dates make a certificate useless now. */
export function datesRefused(certificate: X509Certificate, now: number): string | undefined {
  const { validFromDate: from, validToDate: to } = certificate;
  if (now < from.getTime()) return `it is not valid before ${moment(from)}`;
  return now > to.getTime() ? `it expired at ${moment(to)}` : undefined;
}

/** Whether more than two thirds of its life are over: `muster certs` renews it then. */
export function isDueForRenewal({ validFromDate: from, validToDate: to }: X509Certificate, now: number): boolean {
  return now > from.getTime() + ((to.getTime() - from.getTime()) * 2) / 3;
}

function nameRefused(leaf: X509Certificate, name: string): string | undefined {
  const names = leaf.subjectAltName;
  // Go looks at the alternative names alone.
  if (names === undefined) return 'it has no subject alternative names';
  const found = isIP(name) ? leaf.checkIP(name) : leaf.checkHost(name, { subject: 'never' });
  return found === undefined ? `it is not for ${name}, but for ${names}` : undefined;
}

function trustRefused(
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: number,
): string | undefined {
  const trusted = roots.filter((root) => datesRefused(root, now) === undefined);
  const [leaf, ...intermediates] = chain;
  const tried = new Set<X509Certificate>();
  let level = leaf === undefined ? [] : [leaf];
  while (level.length > 0) {
    if (level.some((each) => trusted.some((root) => isSame(root, each) || issued(root, each)))) return undefined;
    for (const each of level) tried.add(each);
    level = intermediates.filter((issuer) => !tried.has(issuer) && level.some((each) => issued(issuer, each)));
  }
  const outdated = roots.find((root) => leaf !== undefined && issued(root, leaf));
  if (outdated === undefined) return 'its CA is not among those of the caBundle';
  return `its CA is in the caBundle, but of that CA: ${datesRefused(outdated, now)}`;
}

function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

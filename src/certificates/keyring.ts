/** What a Secret holds: the pair in use, the pair kept ready for it, and the CAs that clients trust. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { formatTime } from '../base/syntax.ts';
import { CA_NAME } from './issue.ts';
import { CERTIFICATE_BLOCK, isIssued } from './load-certificate.ts';

/** The Secret's keys. Servers do not mount `next.*`. */
export const KEYS = {
  cert: 'tls.crt',
  key: 'tls.key',
  ca: 'ca.crt',
  nextCert: 'next.tls.crt',
  nextKey: 'next.tls.key',
};

/** A Secret as text. A key that is missing counts as empty. */
export interface SecretText {
  readonly data: Readonly<Record<string, string>>;
  /** When a run found the current step of a rotation done; ISO 8601. */
  readonly since: string | undefined;
}

export interface KeyringInput {
  readonly secret: SecretText;
  /** PEM of every caBundle in the cluster that should be `ca.crt`. */
  readonly bundles: readonly string[];
  /** By which clients call the server. Without the first no call succeeds. */
  readonly names: readonly string[];
  readonly now: Date;
}

/** A certificate that a server can use now: it has its key, its CA is trusted, it is in date and names the server. */
export interface Pair {
  readonly leaf: X509Certificate;
  readonly issuer: X509Certificate;
}

export interface Keyring {
  readonly current: Pair | undefined;
  readonly next: Pair | undefined;
  /** Not expired, each once, oldest first. */
  readonly cas: readonly X509Certificate[];
  /** Why there is no `current`, for people. */
  readonly fault: string;
  /** Who issued `tls.crt`, where that is a good certificate and not ours. */
  readonly foreign: string | undefined;
}

/** More are of no use: each was kept for one leaf, and no server shows leaves that old. */
const MOST_CAS = 5;

/** Reads a Secret. Never throws: bad content is a `fault`. */
export function readKeyring({ secret: { data }, bundles, names, now }: KeyringInput): Keyring {
  const own = validCas([data[KEYS.ca] ?? ''], now);
  const held = examine(data[KEYS.cert], data[KEYS.key], now);
  // Servers may still show a leaf whose CA the Secret has lost: what API servers trust by now stays trusted.
  const isLost = held.leaf === undefined || issuerOf(held.leaf, own) === undefined;
  const trusted = [...(isLost ? validCas(bundles, now).filter(isOurs) : []), ...own];
  const cas = [...new Map(trusted.map((ca) => [ca.fingerprint256, ca])).values()].slice(-MOST_CAS);
  const current = findPair(held, cas, names);
  const next = findPair(examine(data[KEYS.nextCert], data[KEYS.nextKey], now), cas, names);
  const foreign = held.fault === '' && held.leaf && !isOurs(held.leaf) ? held.leaf.issuer : undefined;
  return {
    cas,
    foreign: foreign?.replaceAll('\n', ', '),
    ...('fault' in current ? { current: undefined, fault: current.fault } : { current, fault: '' }),
    next: 'fault' in next ? undefined : next,
  };
}

/** Returns the CAs as they stand in `ca.crt` and in a caBundle. */
export function bundleOf(cas: readonly X509Certificate[]): string {
  return cas.map(String).join('');
}

/** Returns the certificates in a text that can be read. */
export function certificatesIn(text: string): X509Certificate[] {
  return (text.match(CERTIFICATE_BLOCK) ?? []).flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

interface Examined {
  readonly leaf?: X509Certificate;
  readonly fault: string;
}

/** Returns the leaf, and its fault: empty for a pair that belongs together and is in date. */
function examine(cert = '', key = '', now: Date): Examined {
  if (cert.trim() === '' && key.trim() === '') return { fault: 'it holds no certificate yet' };
  const [leaf] = certificatesIn(cert);
  if (leaf === undefined) return { fault: `${KEYS.cert} is not a PEM certificate` };
  if (!isKeyOf(leaf, key)) return { leaf, fault: `${KEYS.key} is not the key of ${KEYS.cert}` };
  if (now < leaf.validFromDate) {
    const dates = `it is not valid before ${formatTime(leaf.validFromDate)} and the clock says ${formatTime(now)}`;
    return { leaf, fault: `${dates}; one of the two comes from a clock that was wrong` };
  }
  if (now > leaf.validToDate) return { leaf, fault: `it expired at ${formatTime(leaf.validToDate)}` };
  return { leaf, fault: '' };
}

function findPair({ leaf, fault }: Examined, cas: readonly X509Certificate[], [name = '']: readonly string[]) {
  if (leaf === undefined || fault !== '') return { fault };
  if (!leaf.checkHost(name, { subject: 'never' })) return { fault: `it is not for ${name}` };
  const issuer = issuerOf(leaf, cas);
  return issuer === undefined ? { fault: `${KEYS.ca} lacks its CA` } : { leaf, issuer };
}

function isKeyOf(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function issuerOf(leaf: X509Certificate, cas: readonly X509Certificate[]): X509Certificate | undefined {
  return cas.find((ca) => isIssued(leaf, ca));
}

function isOurs({ issuer }: X509Certificate): boolean {
  return issuer.startsWith(`CN=${CA_NAME} `);
}

/** One that is not valid yet stays: to trust it harms nothing, and the clock may be wrong. */
function validCas(texts: readonly string[], now: Date): X509Certificate[] {
  return texts.flatMap(certificatesIn).filter((ca) => ca.ca && now <= ca.validToDate);
}

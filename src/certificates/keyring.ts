/** Reads a Secret with certificates: the pair in use, the next pair, and the CAs that clients trust. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { formatTime } from '../base/syntax.ts';
import { isOurs } from './issue.ts';
import { CERTIFICATE_BLOCK, isIssued } from './load-certificate.ts';

/** The keys of the Secret's data. Servers do not mount `next.*`. */
export const KEYS = {
  cert: 'tls.crt',
  key: 'tls.key',
  ca: 'ca.crt',
  nextCert: 'next.tls.crt',
  nextKey: 'next.tls.key',
};

/** The data of a Secret, as text. A missing key counts as empty. */
export interface SecretText {
  readonly data: Readonly<Record<string, string>>;
  /** When a run found the current phase of a rotation complete; ISO 8601. */
  readonly since: string | undefined;
}

export interface KeyringInput {
  readonly secret: SecretText;
  /** The caBundles in the cluster, in PEM. Each should be equal to `ca.crt`. */
  readonly bundles: readonly string[];
  /** The names by which clients call the server. The certificate must have the first one, or no call succeeds. */
  readonly names: readonly string[];
  readonly now: Date;
}

/** A certificate that a server can use now: with its key, a trusted CA, in date, and for the server's name. */
export interface Pair {
  readonly leaf: X509Certificate;
  readonly issuer: X509Certificate;
}

export interface Keyring {
  readonly current: Pair | undefined;
  readonly next: Pair | undefined;
  /** The CAs that have not expired, each once, oldest first. */
  readonly cas: readonly X509Certificate[];
  /** Why there is no `current`, for messages. */
  readonly fault: string;
  /** The issuer of `tls.crt`, if it is a valid certificate that muster did not issue. */
  readonly foreign: string | undefined;
}

/** The most CAs that are kept: each is for one leaf, and no server still uses older leaves. */
const MOST_CAS = 5;

/** Reads a Secret. Never throws: for invalid content, there is a `fault`. */
export function readKeyring({ secret: { data }, bundles, names, now }: KeyringInput): Keyring {
  const own = validCas(certificatesIn(data[KEYS.ca] ?? ''), now);
  const held = examine(data[KEYS.cert], data[KEYS.key], now);
  // If the Secret has lost the CA of a leaf that servers still use, the CAs in the caBundles are kept.
  const isLost = held.leaf === undefined || issuerOf(held.leaf, own) === undefined;
  const registered = isLost ? validCas(bundles.flatMap(certificatesIn), now).filter((ca) => isOurs(ca)) : [];
  const trusted = [...registered, ...own];
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

/**
 * Returns the pair of a certificate and a key, in PEM, if servers can use it, and else why not.
 * @param caName what `cas` are called in a fault
 */
export function pairOf(
  [cert, key]: readonly [cert: string | undefined, key: string | undefined],
  cas: readonly X509Certificate[],
  { names, now, caName }: Pick<KeyringInput, 'names' | 'now'> & { readonly caName: string },
): Pair | { readonly fault: string } {
  return findPair(examine(cert, key, now), validCas(cas, now), names, caName);
}

/** Returns CAs as text for `ca.crt` and caBundles. */
export function bundleOf(cas: readonly X509Certificate[]): string {
  return cas.map(String).join('');
}

/** Returns the certificates in a text, without those that can't be parsed. */
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

/** Returns the leaf of a pair and its fault; empty if the key belongs to it and it is in date. */
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

function findPair(
  { leaf, fault }: Examined,
  cas: readonly X509Certificate[],
  [name = '']: readonly string[],
  caName = KEYS.ca,
) {
  if (leaf === undefined || fault !== '') return { fault };
  if (!leaf.checkHost(name, { subject: 'never' })) return { fault: `it is not for ${name}` };
  const issuer = issuerOf(leaf, cas);
  return issuer === undefined ? { fault: `${caName} lacks its CA` } : { leaf, issuer };
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

/**
 * Returns the CAs that have not expired. One that is not valid yet is kept: the clock may be wrong, and it does no
 * harm.
 */
function validCas(certificates: readonly X509Certificate[], now: Date): readonly X509Certificate[] {
  return certificates.filter(({ ca, validToDate }) => ca && now <= validToDate);
}

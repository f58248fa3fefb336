/** A CA and one leaf. The CA's key lives only while the leaf is signed: nothing can sign under that CA again. */
import { createPrivateKey, generateKeyPair, randomUUID, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import type { Certificate } from './x509.ts';

export interface IssueOptions {
  /** DNS names and IP addresses by which clients call the server. */
  readonly names: readonly string[];
  /** Who the CA says it is; a random suffix tells one CA from the next. */
  readonly caName?: string;
  readonly now?: Date;
}

/** All in PEM. `cert` is the leaf alone: its issuer is the root, which the client has. */
export interface IssuedCertificates {
  readonly ca: string;
  readonly cert: string;
  /** PKCS #8, not encrypted. */
  readonly key: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const LEAF_DAYS = 90;
/** By this a CA of a cluster's is known for ours. */
export const CA_NAME = 'muster CA';

/**
 * Makes a CA and a server certificate under it: EC P-256, valid from an hour ago (clocks differ) for 90 days.
 * @throws Error on a name that is neither a DNS name nor an IP address, or when the result fails its own check.
 */
export async function issueCertificates(options: IssueOptions): Promise<IssuedCertificates> {
  const names = options.names.map(checkedName);
  if (names.length === 0) throw new Error('a certificate needs at least one name');
  const start = Math.floor((options.now ?? new Date()).getTime() / 1000) * 1000; // X.509 counts whole seconds
  const notBefore = new Date(start - HOUR);
  const notAfter = new Date(start + LEAF_DAYS * DAY);

  const [authority, server] = await Promise.all([newKey(), newKey()]);
  const issuer = { issuer: `${options.caName ?? CA_NAME} ${suffix()}`, issuerPublicKey: authority.publicKey };
  const root: Certificate = {
    ...issuer,
    subject: issuer.issuer,
    publicKey: authority.publicKey,
    // A little longer on both sides, so that the leaf is never valid under a CA that isn't.
    notBefore: new Date(notBefore.getTime() - HOUR),
    notAfter: new Date(notAfter.getTime() + DAY),
    names: [],
    ca: true,
  };
  const leaf = { ...issuer, subject: 'muster', publicKey: server.publicKey, notBefore, notAfter, names, ca: false };

  const { signCertificate } = await import('./x509.ts');
  const ca = signCertificate(root, authority.privateKey);
  const cert = signCertificate(leaf, authority.privateKey);
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  verify({ ca, cert, key }, names);
  return { ca, cert, key, notBefore, notAfter };
}

const newKeyPair = promisify(generateKeyPair);
const newKey = () => newKeyPair('ec', { namedCurve: 'P-256' });

function suffix(): string {
  return randomUUID().slice(0, 8);
}

function checkedName(name: string): string {
  if (isIP(name) !== 0 && !name.includes('%')) return name;
  const labels = name.split('.');
  const valid = name.length <= 253 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
  if (!valid) throw new Error(`"${name}" is neither a DNS name nor an IP address`);
  return name.toLowerCase();
}

/** Reads the result with another implementation (OpenSSL's) than the one that wrote it. */
function verify(made: { ca: string; cert: string; key: string }, names: readonly string[]): void {
  const ca = new X509Certificate(made.ca);
  const leaf = new X509Certificate(made.cert);
  const holds =
    ca.ca &&
    !leaf.ca &&
    ca.verify(ca.publicKey) &&
    leaf.checkIssued(ca) &&
    leaf.verify(ca.publicKey) &&
    leaf.checkPrivateKey(createPrivateKey(made.key)) &&
    names.every((name) => (isIP(name) === 0 ? leaf.checkHost(name, { subject: 'never' }) : leaf.checkIP(name)));
  if (!holds) throw new Error('the certificate just made fails its own verification; please report this as a bug');
}

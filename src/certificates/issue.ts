/** Issues a CA and one leaf under it. The CA's key is then discarded, so that the CA can't sign anything else. */
import { generateKeyPair, randomUUID, type X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type { Certificate } from './x509.ts';

interface IssueOptions {
  /** Valid DNS names in lower case, and IP addresses, by which clients call the server. */
  readonly names: readonly string[];
  /** The common name of the CA, without its suffix. */
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
const LEAF_DAYS = 90;
/** The common name of CAs in clusters, by which muster recognizes its own. */
const CA_NAME = 'muster CA';

/** Makes a CA and a server certificate under it: EC P-256, valid from an hour ago (clocks differ) for 90 days. */
export async function issueCertificates(options: IssueOptions): Promise<IssuedCertificates> {
  const { names, caName = CA_NAME, now = new Date() } = options;
  const start = Math.floor(now.getTime() / 1000) * 1000; // X.509 counts whole seconds
  const notBefore = new Date(start - HOUR);
  const notAfter = new Date(start + LEAF_DAYS * DAY);

  const [authority, server] = await Promise.all([newKey(), newKey()]);
  // A random suffix distinguishes one CA from the next.
  const issuer = { issuer: `${caName} ${randomUUID().slice(0, 8)}`, issuerPublicKey: authority.publicKey };
  const root: Certificate = {
    ...issuer,
    subject: issuer.issuer,
    publicKey: authority.publicKey,
    // Valid for a little longer on both sides, so that the CA is valid whenever the leaf is.
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
  return { ca, cert, key, notBefore, notAfter };
}

/** Whether muster issued a certificate, under a CA with this common name. */
export function isOurs({ issuer }: X509Certificate, caName = CA_NAME): boolean {
  return issuer.startsWith(`CN=${caName} `);
}

const newKeyPair = promisify(generateKeyPair);
const newKey = () => newKeyPair('ec', { namedCurve: 'P-256' });

/** CAs that keep their key, and certificates of callers under them. */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { type Certificate, signCertificate } from '../../src/certificates/x509.ts';
import { DAY } from '../unit/certificates/fixtures.ts';

export interface Caller {
  readonly cert: string;
  readonly key: string;
}

interface CallerCa {
  readonly pem: string;
  /** In date, for clients, without alternative names, unless a test names others. */
  issue(subject: string, over?: Partial<Certificate>): Caller;
  /** An intermediate. */
  under(name: string): CallerCa;
}

export function callerCa(over: Partial<Certificate> = {}): CallerCa {
  const { privateKey, publicKey } = newKey();
  const subject = `callers ${randomUUID()}`;
  const own = { subject, issuer: subject, publicKey, issuerPublicKey: publicKey, ...period(), names: [], ca: true };
  return describe(signCertificate({ ...own, ...over }, privateKey), subject, privateKey, publicKey);
}

export const period = (fromDays = -1, toDays = 30) => ({
  notBefore: new Date(Date.now() + fromDays * DAY),
  notAfter: new Date(Date.now() + toDays * DAY),
});

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

function describe(pem: string, issuer: string, issuerKey: KeyObject, issuerPublicKey: KeyObject): CallerCa {
  const under = { issuer, issuerPublicKey, ...period(), names: [] };
  return {
    pem,
    issue(subject, over = {}) {
      const { privateKey, publicKey } = newKey();
      const cert = signCertificate({ ...under, subject, publicKey, ca: false, client: true, ...over }, issuerKey);
      return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
    under(subject) {
      const { privateKey, publicKey } = newKey();
      const cert = signCertificate({ ...under, subject, publicKey, ca: true }, issuerKey);
      return describe(cert, subject, privateKey, publicKey);
    },
  };
}

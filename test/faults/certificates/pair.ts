/** A serving certificate with its key, as the files a server watches, and the CA it is trusted by. */
import { issueCertificates } from '../../../src/tls/issue.ts';
import type { Files } from './spoil.ts';

export interface Pair {
  readonly files: Files;
  /** PEM; each pair has a CA of its own. */
  readonly ca: string;
}

/** @param now when it is issued: it is valid from an hour before */
export async function issuePair(now = new Date()): Promise<Pair> {
  const { cert, key, ca } = await issueCertificates({ names: ['127.0.0.1', 'localhost'], now });
  return { files: { 'tls.crt': cert, 'tls.key': key }, ca };
}

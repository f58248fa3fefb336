/** Certificates for a server on one's own machine. Never for a cluster: `muster certs --secret` and cert-manager do that. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CertificateError } from './error.ts';
import { issueCertificates } from './issue.ts';
import { loadCertificate } from './load.ts';
import { type FileToWrite, writeAlone } from './lock.ts';

export interface DevelopmentCertificates {
  /** What clients trust. Its key is gone, so it can never sign for anything else. */
  readonly caFile: string;
  readonly certFile: string;
  /** Mode 0600. */
  readonly keyFile: string;
  /** False where good ones were there already. */
  readonly made: boolean;
}

export interface DevelopmentOptions {
  /** Makes new ones, whatever is there. */
  readonly force?: boolean;
  readonly now?: Date;
}

/** A container calls its host by the last one. */
export const DEVELOPMENT_NAMES = ['localhost', '127.0.0.1', '::1', 'host.docker.internal'];

/**
 * Sees to it that a folder (made when missing) has `ca.crt`, `tls.crt` and `tls.key` that belong together and stay valid
 * for 30 days. Any number of processes may call it at once; each finds one consistent trio.
 * Files that muster did not make are used as long as they are good, and never overwritten unless forced.
 * @throws CertificateError `unwritable`, or `not-ours` for such files that are not good
 */
export async function ensureDevelopmentCertificates(
  dir: string,
  options: DevelopmentOptions = {},
): Promise<DevelopmentCertificates> {
  const { force = false, now = new Date() } = options;
  const files = { caFile: join(dir, 'ca.crt'), certFile: join(dir, 'tls.crt'), keyFile: join(dir, 'tls.key') };
  // Without the lock first: a good trio needs no right to write.
  if (!force && (await areGood(files, now))) return { ...files, made: false };
  const made = await writeAlone(dir, async () => {
    if (force) return make(files, now);
    if (await areGood(files, now)) return undefined;
    await refuseForeign(files.certFile);
    return make(files, now);
  }).catch((error: unknown) => explain(error, dir));
  return { ...files, made };
}

type Trio = Omit<DevelopmentCertificates, 'made'>;

const CA_NAME = 'muster development CA';
const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;

async function areGood(trio: Trio, now: Date): Promise<boolean> {
  try {
    const loaded = await loadCertificate({ ...trio, now });
    const leaf = new X509Certificate(loaded.cert);
    // Whoever made others decides when to renew them.
    const margin = isOurs(leaf) ? RENEW_BEFORE_MS : 0;
    if (loaded.notAfter.getTime() - now.getTime() <= margin) return false;
    const ca = new X509Certificate(await readFile(trio.caFile));
    return ca.ca && leaf.checkIssued(ca) && leaf.verify(ca.publicKey);
  } catch {
    return false; // whatever it is, new ones or the refusal to overwrite are the answer
  }
}

function isOurs(leaf: X509Certificate): boolean {
  return leaf.issuer.startsWith(`CN=${CA_NAME} `);
}

/** A person's own certificate is no development certificate to be replaced, with its only key, because it has expired. */
async function refuseForeign(certFile: string): Promise<void> {
  const text = await readFile(certFile, 'utf8').catch(() => '');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) return;
  const leaf = parsed(text);
  if (leaf === undefined || isOurs(leaf)) return;
  const message = `${certFile} is not muster's own and does not go with ca.crt and tls.key beside it, or has expired: move it away, or choose another folder`;
  throw new CertificateError('not-ours', message);
}

function parsed(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined; // cut off or overwritten: nothing to lose
  }
}

async function make(trio: Trio, now: Date): Promise<readonly FileToWrite[]> {
  const { ca, cert, key } = await issueCertificates({ names: DEVELOPMENT_NAMES, caName: CA_NAME, now });
  return [
    { file: trio.caFile, text: ca, mode: 0o644 },
    { file: trio.keyFile, text: key, mode: 0o600 },
    { file: trio.certFile, text: cert, mode: 0o644 },
  ];
}

function explain(error: unknown, dir: string): never {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (error instanceof CertificateError || syscall === undefined) throw error;
  const reason = ['EEXIST', 'ENOTDIR'].includes(code) ? 'a file is in its place' : code;
  const message = `can't write certificates into folder ${dir} (${reason}); choose a folder that this user can write`;
  throw new CertificateError('unwritable', message, { cause: error });
}

/** Certificates for a server on one's own machine. Never for a cluster: `muster certs --secret` and cert-manager do that. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CertificateError } from './error.ts';
import { issueCertificates } from './issue.ts';
import { isIssued, loadCertificate } from './load.ts';
import { type FileToWrite, writeLocked } from './lock.ts';

export interface DevelopmentCertificates {
  /** What clients trust. Its key is gone, so it can never sign for anything else. */
  readonly caFile: string;
  readonly certFile: string;
  /** Mode 0600. */
  readonly keyFile: string;
  /** False where good ones were there already. */
  readonly made: boolean;
}

/** A container calls its host by the last one. */
const NAMES = ['localhost', '127.0.0.1', '::1', 'host.docker.internal'];
const CA_NAME = 'muster development CA';
const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;

/**
 * Makes `ca.crt`, `tls.crt` and `tls.key` in a folder (made when missing), unless good ones are there that stay valid for 30 days. Any number of
 * processes may call it at once; each finds three that belong together. Good files that muster did not make are used, and not overwritten unless
 * `force` is set. Throws CertificateError `unwritable`, or `not-ours` for files of others that are bad.
 */
export async function ensureDevelopmentCertificates(
  dir: string,
  { force = false, now = new Date() }: { readonly force?: boolean; readonly now?: Date } = {},
): Promise<DevelopmentCertificates> {
  const files = { caFile: join(dir, 'ca.crt'), certFile: join(dir, 'tls.crt'), keyFile: join(dir, 'tls.key') };
  // Without the lock first: where the files are good, no right to write is needed.
  if (!force && (await areGood(files, now))) return { ...files, made: false };
  const made = await writeLocked(dir, async () => {
    if (force) return make(files, now);
    if (await areGood(files, now)) return undefined;
    await refuseForeign(files.certFile);
    return make(files, now);
  }).catch((error: unknown) => explain(error, dir));
  return { ...files, made };
}

type Files = Omit<DevelopmentCertificates, 'made'>;

async function areGood(files: Files, now: Date): Promise<boolean> {
  try {
    const loaded = await loadCertificate(files, now);
    const leaf = new X509Certificate(loaded.cert);
    // Whoever made others decides when to renew them.
    const margin = isOurs(leaf) ? RENEW_BEFORE_MS : 0;
    if (loaded.notAfter.getTime() - now.getTime() <= margin) return false;
    const ca = new X509Certificate(await readFile(files.caFile));
    return ca.ca && isIssued(leaf, ca);
  } catch {
    return false; // whatever it is, new ones or the refusal to overwrite are the answer
  }
}

function isOurs(leaf: X509Certificate): boolean {
  return leaf.issuer.startsWith(`CN=${CA_NAME} `);
}

/** A person's own certificate must not be replaced, with its only key, because it has expired. */
async function refuseForeign(certFile: string): Promise<void> {
  const text = await readFile(certFile, 'utf8').catch(() => '');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) return;
  try {
    if (isOurs(new X509Certificate(text))) return;
  } catch {
    return; // cut off or overwritten: nothing to lose
  }
  const message = `${certFile} was not made by muster and does not fit ca.crt and tls.key beside it, or has expired: move it away, or choose another folder`;
  throw new CertificateError('not-ours', message);
}

async function make(files: Files, now: Date): Promise<readonly FileToWrite[]> {
  const { ca, cert, key } = await issueCertificates({ names: NAMES, caName: CA_NAME, now });
  return [
    { file: files.caFile, text: ca, mode: 0o644 },
    { file: files.keyFile, text: key, mode: 0o600 },
    { file: files.certFile, text: cert, mode: 0o644 },
  ];
}

function explain(error: unknown, dir: string): never {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (error instanceof CertificateError || syscall === undefined) throw error;
  const reason = ['EEXIST', 'ENOTDIR'].includes(code) ? 'a file is in its place' : code;
  const message = `can't write certificates into folder ${dir} (${reason}); choose a folder that this user can write`;
  throw new CertificateError('unwritable', message, { cause: error });
}

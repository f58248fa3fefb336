/** Certificates for a server on the own machine. In a cluster, `muster certs --secret` and cert-manager make them. */
import { randomUUID, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CertificateError } from './error.ts';
import { issueCertificates } from './issue.ts';
import { isIssued, loadCertificate } from './load-certificate.ts';

interface DevelopmentCertificates {
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
 * Makes `ca.crt`, `tls.crt` and `tls.key` in a folder (made if missing), unless valid ones are there that last for 30
 * days. Any number of processes may call it at once; each finds three that belong together. Valid files that muster did
 * not make are used, and not overwritten unless `force` is set.
 * @throws CertificateError `unwritable`, or `not-ours` for invalid files of others
 */
export async function ensureDevelopmentCertificates(
  dir: string,
  { force = false, now = new Date() }: { readonly force?: boolean; readonly now?: Date } = {},
): Promise<DevelopmentCertificates> {
  const files = { caFile: join(dir, 'ca.crt'), certFile: join(dir, 'tls.crt'), keyFile: join(dir, 'tls.key') };
  const areThere = async () => !force && (await areGood(files, now));
  // Without the lock first: where the files are good, no right to write is needed.
  if (await areThere()) return { ...files, made: false };
  const made = await withLock(dir, async () => {
    if (await areThere()) return false;
    if (!force) await refuseForeign(files.certFile);
    const { ca, cert, key } = await issueCertificates({ names: NAMES, caName: CA_NAME, now });
    await replace(files.caFile, ca, 0o644);
    await replace(files.keyFile, key, 0o600);
    await replace(files.certFile, cert, 0o644);
    return true;
  }).catch((error: unknown) => explain(error, dir));
  return { ...files, made };
}

async function areGood(files: Omit<DevelopmentCertificates, 'made'>, now: Date): Promise<boolean> {
  try {
    const loaded = await loadCertificate(files, now);
    const leaf = new X509Certificate(loaded.cert);
    // The owner of other certificates decides when to renew them.
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
  const message =
    `${certFile} was not made by muster, and can't be used: it has to be valid, with its key in tls.key, and in ca.crt ` +
    'the CA that signed it directly. Correct the three files, move them away, or choose another folder';
  throw new CertificateError('not-ours', message);
}

async function replace(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.new`;
  try {
    await rm(draft, { force: true });
    await writeFile(draft, text, { mode, flag: 'wx' });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The work takes some milliseconds: after seconds, the holder of the lock has died. */
const STALE_MS = 5000;

/**
 * Runs `work` alone in a folder, among processes that may die at any moment: the lock is a file with the token of its
 * holder.
 */
async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await makeFolder(folder);
  const lock = join(folder, '.making-certificates');
  const token = randomUUID();
  while (!(await take(lock, token))) await delay(20);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Without `mkdir`'s `recursive`: Node retries forever if a folder exists in which none can be made, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const problem = await failureOf(mkdir(folder), 'ENOENT', 'EEXIST');
  if (problem !== 'ENOENT') return;
  await makeFolder(dirname(folder));
  await failureOf(mkdir(folder), 'EEXIST');
}

/**
 * Returns the code of a failure that is one of `expected`; undefined if the work succeeds.
 * @throws any other failure
 */
async function failureOf(work: Promise<unknown>, ...expected: readonly string[]): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (expected.includes(code)) return code;
    throw error;
  }
}

async function take(lock: string, token: string): Promise<boolean> {
  const problem = await failureOf(writeFile(lock, token, { flag: 'wx', mode: 0o600 }), 'EEXIST');
  if (problem === undefined) return true;
  const held = await stat(lock).catch(() => undefined);
  // Clocks differ, so the distance counts in both directions.
  if (held === undefined || Math.abs(Date.now() - held.mtimeMs) < STALE_MS) return false;
  // Of several that replace the lock of a dead process, the last one has it.
  await writeFile(`${lock}.${token}`, token, { mode: 0o600 });
  await rename(`${lock}.${token}`, lock);
  await delay(100);
  return (await readFile(lock, 'utf8').catch(() => '')) === token;
}

function explain(error: unknown, dir: string): never {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (error instanceof CertificateError || syscall === undefined) throw error;
  const reason = ['EEXIST', 'ENOTDIR'].includes(code) ? 'a file is in its place' : code;
  const message = `can't write certificates into folder ${dir} (${reason}); choose a folder that this user can write`;
  throw new CertificateError('unwritable', message, { cause: error });
}

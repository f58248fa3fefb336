/** Makes certificates for a server on this machine. In a cluster, `muster certs --secret` or cert-manager does. */
import { randomUUID, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CertificateError } from './error.ts';
import { isOurs, issueCertificates } from './issue.ts';
import { type CertificateFiles, isIssued, loadCertificate } from './load-certificate.ts';

interface DevelopmentCertificates extends CertificateFiles {
  /** The CA that clients trust. Its key is not stored, so it can't sign other certificates. */
  readonly caFile: string;
  /** False if valid certificates existed already. */
  readonly made: boolean;
}

type Files = Omit<DevelopmentCertificates, 'made'>;

/** The names of the server. A container calls its host by the last one. */
const NAMES = ['localhost', '127.0.0.1', '::1', 'host.docker.internal'];
const CA_NAME = 'muster development CA';
const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;

/**
 * Makes `ca.crt`, `tls.crt` and `tls.key` in a folder (created if missing), unless it has valid ones that last for 30
 * days. Several processes may call it at once: each finds three files that belong together. Valid files that muster did
 * not make are used. Files that muster did not make are only overwritten with `force`.
 * @throws CertificateError if the folder can't be written, or has files that muster did not make and that can't be used
 */
export async function ensureDevelopmentCertificates(
  dir: string,
  { force = false, now = new Date() }: { readonly force?: boolean; readonly now?: Date } = {},
): Promise<DevelopmentCertificates> {
  const files = { caFile: join(dir, 'ca.crt'), certFile: join(dir, 'tls.crt'), keyFile: join(dir, 'tls.key') };
  const areThere = async () => !force && (await areGood(files, now));
  // First without the lock: valid files may be in a folder that this user can't write.
  if (await areThere()) return { ...files, made: false };
  const made = await withLock(dir, async () => {
    if (await areThere()) return false;
    if (!force) await refuseForeign(files);
    const { ca, cert, key } = await issueCertificates({ names: NAMES, caName: CA_NAME, now });
    await replace(files.caFile, ca, 0o644);
    await replace(files.keyFile, key, 0o600);
    await replace(files.certFile, cert, 0o644);
    return true;
  }).catch((error: unknown) => explain(error, dir));
  return { ...files, made };
}

async function areGood(files: Files, now: Date): Promise<boolean> {
  try {
    const loaded = await loadCertificate(files, now);
    const leaf = new X509Certificate(loaded.cert);
    // The owner of other certificates decides when to renew them.
    const margin = isOurs(leaf, CA_NAME) ? RENEW_BEFORE_MS : 0;
    if (loaded.notAfter.getTime() - now.getTime() <= margin) return false;
    const ca = new X509Certificate(await readFile(files.caFile));
    return ca.ca && isIssued(leaf, ca);
  } catch {
    return false; // for any problem: either new files are made, or `refuseForeign` throws
  }
}

/**
 * Refuses to overwrite files that muster did not make, since a key may exist only here. Files beside a certificate of
 * muster are its own, except for another CA; so are those beside its CA, which an interrupted call left without a
 * certificate.
 */
async function refuseForeign({ caFile, certFile, keyFile }: Files): Promise<void> {
  const isOurCa = await isOurFile(caFile);
  const areOurs = (await isOurFile(certFile)) ?? isOurCa;
  if (areOurs && isOurCa !== false) return;
  for (const file of areOurs ? [caFile] : [certFile, keyFile, caFile]) {
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size === 0) continue;
    const message =
      `${file} was not made by muster, and can't be used: tls.crt has to be valid, with its key in tls.key, and in ` +
      'ca.crt the CA that signed it directly. Correct the three files, move them away, or choose another folder';
    throw new CertificateError(message);
  }
}

/** Whether muster issued the certificate in a file; undefined if it can't be read, or is no certificate. */
async function isOurFile(file: string): Promise<boolean | undefined> {
  try {
    return isOurs(new X509Certificate(await readFile(file)), CA_NAME);
  } catch {
    return undefined;
  }
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

/** The age at which the holder of the lock counts as dead: the work takes milliseconds. */
const STALE_MS = 5000;

/** Runs `work` in one process at a time. The lock is a file with a token; that of a process that died is replaced. */
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

/**
 * Creates a folder and its parents. Not by `recursive`: in /proc, where none can be created, Node would retry forever.
 */
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
  // The file may be from a machine whose clock is ahead, so the absolute difference counts.
  if (held === undefined || Math.abs(Date.now() - held.mtimeMs) < STALE_MS) return false;
  // Several processes may replace the lock of a dead one: the last to do so has it.
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
  throw new CertificateError(message, { cause: error });
}

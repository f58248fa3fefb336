/** A server outside of the cluster: its URL, and the CA of its certificate. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { plain, shorten } from '../../engine/text.ts';
import { CERTIFICATE_BLOCK } from '../../tls/load.ts';
import { UsageError } from '../shared.ts';

interface OutsideFlags {
  readonly url?: string;
  readonly caFile?: string;
}

interface Outside {
  readonly url: string;
  /** PEM, in base64. */
  readonly caBundle: string;
}

/**
 * Reads what `--url` and `--ca-file` say; undefined without them.
 * @throws {UsageError} for one without the other, a URL no API server takes, a file without a good certificate
 */
export async function outsideOf({ url, caFile }: OutsideFlags): Promise<Outside | undefined> {
  if (url === undefined && caFile === undefined) return undefined;
  if (url === undefined) throw new UsageError('--ca-file goes with --url; in a cluster, muster certs fills in the CA');
  if (caFile === undefined) throw new UsageError("--url needs --ca-file: the CA (PEM) of that server's certificate");
  return { url: checkedUrl(url), caBundle: bundleOf(await textOf(caFile), caFile) };
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url?.protocol === 'https:' && url.pathname === '/' && `${url.search}${url.hash}` === '';
  if (!url || !bare || url.username !== '' || url.password !== '')
    throw new UsageError(`--url: an API server calls https://HOST:PORT and no more, got "${shorten(plain(text), 80)}"`);
  return url.origin;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--ca-file: ${shorten(plain(file), 200)} cannot be read (${code ?? 'unknown error'})`);
  }
}

/** Takes only the certificates of the file: a key beside them is left out. */
function bundleOf(text: string, file: string): string {
  const shown = shorten(plain(file), 200);
  const certificates = text.match(CERTIFICATE_BLOCK) ?? [];
  if (certificates.length === 0) throw new UsageError(`--ca-file: ${shown} holds no certificate (PEM)`);
  for (const pem of certificates) refuseUnusable(pem, shown);
  return Buffer.from(`${certificates.join('\n')}\n`).toString('base64');
}

function refuseUnusable(pem: string, file: string): void {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw new UsageError(`--ca-file: ${file} holds a certificate that cannot be read`);
  }
  if (certificate.validToDate.getTime() < Date.now())
    throw new UsageError(`--ca-file: ${file} holds a certificate that expired on ${certificate.validTo}`);
}

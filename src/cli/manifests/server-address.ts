/** Where API servers call the server, and the CA of its certificate. */
import { readFile } from 'node:fs/promises';
import { safeText } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { certificatesIn } from '../../certificates/keyring.ts';
import { CERTIFICATE_BLOCK } from '../../certificates/load-certificate.ts';
import { reasonOf } from '../../documents/files.ts';
import type { InstallationOptions } from '../../manifests/installation.ts';
import type { CertificateProvider } from '../../manifests/names.ts';

export interface AddressFlags {
  readonly url?: string;
  readonly caFile?: string;
  /** Default `muster`. */
  readonly certificates?: CertificateProvider;
}

/**
 * Reads `--url` and `--ca-file`.
 * @throws {UsageError} for one without the other, a URL no API server takes, a file without a good certificate
 */
export async function serverAddress(flags: AddressFlags): Promise<Pick<InstallationOptions, 'url' | 'caBundle'>> {
  const { url, caFile, certificates = 'muster' } = flags;
  if (url !== undefined && caFile === undefined)
    throw new UsageError("--url needs --ca-file: the CA (PEM) of that server's certificate");
  if (url === undefined && caFile !== undefined && certificates !== 'existing')
    throw new UsageError(`--ca-file needs --url or --certificates existing; otherwise ${FILLED_IN[certificates]}`);
  return {
    ...(url !== undefined && { url: checkedUrl(url) }),
    ...(caFile !== undefined && { caBundle: await readBundle(caFile) }),
  };
}

const FILLED_IN = { muster: 'muster certs fills in the CA', 'cert-manager': 'cert-manager fills in the CA' };

function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.href === `${url.origin}/` && url.port !== '0') return url.origin;
  throw new UsageError(`--url: expected https://HOST:PORT without a path, got "${safeText(text, 80)}"`);
}

/** Reads the certificates of a file; returns them in base64, without a key beside them. */
async function readBundle(file: string): Promise<string> {
  const fail = (problem: string) => new UsageError(`--ca-file: ${safeText(file, 200)} ${problem}`);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fail(`cannot be read: ${reasonOf(error)}`);
  });
  const blocks = text.match(CERTIFICATE_BLOCK) ?? [];
  if (blocks.length === 0) throw fail('holds no certificate (PEM)');
  const certificates = certificatesIn(text);
  if (certificates.length < blocks.length) throw fail('holds a certificate that cannot be read');
  // An old CA may stay beside its successor after its end.
  const isExpired = certificates.every(({ validToDate }) => validToDate.getTime() < Date.now());
  if (isExpired) throw fail(`holds only expired certificates; the first expired on ${certificates[0]?.validTo}`);
  return Buffer.from(`${blocks.join('\n')}\n`).toString('base64');
}

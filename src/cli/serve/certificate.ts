/** The certificate of the server: which files hold it, the first one to serve with, and its changes. */

import { inPod } from '../../base/pod.ts';
import { UsageError } from '../../base/usage-error.ts';
import { ensureDevelopmentCertificates } from '../../certificates/development.ts';
import { CertificateError, ExpiredError } from '../../certificates/error.ts';
import { type CertificateFiles, type LoadedCertificate, loadCertificate } from '../../certificates/load-certificate.ts';
import { defaultPolicy } from '../../engine/index.ts';
import { listen } from '../../server/lifecycle/listen.ts';
import type { Log } from '../../server/log/log.ts';
import { createMetrics } from '../../server/ops/metrics.ts';
import { createOps } from '../../server/ops/ops.ts';
import { type FileWatch, type FileWatchOptions, watchFiles } from '../../watch/watch-files.ts';
import { refuseLinkedFolder } from '../certs/development.ts';
import { version } from '../shared.ts';
import type { ServeFlags } from './options.ts';

export interface ServerCertificate extends CertificateFiles {
  /** The development CA; undefined if the certificate is the user's own. */
  readonly caFile?: string;
}

/**
 * Returns the files that the flags name; without flags, makes development certificates.
 * @throws UsageError, of which a CertificateError is one
 */
export async function certificateFiles(flags: ServeFlags): Promise<ServerCertificate> {
  const { tlsCertFile: certFile = '', tlsPrivateKeyFile: keyFile = '', certDir } = flags;
  if (certFile !== '' && keyFile !== '') return { certFile, keyFile };
  if (certFile !== keyFile) {
    const missing = certFile === '' ? '--tls-cert-file' : '--tls-private-key-file';
    throw new UsageError(`${missing} is missing: a certificate and its key go together`);
  }
  if (inPod()) {
    const needed = '--tls-cert-file and --tls-private-key-file are needed';
    throw new UsageError(`in a pod, ${needed}: development certificates are never made there`);
  }
  refuseLinkedFolder(certDir);
  return ensureDevelopmentCertificates(certDir);
}

/**
 * Loads and checks the pair. In a pod, waits for a valid one: a Secret is fixed while the pod lives, and a container
 * that restarts with growing delays would use it late. Meanwhile the operations port answers: live, and not ready, with
 * the reason.
 * @param configuration the SHA-256 of the configuration file, for the metrics
 * @throws CertificateError if it is invalid outside of a pod, UsageError if the port is taken
 */
export async function firstCertificate(
  files: CertificateFiles,
  ops: { readonly host: string; readonly port: number },
  log: Log,
  configuration: string,
): Promise<LoadedCertificate> {
  let problem: string;
  try {
    return await loadCertificate(files);
  } catch (error) {
    if (!inPod() || !(error instanceof CertificateError)) throw error;
    problem = error.message;
  }
  const metrics = createMetrics({
    version: version(),
    policy: () => defaultPolicy,
    configuration: () => configuration,
  });
  const listening = await listen(createOps({ metrics, checks: [{ name: 'certificate', run: () => problem }] }), ops);
  log.warn(`no certificate to serve with, waiting for one: ${problem}`, { opsPort: listening.port });
  let watch: FileWatch | undefined;
  const certificate = await new Promise<LoadedCertificate>((resolve) => {
    const onError = ({ message }: Error) => {
      if (message !== problem) log.warn(`still no certificate to serve with: ${message}`);
      problem = message;
    };
    watch = watchCertificate(files, { current: undefined, onChange: resolve, onError, pollMs: 2000 });
  });
  void watch?.close();
  await listening.close();
  return certificate;
}

interface CertificateWatchOptions extends Omit<FileWatchOptions<LoadedCertificate>, 'files' | 'load' | 'key'> {
  readonly inUse?: () => LoadedCertificate;
}

/** Watches the pair until closed. */
export function watchCertificate(files: CertificateFiles, options: CertificateWatchOptions): FileWatch {
  const { certFile, keyFile } = files;
  const { inUse = () => undefined, ...rest } = options;
  const key = (pair: LoadedCertificate) => `${pair.cert}${pair.key}`;
  const load = () => loadUnlessInUse((now) => loadCertificate(files, now), key, inUse());
  return watchFiles({ files: [certFile, keyFile], load, key, ...rest });
}

/**
 * Loads files. If they have expired but are those in use, returns what is in use: the files have not changed, and
 * `expiryReporter` reports the end.
 */
export async function loadUnlessInUse<T extends { readonly notAfter: Date }>(
  load: (now?: Date) => Promise<T>,
  key: (loaded: T) => string,
  inUse: T | undefined,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (inUse === undefined || !(error instanceof ExpiredError)) throw error;
    const loaded = await load(inUse.notAfter).catch(() => undefined);
    if (loaded !== undefined && key(loaded) === key(inUse)) return inUse;
    throw error;
  }
}

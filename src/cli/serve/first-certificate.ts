/**
 * The certificate to start with. In a pod, a bad one is waited for: a Secret is fixed while the pod lives, and a container that ends and restarts, ever
 * more slowly, would miss the moment.
 */
import { inPod } from '../../cluster/live/access.ts';
import { defaultPolicy } from '../../engine/index.ts';
import { listen } from '../../server/lifecycle/listen.ts';
import type { Log } from '../../server/log/log.ts';
import { createMetrics } from '../../server/ops/metrics.ts';
import { createOps } from '../../server/ops/ops.ts';
import { CertificateError } from '../../tls/error.ts';
import { type CertificateFiles, type LoadedCertificate, loadCertificate } from '../../tls/load.ts';
import { watchLoaded } from '../../tls/watch.ts';
import { version } from '../shared.ts';

export interface FirstCertificateOptions {
  readonly files: CertificateFiles;
  /** Where the operations port answers meanwhile: live, and not ready, with the reason. */
  readonly ops: { readonly host: string; readonly port: number };
  readonly log: Log;
  /** Whether to wait. Default: in a pod. */
  readonly waits?: boolean;
}

/** Loads and checks the pair. Throws CertificateError where it is bad and there is no waiting, ListenError where the port is taken. */
export async function firstCertificate(options: FirstCertificateOptions): Promise<LoadedCertificate> {
  const { files, waits = inPod() } = options;
  try {
    return await loadCertificate(files);
  } catch (error) {
    if (!waits || !(error instanceof CertificateError)) throw error;
    return waitForCertificate(options, error.message);
  }
}

async function waitForCertificate({ files, ops, log }: FirstCertificateOptions, first: string) {
  let problem = first;
  const metrics = createMetrics({ version: version(), policy: () => defaultPolicy, certificateEnd: () => undefined });
  const listening = await listen(createOps({ metrics, checks: [{ name: 'certificate', run: () => problem }] }), ops);
  log.warn(`no certificate to serve with, waiting for one: ${first}`, { opsPort: listening.port });
  try {
    return await nextGood(files, (message) => {
      if (message !== problem) log.warn(`still no certificate to serve with: ${message}`);
      problem = message;
    });
  } finally {
    await listening.close();
  }
}

function nextGood(files: CertificateFiles, onProblem: (message: string) => void): Promise<LoadedCertificate> {
  return new Promise((resolve) => {
    const watch = watchLoaded({
      files: [files.certFile, files.keyFile],
      load: () => loadCertificate(files),
      key: ({ cert, key }) => `${cert}${key}`,
      current: undefined,
      pollMs: 2000,
      onChange: (certificate) => {
        watch.close();
        resolve(certificate);
      },
      onError: (error) => onProblem(error.message),
    });
  });
}

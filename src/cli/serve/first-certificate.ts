/**
 * The certificate to start with. In a pod, one that is no good yet is waited for: a Secret is mended while the pod lives,
 * and a container that ends and begins anew, ever more slowly, would miss the moment.
 */
import { inPod } from '../../cluster/live/in-pod.ts';
import { defaultPolicy } from '../../engine/index.ts';
import { type Listening, listen } from '../../server/lifecycle/listen.ts';
import type { Log } from '../../server/log/log.ts';
import { createHealth } from '../../server/ops/health.ts';
import { createMetrics } from '../../server/ops/metrics.ts';
import { createOps } from '../../server/ops/ops.ts';
import { CertificateError } from '../../tls/error.ts';
import { type CertificateFiles, type LoadedCertificate, loadCertificate } from '../../tls/load.ts';
import { watchCertificate } from '../../tls/reload.ts';

export interface FirstCertificateOptions {
  readonly files: CertificateFiles;
  /** Where the ops port answers meanwhile: live, and not ready, with the reason. */
  readonly ops: { readonly host: string; readonly port: number };
  readonly log: Log;
  /** Whether to wait. Default: in a pod. */
  readonly waits?: boolean;
}

/**
 * Loads and checks the pair.
 * @throws CertificateError where it is no good and there is no waiting; ListenError where the ops port is taken
 */
export async function firstCertificate(options: FirstCertificateOptions): Promise<LoadedCertificate> {
  const { files, waits = inPod() } = options;
  try {
    return await loadCertificate(files);
  } catch (error) {
    if (!waits || !(error instanceof CertificateError)) throw error;
    return wait(options, error.message);
  }
}

async function wait({ files, ops, log }: FirstCertificateOptions, first: string): Promise<LoadedCertificate> {
  let problem = first;
  const listening = await listenUnready(ops, () => problem);
  log.warn(`no certificate to serve with, waiting for one: ${first}`, { opsPort: listening.port });
  const end = () => process.exit(0);
  // The first process of a container has no default for signals.
  process.once('SIGTERM', end).once('SIGINT', end);
  try {
    return await goodOne(files, (message) => {
      if (message !== problem) log.warn(`still no certificate to serve with: ${message}`);
      problem = message;
    });
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end);
    await listening.close();
  }
}

function goodOne(files: CertificateFiles, onProblem: (message: string) => void): Promise<LoadedCertificate> {
  return new Promise((resolve) => {
    const watch = watchCertificate({
      ...files,
      pollMs: 2000,
      onChange: (certificate) => {
        watch.close();
        resolve(certificate);
      },
      onError: (error) => onProblem(error.message),
    });
  });
}

function listenUnready(ops: { host: string; port: number }, problem: () => string): Promise<Listening> {
  const metrics = createMetrics({ policy: () => defaultPolicy, certificateEnd: () => undefined });
  const health = createHealth([{ name: 'certificate', run: () => problem() }]);
  return listen(createOps({ metrics, health }), ops);
}

/** `muster certs --secret`: converts flags to a run, and failures to one line and an exit code. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDnsLabel, isDnsSubdomain } from '../../base/syntax.ts';
import { UsageError } from '../../base/usage-error.ts';
import { issueCertificates } from '../../certificates/issue.ts';
import type { AccessFlags } from '../../cluster/live/access-source.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { openClient, reportFailure } from '../shared.ts';
import type { SecretReference } from './cluster-secret.ts';
import { PutOff, renew } from './renew.ts';

export interface SecretFlags extends Pick<AccessFlags, 'kubeconfig' | 'context'> {
  readonly secret: string;
  readonly service?: string;
  readonly webhook?: string;
  /** Milliseconds. */
  readonly overlap: number;
  readonly rotate?: boolean;
}

/**
 * Runs once. Sets the process's exit code: 0 done, 1 put off to a later run, 2 the cluster refused; the reason is one
 * line on standard error.
 * @throws UsageError for flags or a kubeconfig that can't be used
 */
export async function runInCluster(flags: SecretFlags, open = openClient): Promise<void> {
  const asked = read(flags);
  const api = await open(flags);
  // Where the reader of standard output goes, the process ends between two steps.
  process.exitCode = 1;
  try {
    const print = (line: string) => process.stdout.write(`${line}\n`);
    await renew({ ...asked, api, issue: issueCertificates, clock: Date.now, pause, print });
    process.exitCode = 0;
  } catch (error) {
    const { code, line } = explain(error, asked.secret, asked.webhook);
    reportFailure(new UsageError(line));
    process.exitCode = code;
  } finally {
    api.close();
  }
}

/** Returns the names by which a cluster calls a Service. API servers use and verify the first. */
export function namesOf({ namespace, name }: SecretReference): string[] {
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`, `${name}.${namespace}`];
}

function read({ secret, service, webhook, overlap: overlapMs, rotate = false }: SecretFlags) {
  if (service === undefined)
    throw new UsageError('--secret needs --service NAMESPACE/NAME, the Service that API servers call');
  if (webhook === undefined)
    throw new UsageError('--secret needs --webhook NAME, the webhook configurations that get the CA');
  const names = namesOf(referenceOf('--service', service));
  if (isDnsSubdomain(webhook)) return { secret: referenceOf('--secret', secret), names, webhook, overlapMs, rotate };
  throw new UsageError(`--webhook takes the name of webhook configurations, such as muster, got "${webhook}"`);
}

/** Reads NAMESPACE/NAME, which become parts of a path. @throws UsageError that names the flag */
function referenceOf(flag: string, text: string): SecretReference {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (more.length === 0 && isDnsLabel(namespace) && isDnsSubdomain(name)) return { namespace, name };
  throw new UsageError(`${flag} takes NAMESPACE/NAME, such as muster-system/muster, got "${text}"`);
}

/** Waits 0.1 s, doubled with each attempt, up to 2 s; at random up to half less, so that runs that raced differ. */
function pause(attempts: number): Promise<unknown> {
  return sleep(Math.min(2000, 50 * 2 ** attempts) * (0.5 + Math.random() / 2));
}

function explain(error: unknown, secret: SecretReference, webhook: string): { code: 1 | 2; line: string } {
  if (error instanceof PutOff) return { code: 1, line: error.message };
  if (!(error instanceof ClusterError)) throw error;
  if (error.code === 'forbidden') {
    const { namespace, name } = secret;
    const needed = `get and update on Secret ${namespace}/${name} and on both webhook configurations "${webhook}"`;
    const line =
      `${error.message}; grant ${needed}; if the Secret was deleted, apply muster's manifests again, or grant ` +
      'create, too';
    return { code: 2, line };
  }
  return { code: ['unavailable', 'timeout'].includes(error.code) ? 1 : 2, line: error.message };
}

/**
 * `muster certs --secret`: reads Secret and webhook configurations, takes the next step of a rotation, and repeats that
 * until no step is due. Every write is under the resourceVersion that was read; a run that loses a race reads again, so
 * any number of runs end with one CA.
 */

import { formatTime } from '../../base/syntax.ts';
import { safeText } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { issueCertificates } from '../../certificates/issue.ts';
import { KEYS } from '../../certificates/keyring.ts';
import {
  MOST_SKEW_MS,
  nextStep,
  type RotationChange,
  type RotationStep,
  staged,
} from '../../certificates/secret-rotation.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { REGISTRATION_KINDS } from '../../manifests/names.ts';
import { bundlesIn, readRegistration, type StoredConfiguration, writeBundle } from './ca-bundles.ts';
import { readSecret, type SecretReference, type StoredSecret, writeSecret } from './cluster-secret.ts';

export interface Renewal {
  readonly api: ApiClient;
  readonly secret: SecretReference;
  /** The names by which API servers call muster. They verify the first. */
  readonly names: readonly string[];
  /** The name of the webhook configurations. */
  readonly webhook: string;
  readonly overlapMs: number;
  readonly rotate: boolean;
  readonly issue: typeof issueCertificates;
  /** This machine's clock, in milliseconds. */
  readonly clock: () => number;
  /** Waits before the next attempt, after so many that failed. */
  readonly pause: (attempts: number) => Promise<unknown>;
  /** Prints a line about a step that is done. */
  readonly print: (line: string) => void;
}

/** The run did not take a step that a later run may take. The message is one line, with the fix. */
export class PutOff extends Error {}

const CHANGES: Readonly<Record<RotationChange, string>> = {
  tidy: 'removed unused parts, or restored a CA that servers need',
  mark: 'noted the time from which the overlap counts',
  unmark: 'the overlap begins again, because a caBundle was changed',
  promote: 'started to use the new certificate',
  drop: 'dropped the old CA; the rotation is over',
};

/** The most steps of a run. A first run takes four: issue, write the caBundles, promote, and find nothing due. */
const MOST_STEPS = 100;
/** The most failures between two steps, for an API server that is busy or restarts. */
const MOST_FAILURES = 4;

/**
 * Takes all steps that are due. Prints names and times, but nothing of a key. @throws UsageError, PutOff, ClusterError
 */
export async function renew(renewal: Renewal): Promise<void> {
  let attempts = 0;
  let failures = 0;
  let hasIssued = false;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    try {
      const cluster = await read(renewal);
      const step = planIn(cluster, { ...renewal, rotate: renewal.rotate && !hasIssued });
      if (step.do === 'rest') return finish(renewal, step, cluster);
      if (step.do === 'issue' && hasIssued) {
        const message =
          `the certificate made a moment ago can't be used (${clean(step.why)}): another program writes this ` +
          'Secret, or a clock changed; a later run tries again';
        throw new PutOff(`${secretName(renewal)}: ${message}`);
      }
      await take(renewal, step, cluster);
      hasIssued ||= step.do === 'issue';
      attempts = failures = 0;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      const passes = ['unavailable', 'timeout'].includes(error.code) && ++failures < MOST_FAILURES;
      if (error.code !== 'conflict' && !passes) throw error;
      await renewal.pause(++attempts);
    }
  }
  const message = 'or the webhook configurations were changed by others during each attempt; run this again';
  throw new PutOff(`${secretName(renewal)} ${message}`);
}

interface Cluster {
  readonly stored: StoredSecret;
  readonly registration: readonly StoredConfiguration[];
  /** PEM of the CAs in the Secret. */
  readonly cas: string;
  readonly now: Date;
  /** How far this machine's clock is ahead of the API server's, in milliseconds. */
  readonly ahead: number;
}

/**
 * Reads the configurations first: if one is older than the Secret, its resourceVersion fails the write. Read second, a
 * delayed run could undo a caBundle for a newer Secret. The clock is read last: an overlap must not begin before the
 * reads.
 */
async function read(renewal: Renewal): Promise<Cluster> {
  const { api, secret, webhook, clock } = renewal;
  const registration = await readRegistration(api, webhook);
  const stored = await readSecret(api, secret);
  // Two programs that overwrite each other's certificates would never end.
  const managed = registration.find(({ isManaged }) => isManaged);
  if (stored.isManaged || managed) {
    const what = managed ? `${managed.kind} ${webhook}` : secretName(renewal);
    const problem = `${what} is managed by cert-manager, as its annotations say`;
    throw new UsageError(`${problem}; use cert-manager or muster certs, not both`);
  }
  const { date } = await api.call({ method: 'GET', path: '/version' });
  const local = clock();
  const now = date ?? local;
  return { stored, registration, cas: stored.text.data[KEYS.ca] ?? '', now: new Date(now), ahead: local - now };
}

function planIn({ stored, registration, cas, now }: Cluster, { names, overlapMs, rotate }: Renewal): RotationStep {
  const bundles = registration.flatMap((configuration) => bundlesIn(configuration, cas));
  return nextStep({ secret: stored.text, bundles, names, now, registered: bundles.length > 0, overlapMs, rotate });
}

async function take(renewal: Renewal, step: Exclude<RotationStep, { do: 'rest' }>, cluster: Cluster): Promise<void> {
  const { api, secret, webhook, names, issue, print } = renewal;
  const { stored, registration, cas, now } = cluster;
  const name = secretName(renewal);
  if (step.do === 'refuse') {
    const message =
      `holds a good certificate that muster did not make (issuer ${clean(step.why)}); name another Secret, or ` +
      'delete this one if nothing needs it';
    throw new UsageError(`${name} ${message}`);
  }
  if (step.do === 'bundle') {
    for (const configuration of registration) {
      if (bundlesIn(configuration, cas).every((bundle) => bundle === step.ca)) continue;
      await writeBundle(api, configuration, cas, step.ca);
      print(`${configuration.kind} ${webhook}: wrote the caBundle`);
    }
  } else if (step.do === 'issue') {
    checkClocks(cluster);
    const issued = await issue({ names, now });
    await writeSecret(api, secret, stored, staged(stored.text, step.keyring, issued));
    print(`${name}: made a CA and a certificate until ${formatTime(issued.notAfter)} (${clean(step.why)})`);
  } else {
    if (step.what !== 'tidy') checkClocks(cluster);
    await writeSecret(api, secret, stored, step.secret);
    print(`${name}: ${CHANGES[step.what]}`);
  }
}

/** Prints the state, and when the next step is due. */
function finish(renewal: Renewal, step: Extract<RotationStep, { do: 'rest' }>, { registration, cas }: Cluster): void {
  const { webhook, print } = renewal;
  const { phase, next, keyring } = step;
  const name = secretName(renewal);
  if (registration.every((configuration) => bundlesIn(configuration, cas).length === 0)) {
    const message =
      `there is neither a ${REGISTRATION_KINDS.join(' nor a ')} "${webhook}" that calls a Service, to write the CA ` +
      `of ${name} into; apply them, or check --webhook, and run this again`;
    throw new UsageError(message);
  }
  for (const kind of REGISTRATION_KINDS)
    if (!registration.some((found) => found.kind === kind)) print(`${kind} ${webhook}: does not exist, skipped`);
  const leaf = (keyring.current ?? keyring.next)?.leaf;
  print(`${name}: the certificate is good until ${leaf ? formatTime(leaf.validToDate) : 'now'}`);
  const due = {
    serving: `a rotation begins in a run from ${formatTime(next)} on`,
    staged: `a run from ${formatTime(next)} on starts to use the new certificate of a rotation`,
    promoted: `a run from ${formatTime(next)} on drops the old CA of a rotation`,
  };
  print(`Next: ${due[phase]}`);
}

function checkClocks({ now, ahead }: Cluster): void {
  if (Math.abs(ahead) <= MOST_SKEW_MS) return;
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  const message =
    `this machine's clock is ${minutes} minutes ${ahead > 0 ? 'ahead of' : 'behind'} the API server's, which says ` +
    `${formatTime(now)}; nothing is issued or moved on until they agree: set the one that is wrong`;
  throw new PutOff(message);
}

function secretName({ secret: { namespace, name } }: Renewal): string {
  return `Secret ${namespace}/${name}`;
}

function clean(text: string): string {
  return safeText(text, 256);
}

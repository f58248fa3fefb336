/**
 * `muster certs --secret`: reads Secret and webhook configurations, takes the next step of a rotation, and repeats that until nothing is due. Every write
 * is under the resourceVersion that was read; whoever loses a race reads again, so any number of runs end with one CA.
 */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import type { issueCertificates } from '../../tls/issue.ts';
import { KEYS } from '../../tls/keyring.ts';
import { MOST_SKEW_MS, plan, type Step, staged } from '../../tls/rotation.ts';
import { readSecret, type StoredSecret, writeSecret } from './cluster-secret.ts';
import * as messages from './messages.ts';
import type { Reference } from './reference.ts';
import { bundlesIn, readRegistration, type StoredConfiguration, writeBundle } from './registration.ts';

export interface Renewal {
  readonly api: ApiClient;
  readonly secret: Reference;
  /** By which API servers call the servers; the first is the one they verify. */
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
  /** Prints a line as it becomes true. */
  readonly print: (line: string) => void;
}

/** A first run alone needs eight. */
const MOST_STEPS = 100;
/** For what may be over in a moment: an API server that is busy or starts anew. */
const MOST_FAILURES = 4;

/** Does what is due. Throws CertsError, or ClusterError. */
export async function renew(renewal: Renewal): Promise<void> {
  let attempts = 0;
  let failures = 0;
  let hasIssued = false;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    try {
      const cluster = await read(renewal);
      const step = planIn(cluster, { ...renewal, rotate: renewal.rotate && !hasIssued });
      if (step.do === 'rest') return finish(renewal, step, cluster);
      if (step.do === 'issue' && hasIssued) throw messages.issuedInVain(renewal.secret, step.why);
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
  throw messages.outrun(renewal.secret);
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
 * The configurations first: if one is older than the Secret beside it, its resourceVersion fails the write. The other way round, a run that was held up
 * could undo a caBundle for a Secret that has moved on.
 */
async function read({ api, secret, webhook, clock }: Renewal): Promise<Cluster> {
  const registration = await readRegistration(api, webhook);
  const stored = await readSecret(api, secret);
  const local = clock();
  const now = stored.date ?? registration[0]?.date ?? (await dateOf(api)) ?? local;
  // Two that each overwrite the other's would never end.
  if (stored.kept) throw messages.kept(messages.nameOf(secret));
  const injected = registration.find((configuration) => configuration.injected);
  if (injected) throw messages.kept(`${injected.kind} ${webhook}`);
  return { stored, registration, cas: stored.text.data[KEYS.ca] ?? '', now: new Date(now), ahead: local - now };
}

function planIn({ stored, registration, cas, now }: Cluster, { names, overlapMs, rotate }: Renewal): Step {
  const bundles = registration.flatMap((configuration) => bundlesIn(configuration, cas));
  return plan({ secret: stored.text, bundles, names, now, registered: bundles.length > 0, overlapMs, rotate });
}

async function take(renewal: Renewal, step: Exclude<Step, { do: 'rest' }>, cluster: Cluster): Promise<void> {
  const { api, secret, webhook, names, issue, print } = renewal;
  const { stored, registration, cas, now } = cluster;
  if (step.do === 'refuse') throw messages.foreign(secret, step.why);
  if (step.do === 'bundle') {
    for (const configuration of registration) {
      if (bundlesIn(configuration, cas).every((bundle) => bundle === step.ca)) continue;
      await writeBundle(api, configuration, cas, step.ca);
      print(messages.bundled(configuration, webhook));
    }
  } else if (step.do === 'issue') {
    checkClocks(cluster);
    const issued = await issue({ names, now });
    await writeSecret(api, secret, stored, staged(stored.text, step.keyring, issued));
    print(messages.issued(secret, step.why, issued.notAfter));
  } else {
    if (step.what !== 'tidy') checkClocks(cluster);
    await writeSecret(api, secret, stored, step.secret);
    print(messages.written(secret, step.what));
  }
}

function finish(renewal: Renewal, step: Extract<Step, { do: 'rest' }>, { registration, cas }: Cluster): void {
  const { webhook, secret, print } = renewal;
  if (registration.every((configuration) => bundlesIn(configuration, cas).length === 0)) {
    throw messages.unregistered(webhook, secret);
  }
  for (const line of [...messages.missing(webhook, registration), ...messages.state(secret, step)]) print(line);
}

function checkClocks({ now, ahead }: Cluster): void {
  if (Math.abs(ahead) > MOST_SKEW_MS) throw messages.clocks(now, ahead);
}

async function dateOf(api: ApiClient): Promise<number | undefined> {
  return (await api.call({ method: 'GET', path: '/version' })).date;
}

/**
 * `muster certs --secret`: looks at Secret and webhook configurations, takes the next step, and looks again until nothing is
 * due. Every write is under what was read; whoever loses a race looks again, so any number of runs end with one CA.
 */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import type { issueCertificates } from '../../tls/issue.ts';
import { MOST_SKEW_MS, plan, type Situation, type Step, staged } from '../../tls/rotation.ts';
import { readSecret, type StoredSecret, writeSecret } from './cluster-secret.ts';
import { CertsError } from './error.ts';
import type { Reference } from './reference.ts';
import { readRegistration, type StoredConfiguration, writeBundle } from './registration.ts';
import * as say from './say.ts';

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
  /** Waits before the next look, after so many attempts in vain. */
  readonly pause: (attempts: number) => Promise<unknown>;
  /** Takes each line as it becomes true. */
  readonly tell: (line: string) => void;
}

/**
 * Does what is due.
 * @throws CertsError `refused` when it may not or can't be done as asked, `put-off` when a later run may do it
 * @throws ClusterError
 */
export async function renew(renewal: Renewal): Promise<void> {
  const run = new Run(renewal);
  for (let looks = 0; looks < MOST_LOOKS; looks++) if (await run.step()) return;
  throw new CertsError('put-off', say.outrun(renewal.secret));
}

/** A first run alone needs eight. */
const MOST_LOOKS = 100;
/** For what may heal at once: an API server that is busy or starts anew. */
const MOST_FAILURES = 4;

interface Look {
  readonly stored: StoredSecret;
  readonly registration: readonly StoredConfiguration[];
  readonly now: Date;
  /** How far this machine's clock is ahead of the API server's, in milliseconds. */
  readonly ahead: number;
}

class Run {
  /** In vain, in a row. */
  #attempts = 0;
  #failures = 0;
  #issued = false;
  readonly #renewal: Renewal;

  constructor(renewal: Renewal) {
    this.#renewal = renewal;
  }

  /** One look, and at most one step. True when nothing more is due. */
  async step(): Promise<boolean> {
    try {
      const look = await this.#look();
      const step = plan(this.#situation(look));
      const done = await this.#take(step, look);
      this.#attempts = this.#failures = 0;
      return done;
    } catch (error) {
      if (!this.#mayHeal(error)) throw error;
      await this.#renewal.pause(++this.#attempts);
      return false;
    }
  }

  /**
   * The configurations first: if one is older than the Secret beside it, its resourceVersion fails the write. The other way
   * round, a run that was held up could undo a caBundle for a Secret that has moved on.
   */
  async #look(): Promise<Look> {
    const { api, secret, webhook, clock } = this.#renewal;
    const registration = await readRegistration(api, webhook);
    const stored = await readSecret(api, secret);
    const local = clock();
    const now = stored.date ?? registration[0]?.date ?? (await dateOf(api)) ?? local;
    refuseKept(this.#renewal, stored, registration);
    return { stored, registration, now: new Date(now), ahead: local - now };
  }

  #situation({ stored, registration, now }: Look): Situation {
    const { names, overlapMs, rotate } = this.#renewal;
    const bundles = registration.flatMap((configuration) => configuration.bundles);
    const registered = registration.length > 0;
    return { secret: stored.text, bundles, names, now, registered, overlapMs, rotate: rotate && !this.#issued };
  }

  async #take(step: Step, look: Look): Promise<boolean> {
    const { tell, api, secret } = this.#renewal;
    if (step.do === 'refuse') throw new CertsError('refused', say.foreign(secret, step.why));
    if (step.do === 'rest') return this.#rest(step, look);
    if (step.do === 'bundle') await this.#bundle(look, step.ca);
    else if (step.do === 'issue') await this.#issue(step, look);
    else {
      if (step.what !== 'tidy') this.#checkClocks(look);
      await writeSecret(api, secret, look.stored, step.secret);
      tell(say.written(secret, step.what));
    }
    return false;
  }

  async #bundle({ registration }: Look, ca: string): Promise<void> {
    const { api, tell } = this.#renewal;
    for (const configuration of registration) {
      if (configuration.bundles.every((bundle) => bundle === ca)) continue;
      await writeBundle(api, configuration, ca);
      tell(say.bundled(configuration));
    }
  }

  async #issue({ why, keyring }: Extract<Step, { do: 'issue' }>, look: Look): Promise<void> {
    const { api, secret, names, issue, tell } = this.#renewal;
    if (this.#issued) throw new CertsError('put-off', say.issuedInVain(secret, why));
    this.#checkClocks(look);
    const issued = await issue({ names, now: look.now });
    await writeSecret(api, secret, look.stored, staged(look.stored.text, keyring, issued));
    this.#issued = true;
    tell(say.issued(secret, why, issued.notAfter));
  }

  #rest(step: Extract<Step, { do: 'rest' }>, { registration }: Look): boolean {
    const { webhook, secret, tell } = this.#renewal;
    if (registration.length === 0) throw new CertsError('refused', say.unregistered(webhook, secret));
    for (const line of say.missing(webhook, registration)) tell(line);
    for (const line of say.rest(secret, step)) tell(line);
    return true;
  }

  #checkClocks({ now, ahead }: Look): void {
    if (Math.abs(ahead) > MOST_SKEW_MS) throw new CertsError('put-off', say.clocks(now, ahead));
  }

  #mayHeal(error: unknown): boolean {
    if (!(error instanceof ClusterError)) return false;
    if (error.code === 'conflict') return true;
    return ['unavailable', 'timeout'].includes(error.code) && ++this.#failures < MOST_FAILURES;
  }
}

/** Two who each mend what the other wrote would never end. */
function refuseKept({ secret, webhook }: Renewal, stored: StoredSecret, registration: readonly StoredConfiguration[]) {
  if (stored.kept) throw new CertsError('refused', say.kept(`Secret ${secret.namespace}/${secret.name}`));
  const injected = registration.find((configuration) => configuration.injected);
  if (injected) throw new CertsError('refused', say.kept(`${injected.kind} ${webhook}`));
}

async function dateOf(api: ApiClient): Promise<number | undefined> {
  return (await api.call({ method: 'GET', path: '/version' })).date;
}

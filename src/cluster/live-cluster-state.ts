/** The state of a live cluster: reads stored objects when a rule needs them, and locks identity writes. */
import type { Dialect } from '../api/dialects.ts';
import { type ClusterState, type Deadline, noLaterThan } from '../engine/cluster-state.ts';
import type { Engine, Verdict } from '../engine/index.ts';
import { mayJoin } from '../rules/claim/identities.ts';
import type { ClusterView, Subject } from '../rules/rule.ts';
import type { RuleId } from '../rules/rule-id.generated.ts';
import { newestOf } from './live/api-paths.ts';
import type { ApiClient } from './live/client.ts';
import { boundTo } from './live/client-wrappers.ts';
import { servedVersions } from './live/discovery.ts';
import { createLiveView, type ReadObserver } from './live/live-view.ts';
import { createSharedReads } from './live/shared-reads.ts';
import { createSingleFlight } from './live/single-flight.ts';
import { findIdentityWrite, isLeave } from './locks/find-identity-write.ts';
import { evaluateIdentityWrite, type LockObserver, type Locks } from './locks/identity-write.ts';
import { createLeases } from './locks/leases.ts';
import { createExpiry } from './locks/lock-state.ts';
import { releaseOnDelete } from './locks/release-on-delete.ts';
import type { Registrar } from './registrar/registrar.ts';

interface LiveClusterStateOptions extends Partial<Pick<Locks, 'expiry' | 'pause'>> {
  readonly client: ApiClient;
  readonly observer?: ReadObserver & LockObserver;
  /** Returns the registrar of the current configuration; undefined if there is none. */
  readonly registrar?: (() => Registrar | undefined) | undefined;
}

const noObserver: ReadObserver & LockObserver = { read: () => {}, lock: () => {} };

/** The time that is reserved for the answer after the reads, in milliseconds; at most a tenth of what is left. */
const ANSWER_MS = 250;

/**
 * Creates the state of a live cluster. It calls the cluster only when a write needs it, so starting needs no API
 * server. An identity write is allowed only if it holds its lock. A failed read or lock makes the verdict
 * indeterminate, with a message that names the fix.
 */
export function createLiveClusterState(options: LiveClusterStateOptions): ClusterState {
  const { client, observer = noObserver, expiry = createExpiry(), pause } = options;
  const served = cacheServedVersions(client);
  const sharedReads = createSharedReads();
  const locks = { leases: createLeases(client), observer, expiry, pause };
  return {
    evaluate(subject, engine, requestDeadline) {
      const deadline = withTimeToAnswer(requestDeadline);
      const version = (dialect: Dialect, unserved?: string) => {
        if (dialect.name === subject.dialect.name) return subject.version;
        return dialect.isReferenced ? served(dialect, deadline, unserved) : newestOf(dialect);
      };
      const newView = (until: Deadline) => createLiveView({ client, observer, deadline: until, version, sharedReads });
      // The rule for whose sake an identity write needs the lock: none where no rule may deny.
      const guard = subject.dryRun ? undefined : engine.guardOf(subject.dialect, subject.operation);
      const registrar = mayJoin(subject) ? registrarFor(options.registrar?.(), engine, subject) : undefined;
      const withHub = registrar && hubAdder(registrar, { subject, engine, deadline });
      const write = guard && findIdentityWrite(subject, registrar !== undefined);
      const withRelease = async (verdict: Verdict): Promise<Verdict> => {
        if (verdict.outcome === 'allowed') await releaseOnDelete(locks, subject, deadline, newView);
        return verdict;
      };
      // An identity write, under the lock; a join also reserves its id.
      if (guard && write) {
        const verdict = evaluateIdentityWrite(locks, { subject, write, guard, engine, deadline, newView, withHub });
        // An exempt caller, whose writes are not evaluated, deletes an id without its lock.
        if (write.operation === 'DELETE') return verdict.then((one) => (one.skipped ? withRelease(one) : one));
        return registrar ? announceJoin(registrar, verdict) : verdict;
      }
      // A join without a lock, which only asks the hub: a dry run, or one that no rule may deny.
      if (registrar && withHub) {
        const verdict = evaluateUnlocked(engine, subject, newView(deadline), withHub);
        return subject.dryRun ? verdict : announceJoin(registrar, verdict);
      }
      // Any other write, by what is stored.
      const verdict = engine.evaluate(subject, newView(deadline));
      return guard === undefined || !isLeave(subject) ? verdict : Promise.resolve(verdict).then(withRelease);
    },
  };
}

const RESERVING_RULE: RuleId = 'claim/id-reserved';

/** Returns the registrar if its rule may deny or warn on this write. Otherwise the hub is not called. */
function registrarFor(registrar: Registrar | undefined, engine: Engine, subject: Subject): Registrar | undefined {
  if (registrar === undefined) return undefined;
  const action = engine.actionOn(RESERVING_RULE, subject);
  return action === 'deny' || action === 'warn' ? registrar : undefined;
}

/**
 * Returns a function that adds the hub to a view. If the hub is unreachable and `whenUnreachable` is `warn`, its answer
 * leads to a warning. If the rule only warns anyway, an unreachable hub is not reported.
 */
function hubAdder(
  registrar: Registrar,
  { subject, engine, deadline }: { subject: Subject; engine: Engine; deadline: Deadline },
) {
  const denies = engine.actionOn(RESERVING_RULE, subject) === 'deny';
  const warns = denies && engine.policy.settings.registrar?.whenUnreachable === 'warn';
  const ask = subject.dryRun ? registrar.lookUp : registrar.reserve;
  return (view: ClusterView): ClusterView => ({
    ...view,
    reserve: async (identity) => {
      const answer = await ask(identity, deadline);
      return answer.kind === 'unreachable' && warns ? { ...answer, kind: 'unreserved' } : answer;
    },
  });
}

/** Evaluates a join without a lock. Calls the hub only if all else allows the join. */
async function evaluateUnlocked(
  engine: Engine,
  subject: Subject,
  view: ClusterView,
  withHub: (view: ClusterView) => ClusterView,
): Promise<Verdict> {
  const verdict = await engine.evaluate(subject, view);
  if (verdict.outcome !== 'allowed' || verdict.skipped !== undefined) return verdict;
  return engine.evaluate(subject, withHub(view));
}

/** Tells the registrar if a join is allowed. */
async function announceJoin(registrar: Registrar, verdict: Promise<Verdict>): Promise<Verdict> {
  if ((await verdict).outcome === 'allowed') registrar.joined();
  return verdict;
}

const REMEMBERED_MS = 60_000;

/**
 * Returns a function that finds the version in which the cluster serves a kind, which may be older or newer than the
 * one that muster knows. The answer is kept for a minute, or until a read finds that the version is not served any
 * more.
 */
function cacheServedVersions(client: ApiClient) {
  const known = new Map<string, { readonly version: string; readonly until: number }>();
  const singleFlight = createSingleFlight<string>();
  const ask = async (dialect: Dialect, deadline: Deadline): Promise<string> => {
    const [first] = await servedVersions(boundTo(client, deadline), dialect);
    if (first === undefined) return newestOf(dialect);
    known.set(dialect.name, { version: first, until: Date.now() + REMEMBERED_MS });
    return first;
  };
  return async (dialect: Dialect, deadline: Deadline, unserved?: string): Promise<string> => {
    const { version, until = 0 } = known.get(dialect.name) ?? {};
    if (version !== undefined && version !== unserved && Date.now() < until) return version;
    return singleFlight(dialect.name, () => ask(dialect, deadline), deadline);
  };
}

/**
 * Returns an earlier deadline for reads, so that there is time for the verdict. A read that takes longer is `unknown`;
 * without this, the request itself would time out, with 503.
 */
function withTimeToAnswer(deadline: Deadline): Deadline {
  const left = Math.max(0, deadline.at - Date.now());
  return noLaterThan(deadline.at - Math.min(ANSWER_MS, left / 10), deadline);
}

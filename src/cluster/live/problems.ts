/** What is wrong with a cluster, as far as requests will need it: kinds, rights, Leases, clocks. Nothing is written. */
import { type Dialect, dialects } from '../../api/dialects.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import { createLeases } from '../locks/leases.ts';
import { type ApiClient, expectObject } from './client.ts';
import { servedVersions } from './discovery.ts';
import { ClusterError, isWayBroken, whyNoLock, whyUnread } from './errors.ts';
import { leasePath, pathOf } from './paths.ts';
import { withDeadline } from './view.ts';

const TIMEOUT_MS = 5000;
/** A difference that a slow answer and whole seconds can't explain. */
const CLOCK_SECONDS = 10;
const UNITS: readonly (readonly [string, number])[] = [
  ['seconds', 60],
  ['minutes', 3600],
  ['hours or more', Number.POSITIVE_INFINITY],
];

/** Returns one line a problem, with its fix. An API server that can't be reached is one problem, not six. */
export async function findProblems(client: ApiClient, signal: AbortSignal): Promise<string[]> {
  const deadline = { signal, at: Date.now() + TIMEOUT_MS };
  const needed = dialects.filter(({ claim, ours }) => claim !== undefined || ours);
  const found = await Promise.all(needed.map((dialect) => problemsOf(client, dialect, deadline)));
  return [...new Set(found.flat())];
}

async function problemsOf(client: ApiClient, dialect: Dialect, deadline: Deadline): Promise<string[]> {
  const { group, plural, ours, claim } = dialect;
  const name = claim?.membershipName;
  try {
    const [version] = await servedVersions(
      { call: (request) => client.call(withDeadline(request, deadline)) },
      dialect,
    );
    if (version === undefined) {
      const message = `the API server does not serve ${plural} (${group}): install its CRD (muster manifests --only crds)`;
      return ours ? [message] : [];
    }
    if (name === undefined) return [];
    const { body } = await client.call(
      withDeadline({ method: 'GET', path: pathOf({ dialect, name }, version) }, deadline),
    );
    expectObject(body, { group, kind: dialect.kind, name });
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    if (error.absent === 'kind') return [];
    if (error.absent === undefined)
      return [isWayBroken(error) ? error.message : whyUnread(`${plural} "${name}" (${group})`, error)];
  }
  return leaseProblems(client, dialect, deadline);
}

/** Reads the Lease, and writes it unchanged as a dry run: only a write shows whether writing is permitted. */
async function leaseProblems(client: ApiClient, dialect: Dialect, deadline: Deadline): Promise<string[]> {
  const leases = createLeases(client);
  let verb: 'get' | 'update' = 'get';
  try {
    const { lease, now } = await leases.read(dialect, deadline);
    verb = 'update';
    const path = `${leasePath(client.namespace, dialect)}?dryRun=All`;
    await client.call(withDeadline({ method: 'PUT', path, body: lease }, deadline)).catch(ignoreConflict);
    return clockProblems(now - Date.now());
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return [isWayBroken(error) ? error.message : whyNoLock(leases.nameOf(dialect), verb, error)];
  }
}

/** A conflict shows that the Lease can be written: a lock was acquired between read and write. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ClusterError) || error.code !== 'conflict') throw error;
}

/** In rough words, so that a clock that drifts is not reported anew at each check. @param ahead of ours, in milliseconds */
function clockProblems(ahead: number): string[] {
  const seconds = Math.abs(ahead) / 1000;
  if (seconds < CLOCK_SECONDS) return [];
  const which = ahead > 0 ? 'behind' : 'ahead of';
  const [unit] = UNITS.find(([, limit]) => seconds < limit) ?? [];
  return [`this machine's clock is ${unit} ${which} the API server's, and rules on time go by it: set it right`];
}

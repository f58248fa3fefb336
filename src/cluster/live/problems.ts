/** What is wrong with a cluster, as far as requests will need it. Nothing is written. */

import { type Dialect, dialects } from '../../api/dialects.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import { listAt, textAt } from '../../rules/json.ts';
import { createLeases } from '../locks/leases.ts';
import { expectObject } from './answer.ts';
import type { ApiClient } from './client.ts';
import { ClusterError } from './errors.ts';
import { leasePath, pathOf, versionPath } from './paths.ts';
import { type Verb, whyNoIntent, whyUnread } from './remedy.ts';
import { callWithin } from './view.ts';

const PATIENCE_MS = 5000;
/** What a slow answer and whole seconds can't explain. */
const CLOCK_SECONDS = 10;
const SOME: readonly (readonly [string, number])[] = [
  ['seconds', 60],
  ['minutes', 3600],
  ['hours or more', Number.POSITIVE_INFINITY],
];

/** One line a problem, empty when all is well. An API server that can't be reached is one problem, not six. */
export async function problemsOf(client: ApiClient, signal: AbortSignal): Promise<string[]> {
  const patience = { signal, at: Date.now() + PATIENCE_MS };
  const claims = dialects.filter(({ claim }) => claim !== undefined);
  const found = await Promise.all([
    ...claims.map((dialect) => problemOf(client, dialect, patience)),
    ...dialects.filter(({ ours }) => ours).map((dialect) => missingKind(client, dialect, patience)),
  ]);
  return [...new Set(found.flat())];
}

async function problemOf(client: ApiClient, dialect: Dialect, patience: Deadline): Promise<string[]> {
  const problem = await readingProblem(client, dialect, patience);
  if (problem === undefined) return intentProblem(client, dialect, patience);
  return problem === 'no such kind' ? [] : [problem];
}

/**
 * A kind whose CRD is ours was meant to be there. What a version serves may be asked by whoever has a name; where it may
 * not, or the way is broken, the reads above say so.
 */
async function missingKind(client: ApiClient, dialect: Dialect, patience: Deadline): Promise<string[]> {
  const { group, versions, plural } = dialect;
  const paths = versions.map((version) => versionPath(dialect, version));
  const served = await Promise.all(paths.map((path) => servedIn(client, path, patience)));
  if (served.some((names) => names === undefined || names.includes(plural))) return [];
  return [`the API server does not serve ${plural} (${group}): install its CRD (muster manifests --only crds)`];
}

/** Names of the resources of a version; undefined where that can't be told. */
async function servedIn(client: ApiClient, path: string, patience: Deadline): Promise<readonly string[] | undefined> {
  try {
    const { body } = await callWithin(client, patience, { method: 'GET', path });
    return listAt(body, ['resources']).map((resource) => textAt(resource, ['name']) ?? '');
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return error.code === 'not-found' ? [] : undefined;
  }
}

/** A cluster that does not serve a kind sends nothing of it to judge: no problem, and no need of its Lease. */
async function readingProblem(client: ApiClient, dialect: Dialect, patience: Deadline): Promise<string | undefined> {
  const name = dialect.claim?.membershipName ?? '';
  for (const version of dialect.versions.toReversed()) {
    try {
      const { body } = await callWithin(client, patience, { method: 'GET', path: pathOf({ dialect, name }, version) });
      expectObject(body, { group: dialect.group, kind: dialect.kind, name });
      return undefined;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.absent === 'object') return undefined;
      if (error.absent === 'kind') continue;
      return isWayBroken(error) ? error.message : whyUnread(`${dialect.plural} "${name}" (${dialect.group})`, error);
    }
  }
  return 'no such kind';
}

/** Looks at the Lease, and writes it as it is, as a dry run: only a write shows whether writing is permitted. */
async function intentProblem(client: ApiClient, dialect: Dialect, patience: Deadline): Promise<string[]> {
  const leases = createLeases(client);
  let verb: Verb = 'get';
  try {
    const { lease, now } = await leases.look(dialect, patience);
    const skew = clockProblem(now - Date.now());
    verb = 'update';
    const path = `${leasePath(client.namespace, dialect)}?dryRun=All`;
    await callWithin(client, patience, { method: 'PUT', path, body: lease }).catch(unlessConflict);
    return skew;
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return [isWayBroken(error) ? error.message : whyNoIntent(leases.nameOf(dialect), verb, error)];
  }
}

/** It has nothing to do with what was asked for. */
function isWayBroken({ code }: ClusterError): boolean {
  return code === 'unreachable' || code === 'timeout' || code === 'no-access' || code === 'unauthorized';
}

/** Somebody took the Lease between look and write: so it can be written. */
function unlessConflict(error: unknown): void {
  if (!(error instanceof ClusterError) || error.code !== 'conflict') throw error;
}

/** In rough words, so that a clock that drifts is not told anew at each look. @param ahead of ours, in milliseconds */
function clockProblem(ahead: number): string[] {
  const seconds = Math.abs(ahead) / 1000;
  if (seconds < CLOCK_SECONDS) return [];
  const which = ahead > 0 ? 'behind' : 'ahead of';
  const [some] = SOME.find(([, limit]) => seconds < limit) ?? [];
  return [`this machine's clock is ${some} ${which} the API server's, and rules on time go by it: set it right`];
}

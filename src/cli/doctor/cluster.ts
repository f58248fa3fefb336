/** Checks the API server itself: whether it answers, its version, and whether its clock and this machine's agree. */
import type { ApiClient, ApiResponse } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { textAt } from '../../rules/json.ts';
import { type Check, resultsOf } from './report.ts';

/** The first with matchConditions and ValidatingAdmissionPolicies for everyone. */
const OLDEST_MINOR = 30;
/** Milliseconds. A certificate is valid from an hour back, a lock expires after a minute, a token after minutes. */
const SKEW_TO_WARN = 30_000;
const SKEW_TO_FAIL = 5 * 60_000;

export interface ClusterChecks {
  readonly checks: readonly Check[];
  /** False: nothing else can be checked. */
  readonly isReachable: boolean;
}

/** `clock` is this machine's, in milliseconds since the epoch. */
export async function checkCluster(client: ApiClient, clock: () => number): Promise<ClusterChecks> {
  const results = resultsOf('cluster/reachable', `API server ${client.server}`);
  const sent = clock();
  try {
    const answer = await client.call({ method: 'GET', path: '/version' });
    return {
      isReachable: true,
      checks: [results.ok('answers'), checkVersion(answer), checkClock(answer.date, sent, clock())],
    };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    // Some clusters do not show even the version to everyone.
    if (error.code === 'forbidden' || error.code === 'not-found') {
      return { isReachable: true, checks: [results.ok('answers, without its version')] };
    }
    const remedy =
      error.code === 'unauthorized'
        ? 'log in again: the API server does not accept the credentials of the kubeconfig'
        : 'check that the API server runs, and that --kubeconfig and --context name the right one: kubectl version';
    return { isReachable: false, checks: [results.fail(error.message, remedy)] };
  }
}

function checkVersion({ body }: ApiResponse): Check {
  const results = resultsOf('cluster/version', 'Kubernetes version');
  const version = textAt(body, ['gitVersion']) ?? 'unknown';
  const major = Number(textAt(body, ['major']) ?? Number.NaN);
  // Some providers write "30+".
  const minor = Number.parseInt(textAt(body, ['minor']) ?? '', 10);
  if (Number.isNaN(major) || Number.isNaN(minor)) {
    return results.warn(
      `the API server names its version ${version}`,
      `make sure that it is 1.${OLDEST_MINOR} or newer`,
    );
  }
  if (major > 1 || minor >= OLDEST_MINOR) return results.ok(version);
  const message = `${version} is older than 1.${OLDEST_MINOR}: it may drop matchConditions, which it does not know`;
  return results.fail(message, `upgrade the cluster to 1.${OLDEST_MINOR} or newer`);
}

function checkClock(theirs: number | undefined, sent: number, received: number): Check {
  const results = resultsOf('cluster/clock', 'clocks');
  if (theirs === undefined)
    return results.unknown('the API server does not send its time', 'compare the clocks by hand');
  // Their time is cut to the second; the round trip took received - sent.
  const skew = theirs > received ? theirs - received : sent - (theirs + 1000);
  if (skew <= SKEW_TO_WARN) return results.ok("this machine's and the API server's agree");
  const side = theirs > received ? 'behind' : 'ahead of';
  const message = `this machine's clock is ${Math.round(skew / 1000)} s ${side} the API server's`;
  const remedy = 'set both by the same time server; until then, what doctor reports of certificates may be wrong';
  if (skew <= SKEW_TO_FAIL) return results.warn(message, remedy);
  return results.fail(`${message}: certificates and tokens made by one may not be valid for the other`, remedy);
}

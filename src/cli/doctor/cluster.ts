/** The API server itself: whether it answers, how old it is, and whether its clock and ours agree. */
import type { ApiClient, ApiResponse } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { textAt } from '../../rules/json.ts';
import { about, type Check } from './report.ts';

/** The first with matchConditions and ValidatingAdmissionPolicies for everyone. */
const OLDEST_MINOR = 30;
/** Milliseconds. A certificate is made valid an hour back, an intent lapses after a minute, a token after minutes. */
const SKEW_WORTH_SAYING = 30_000;
const SKEW_THAT_BREAKS = 5 * 60_000;

export interface ClusterChecks {
  readonly checks: readonly Check[];
  /** False: nothing else can be looked at. */
  readonly reachable: boolean;
}

/** @param clock this machine's, in milliseconds since the epoch */
export async function checkCluster(client: ApiClient, clock: () => number): Promise<ClusterChecks> {
  const verdicts = about('cluster/reachable', `API server ${client.server}`);
  const asked = clock();
  try {
    const answer = await client.call({ method: 'GET', path: '/version' });
    const checks = [verdicts.ok('answers'), checkVersion(answer), checkClock(answer.date, asked, clock())];
    return { reachable: true, checks };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    // Some clusters keep even the version to themselves; that is an answer.
    if (error.code === 'forbidden' || error.code === 'not-found') {
      return { reachable: true, checks: [verdicts.ok('answers, but does not tell its version')] };
    }
    return { reachable: false, checks: [verdicts.fail(error.message, unreachableRemedy(error))] };
  }
}

function unreachableRemedy({ code }: ClusterError): string {
  if (code === 'unauthorized') return 'log in again: the credentials of the kubeconfig are not accepted';
  return 'check that the API server runs, and that --kubeconfig and --context name the right one: kubectl version';
}

function checkVersion({ body }: ApiResponse): Check {
  const verdicts = about('cluster/version', 'Kubernetes version');
  const version = textAt(body, ['gitVersion']) ?? 'unknown';
  const major = Number(textAt(body, ['major']) ?? Number.NaN);
  // Some providers write "30+".
  const minor = Number.parseInt(textAt(body, ['minor']) ?? '', 10);
  if (Number.isNaN(major) || Number.isNaN(minor)) {
    return verdicts.warn(`the API server calls itself ${version}`, `make sure that it is 1.${OLDEST_MINOR} or newer`);
  }
  if (major > 1 || minor >= OLDEST_MINOR) return verdicts.ok(version);
  const message = `${version} is older than 1.${OLDEST_MINOR}: it may not know matchConditions, and drops what it does not know`;
  return verdicts.fail(message, `upgrade the cluster to 1.${OLDEST_MINOR} or newer`);
}

function checkClock(theirs: number | undefined, asked: number, answered: number): Check {
  const verdicts = about('cluster/clock', 'clocks');
  if (theirs === undefined)
    return verdicts.unknown('the API server does not tell the time', 'compare the clocks by hand');
  // Their clock is cut to the second; the way there and back took answered - asked.
  const skew = theirs > answered ? theirs - answered : asked - (theirs + 1000);
  const seconds = Math.round(Math.max(skew, 0) / 1000);
  const side = theirs > answered ? 'behind' : 'ahead of';
  if (skew <= SKEW_WORTH_SAYING) return verdicts.ok("this machine's and the API server's agree");
  const message = `this machine's clock is ${seconds} s ${side} the API server's`;
  const remedy = 'set both by the same time server; what doctor says of certificates here may be wrong until then';
  if (skew <= SKEW_THAT_BREAKS) return verdicts.warn(message, remedy);
  const breaks = 'certificates made by one may be refused by the other as not yet valid or expired, and tokens too';
  return verdicts.fail(`${message}: ${breaks}`, remedy);
}

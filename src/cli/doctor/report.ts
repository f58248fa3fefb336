/** The result of `muster doctor`: checks, each of which says what is wrong and how to fix it; and its text. */
import { plain } from '../../base/text.ts';
import { noColor, type Paint } from '../output/terminal.ts';

/** `wait`: it will be well without an action, once a Job or a rollout ends. `unknown`: it could not be checked. */
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'wait' | 'unknown';

/** One finding of a check. */
export interface Detail {
  readonly message: string;
  /** The path within the object. */
  readonly path?: string;
  readonly expected?: unknown;
  readonly found?: unknown;
}

export interface Check {
  /** Stable: scripts rely on it. */
  readonly id: string;
  /** What was checked. */
  readonly title: string;
  readonly status: CheckStatus;
  readonly message: string;
  /** What to do, with the command if there is one. Absent if nothing is to be done. */
  readonly remedy?: string;
  readonly details?: readonly Detail[];
  /** The id of the check from which this one follows. The remedy is that of the cause. */
  readonly cause?: string;
}

/** A check before its cause is known. */
export interface Finding extends Check {
  /** Ids of checks from which it follows if they fail; the first counts. */
  readonly after?: readonly string[];
}

/** `server`: scheme, host and port of the API server. */
export type DoctorReport = ReturnType<typeof reportOf>;

/** What makes a run fail: `warning` includes `failure`. */
export type FailOn = 'failure' | 'warning';

/** Builds the report of some checks. */
export function reportOf(server: string, checks: readonly Check[]) {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail'), wait: count('wait') };
  const summary = { checks: checks.length, ...counts, unknown: count('unknown') };
  return { apiVersion: 'muster/v1alpha1', kind: 'DoctorReport', server, summary, checks } as const;
}

/** Returns 1 if something is wrong, 2 if nothing is known to be wrong but a check is unknown or has to wait, else 0. */
export function exitCodeOf({ summary, checks }: DoctorReport, failOn: FailOn): 0 | 1 | 2 {
  // Without an API server nothing was compared.
  if (checks.some(({ id, status }) => id === 'cluster/reachable' && status === 'fail')) return 2;
  if (summary.fail > 0 || (failOn === 'warning' && summary.warn > 0)) return 1;
  return summary.unknown + summary.wait > 0 ? 2 : 0;
}

export type CheckResults = ReturnType<typeof resultsOf>;

/** Returns the possible results of one check. */
export function resultsOf(id: string, title: string) {
  const report =
    (status: CheckStatus) =>
    (message: string, remedy: string, { details = [], ...more }: Pick<Finding, 'details' | 'after'> = {}): Finding => ({
      id,
      title,
      status,
      message,
      remedy,
      ...more,
      ...(details.length === 0 ? {} : { details }),
    });
  return {
    ok: (message: string): Finding => ({ id, title, status: 'ok', message }),
    warn: report('warn'),
    fail: report('fail'),
    wait: report('wait'),
    unknown: report('unknown'),
  };
}

const WORDS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', wait: 'wait', unknown: '?   ' } as const;
const COLORS = { ok: 'dim', warn: 'yellow', fail: 'red', wait: 'yellow', unknown: 'yellow' } as const;

/**
 * Writes a report as text: a line for each check, with its findings, what follows from it, and the fix below it. Checks
 * with the same fix stand together. A summary is at the end.
 */
export function doctorText({ server, summary, checks }: DoctorReport, paint: Paint = noColor): string {
  const roots = checks.filter(({ cause }) => cause === undefined);
  const groups = Map.groupBy(roots, ({ id, remedy }) => remedy ?? id);
  const lines = [...groups.values()].flatMap((group) => [
    ...group.flatMap((check) => linesOf(check, checks, paint)),
    ...(group[0]?.remedy === undefined ? [] : [`     ${paint('to fix:', 'bold')} ${plain(group[0].remedy)}`]),
  ]);
  const word = summary.checks === 1 ? 'check' : 'checks';
  return [...lines, `${summary.checks} ${word} of ${plain(server)}: ${countsOf(roots, checks)}`, ''].join('\n');
}

function linesOf(check: Check, checks: readonly Check[], paint: Paint): readonly string[] {
  const { id, title, status, message, details = [] } = check;
  const consequences = checks.flatMap(({ cause, id: other }) => (cause === id ? other : []));
  return [
    `${paint(WORDS[status], COLORS[status])} ${id}: ${plain(title)}: ${plain(message)}`,
    ...details.map((detail) => `     - ${plain(detail.message)}`),
    ...(consequences.length === 0 ? [] : [`     follows from it: ${consequences.join(', ')}`]),
  ];
}

/** Counts each cause once. */
function countsOf(roots: readonly Check[], checks: readonly Check[]): string {
  const count = (status: CheckStatus) => roots.filter((check) => check.status === status).length;
  const consequences = checks.length - roots.length;
  return [
    `${count('ok')} ok`,
    `${count('warn')} ${count('warn') === 1 ? 'warning' : 'warnings'}`,
    `${count('fail')} failed`,
    `${count('unknown')} unknown`,
    ...(count('wait') === 0 ? [] : [`${count('wait')} waiting`]),
    ...(consequences === 0 ? [] : [`${consequences} ${consequences === 1 ? 'follows' : 'follow'} from these`]),
  ].join(', ');
}

/** The result of `muster doctor`: checks, each of which says what is wrong and how to fix it; and its text. */
import { plain } from '../../base/text.ts';
import { noColor, type Paint } from '../output/terminal.ts';

/** `unknown`: it could not be checked, mostly for a missing right. */
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'unknown';

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
}

/** `server`: scheme, host and port of the API server. */
export type DoctorReport = ReturnType<typeof reportOf>;

/** What makes a run fail: `warning` includes `failure`. */
export type FailOn = 'failure' | 'warning';

/** Builds the report of some checks. */
export function reportOf(server: string, checks: readonly Check[]) {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail'), unknown: count('unknown') };
  const summary = { checks: checks.length, ...counts };
  return { apiVersion: 'muster/v1alpha1', kind: 'DoctorReport', server, summary, checks } as const;
}

/** Returns 1 if something is wrong, 2 if nothing is known to be wrong but a check is unknown, else 0. */
export function exitCodeOf({ summary, checks }: DoctorReport, failOn: FailOn): 0 | 1 | 2 {
  // Without an API server nothing was compared.
  if (checks.some(({ id, status }) => id === 'cluster/reachable' && status === 'fail')) return 2;
  if (summary.fail > 0 || (failOn === 'warning' && summary.warn > 0)) return 1;
  return summary.unknown > 0 ? 2 : 0;
}

export type CheckResults = ReturnType<typeof resultsOf>;

/** Returns the four possible results of one check. */
export function resultsOf(id: string, title: string) {
  const report =
    (status: CheckStatus) =>
    (message: string, remedy: string, details: readonly Detail[] = []): Check => ({
      ...{ id, title, status, message, remedy },
      ...(details.length === 0 ? {} : { details }),
    });
  return {
    ok: (message: string): Check => ({ id, title, status: 'ok', message }),
    warn: report('warn'),
    fail: report('fail'),
    unknown: report('unknown'),
  };
}

const WORDS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', unknown: '?   ' } as const;
const COLORS = { ok: 'dim', warn: 'yellow', fail: 'red', unknown: 'yellow' } as const;

/** Writes a report as text: a line for each check, with its findings and the fix below it, and a summary at the end. */
export function doctorText({ server, summary, checks }: DoctorReport, paint: Paint = noColor): string {
  const lines = checks.flatMap(({ id, title, status, message, details = [], remedy }) => [
    `${paint(WORDS[status], COLORS[status])} ${id}: ${plain(title)}: ${plain(message)}`,
    ...details.map((detail) => `     - ${plain(detail.message)}`),
    ...(remedy === undefined ? [] : [`     ${paint('to fix:', 'bold')} ${plain(remedy)}`]),
  ]);
  const { ok, warn, fail, unknown } = summary;
  const counts = `${ok} ok, ${warn} ${warn === 1 ? 'warning' : 'warnings'}, ${fail} failed, ${unknown} unknown`;
  return [
    ...lines,
    `${summary.checks} ${summary.checks === 1 ? 'check' : 'checks'} of ${plain(server)}: ${counts}`,
    '',
  ].join('\n');
}

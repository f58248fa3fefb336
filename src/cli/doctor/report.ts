/** The result of `muster doctor`: checks, each with its problem and how to fix it; and the text of all of them. */
import { counted, escapeControls } from '../../base/text.ts';
import { noColor, type Paint } from '../../report/terminal.ts';

/** `wait`: nothing is to be done until a Job or a rollout has ended. `unknown`: it could not be checked. */
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'wait' | 'unknown';

/** One of several things that a check found. */
export interface Detail {
  readonly message: string;
  /** The path within the object. */
  readonly path?: string;
  readonly expected?: unknown;
  readonly found?: unknown;
}

export interface Check {
  /** Never changed, since scripts rely on it. */
  readonly id: string;
  /** A few words on what was checked. */
  readonly title: string;
  readonly status: CheckStatus;
  readonly message: string;
  /** What to do, with the command if there is one. Absent if nothing is to be done. */
  readonly remedy?: string | undefined;
  readonly details?: readonly Detail[];
  /** The id of the check from which this one follows. The remedy is that of the cause. */
  readonly cause?: string;
}

/** A check before it is linked to its cause. */
export interface UnlinkedCheck extends Check {
  /** Ids of checks that explain this result if they fail; the first such check is the cause. */
  readonly after?: readonly string[];
}

/** The possible results of one check. */
export type PossibleResults = Readonly<Record<Exclude<CheckStatus, 'ok'>, MakeCheck>> & {
  ok(message: string): UnlinkedCheck;
};
type MakeCheck = (message: string, remedy: string, more?: Pick<UnlinkedCheck, 'details' | 'after'>) => UnlinkedCheck;

/** Returns the possible results of one check. */
export function resultsOf(id: string, title: string): PossibleResults {
  const make = (status: CheckStatus): MakeCheck => {
    return (message, remedy, { details = [], ...more } = {}) => {
      return { id, title, status, message, remedy, ...more, ...(details.length > 0 && { details }) };
    };
  };
  return {
    ok: (message) => ({ id, title, status: 'ok', message }),
    warn: make('warn'),
    fail: make('fail'),
    wait: make('wait'),
    unknown: make('unknown'),
  };
}

/** The id of the check of the installed version. */
export const VERSION_CHECK = 'installation/version';

/**
 * Links each check to its cause, so that one cause is reported once. A check whose cause has to wait has to wait, too.
 */
export function withCauses(all: readonly UnlinkedCheck[]): readonly Check[] {
  const roots = new Map(all.map((unlinked) => [unlinked, rootOf(unlinked, all)]));
  return all.map((unlinked) => {
    const { after: _, ...check } = unlinked;
    const { id: cause, status, remedy } = roots.get(unlinked) ?? unlinked;
    if (cause !== check.id) return { ...check, status: status === 'wait' ? status : check.status, cause, remedy };
    const explainsFailure = all.some((other) => other.status === 'fail' && roots.get(other) === unlinked);
    return explainsFailure && status === 'warn' ? { ...check, status: 'fail' } : check;
  });
}

function rootOf(check: UnlinkedCheck, all: readonly UnlinkedCheck[]): UnlinkedCheck {
  const { status, after = [] } = check;
  if (status === 'ok' || status === 'unknown') return check;
  const cause = after.flatMap((id) => all.find((other) => other.id === id) ?? []).find(isCause);
  return cause === undefined ? check : rootOf(cause, all);
}

/** Returns whether a result can be a cause. Another version is no failure by itself, but explains each difference. */
function isCause({ id, status }: UnlinkedCheck): boolean {
  return status === 'fail' || status === 'wait' || (id === VERSION_CHECK && status === 'warn');
}

/** What `-o json` prints. */
export interface DoctorReport {
  readonly apiVersion: 'muster/v1alpha1';
  readonly kind: 'DoctorReport';
  /** Scheme, host and port of the API server. */
  readonly server: string;
  /** The number of checks, and of those of each status. */
  readonly summary: Readonly<Record<CheckStatus | 'checks', number>>;
  readonly checks: readonly Check[];
}

/** Builds the report of some checks. */
export function doctorReportOf(server: string, checks: readonly Check[]): DoctorReport {
  const summary = { checks: checks.length, ok: 0, warn: 0, fail: 0, wait: 0, unknown: 0 };
  for (const { status } of checks) summary[status]++;
  return { apiVersion: 'muster/v1alpha1', kind: 'DoctorReport', server, summary, checks };
}

/** Returns 1 if something is wrong, 2 if nothing is known to be wrong but a check is unknown or has to wait, else 0. */
export function doctorExitCode({ summary, checks }: DoctorReport, isStrict: boolean): 0 | 1 | 2 {
  // Without an API server nothing was compared.
  if (checks.some(({ id, status }) => id === 'cluster/reachable' && status === 'fail')) return 2;
  if (summary.fail > 0 || (isStrict && summary.warn > 0)) return 1;
  return summary.unknown + summary.wait > 0 ? 2 : 0;
}

const WORDS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', wait: 'wait', unknown: '?   ' } as const;
const COLORS = { ok: 'dim', warn: 'yellow', fail: 'red', wait: 'yellow', unknown: 'yellow' } as const;

/**
 * Formats a report as text: a line for each check, with its details, the checks that follow from it, and the fix below
 * it. Checks with the same fix are grouped. The last line is a summary.
 */
export function doctorText({ server, checks }: DoctorReport, paint: Paint = noColor): string {
  const roots = checks.filter(({ cause }) => cause === undefined);
  const groups = Map.groupBy(roots, ({ id, remedy }) => remedy ?? id);
  const lines = [...groups.values()].flatMap((group) => [
    ...group.flatMap((check) => linesOf(check, checks, paint)),
    ...(group[0]?.remedy === undefined ? [] : [`     ${paint('to fix:', 'bold')} ${escapeControls(group[0].remedy)}`]),
  ]);
  const { ok, warn, fail, unknown, wait } = doctorReportOf(server, roots).summary;
  const others = checks.length - roots.length;
  const counts = [
    `${ok} ok`,
    counted(warn, 'warning'),
    `${fail} failed`,
    `${unknown} unknown`,
    ...(wait === 0 ? [] : [`${wait} waiting`]),
    ...(others === 0 ? [] : [`${others} ${others === 1 ? 'follows' : 'follow'} from these`]),
  ];
  const summary = `${counted(checks.length, 'check')} of ${escapeControls(server)}: ${counts.join(', ')}`;
  return [...lines, summary, ''].join('\n');
}

function linesOf(check: Check, checks: readonly Check[], paint: Paint): readonly string[] {
  const { id, title, status, message, details = [] } = check;
  const consequences = checks.flatMap(({ cause, id: other }) => (cause === id ? other : []));
  return [
    `${paint(WORDS[status], COLORS[status])} ${id}: ${escapeControls(title)}: ${escapeControls(message)}`,
    ...details.map((detail) => `     - ${escapeControls(detail.message)}`),
    ...(consequences.length === 0 ? [] : [`     follows from it: ${consequences.join(', ')}`]),
  ];
}

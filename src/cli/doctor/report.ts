/** What `muster doctor` answers: checks, each of which can say what is wrong and how to mend it. */

/** `unknown`: it could not be told, mostly for a missing right. */
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'unknown';

/** One thing in particular. */
export interface Detail {
  readonly message: string;
  /** Where, as a path within the object. */
  readonly path?: string;
  readonly expected?: unknown;
  readonly found?: unknown;
}

export interface Check {
  /** Stable: scripts hold on to it. */
  readonly id: string;
  /** What was looked at. */
  readonly title: string;
  readonly status: CheckStatus;
  readonly message: string;
  /** What to do, with the command where there is one. Absent where nothing is to be done. */
  readonly remedy?: string;
  readonly details?: readonly Detail[];
}

export interface DoctorReport {
  readonly apiVersion: 'muster/v1alpha1';
  readonly kind: 'DoctorReport';
  /** Scheme, host and port of the API server. */
  readonly server: string;
  readonly summary: Readonly<Record<CheckStatus | 'checks', number>>;
  readonly checks: readonly Check[];
}

/** What makes a run fail: `warning` includes `failure`. */
export type FailOn = 'failure' | 'warning';

export function reportOf(server: string, checks: readonly Check[]): DoctorReport {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const summary = {
    checks: checks.length,
    ok: count('ok'),
    warn: count('warn'),
    fail: count('fail'),
    unknown: count('unknown'),
  };
  return { apiVersion: 'muster/v1alpha1', kind: 'DoctorReport', server, summary, checks };
}

/** 1: something is wrong. 2: nothing is known to be wrong, but not all could be looked at. 0: all is well. */
export function exitCodeOf({ summary, checks }: DoctorReport, failOn: FailOn): 0 | 1 | 2 {
  // Without an API server nothing was compared: no finding, but a broken call.
  if (checks.some(({ id, status }) => id === 'cluster/reachable' && status === 'fail')) return 2;
  if (summary.fail > 0 || (failOn === 'warning' && summary.warn > 0)) return 1;
  return summary.unknown > 0 ? 2 : 0;
}

/** The worst of several: what is certain stands before what is not known. */
export function worstOf(statuses: readonly CheckStatus[]): CheckStatus {
  const order: readonly CheckStatus[] = ['fail', 'unknown', 'warn', 'ok'];
  return order.find((status) => statuses.includes(status)) ?? 'ok';
}

interface More {
  readonly remedy?: string;
  readonly details?: readonly Detail[];
}

export interface Verdicts {
  ok(message: string, more?: More): Check;
  warn(message: string, remedy: string, details?: readonly Detail[]): Check;
  fail(message: string, remedy: string, details?: readonly Detail[]): Check;
  unknown(message: string, remedy: string, details?: readonly Detail[]): Check;
}

/** The four things that can be said of one check. */
export function about(id: string, title: string): Verdicts {
  const say = (status: CheckStatus) => (message: string, remedy: string, details?: readonly Detail[]) => ({
    id,
    title,
    status,
    message,
    remedy,
    ...(details === undefined || details.length === 0 ? {} : { details }),
  });
  return {
    ok: (message, more = {}) => ({ id, title, status: 'ok', message, ...more }),
    warn: say('warn'),
    fail: say('fail'),
    unknown: say('unknown'),
  };
}

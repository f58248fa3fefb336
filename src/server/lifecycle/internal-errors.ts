/**
 * Internal errors, wherever they happen: logged with a reference, counted, and reported by readiness while they repeat. None of them ends the process:
 * a server that stops on a bug can be stopped by whoever finds one, and under `failurePolicy: Fail` that is an outage.
 */
import { newReference } from '../admission/admission.ts';
import type { Log } from '../log/log.ts';
import { rateLimited } from '../log/rate-limited.ts';

/** Where it happened: in an evaluation, around a request, on the operations port, or where nobody caught it. */
export const internalErrorSources = ['evaluation', 'request', 'ops', 'exception', 'rejection'] as const;
export type InternalErrorSource = (typeof internalErrorSources)[number];
type LoggedSource = Exclude<InternalErrorSource, 'evaluation'>;

export interface InternalErrors {
  /** Logs and counts one. Never throws, whatever was thrown. */
  report(source: LoggedSource, error: unknown, reference?: string): void;
  /** Counts errors of evaluations, which the log writes with their decision. */
  countEvaluation(count: number): void;
  /** Returns how many there were in the last minute. */
  recent(): number;
}

export interface InternalErrorsOptions {
  readonly log: Pick<Log, 'error' | 'warn'>;
  readonly count: (source: InternalErrorSource) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number;
}

/** So many in a minute count as repeated. */
export const REPEATED = 10;
const WINDOW_SECONDS = 60;

const MESSAGES: Readonly<Record<LoggedSource, string>> = {
  request: 'an internal error in a request',
  ops: 'an internal error on the operations port',
  exception: 'an uncaught exception; the server goes on',
  rejection: 'an unhandled rejection; the server goes on',
};

export function createInternalErrors(options: InternalErrorsOptions): InternalErrors {
  const { log, count, clock = () => performance.now() } = options;
  const lastMinute = createWindow(clock);
  const warn = rateLimited((message) => log.warn(message));
  const logger = () => rateLimited((message, { error, ...fields }) => log.error(message, error, fields));
  // One for each source, so that many errors of one do not hide another's.
  const loggers = { request: logger(), ops: logger(), exception: logger(), rejection: logger() };
  const counted = (source: InternalErrorSource, errors: number) => {
    for (let n = 0; n < errors; n++) count(source);
    lastMinute.add(errors);
    if (lastMinute.sum() >= REPEATED) warn(() => [repeated(lastMinute.sum())]);
  };
  return {
    recent: lastMinute.sum,
    countEvaluation: (errors) => counted('evaluation', errors),
    report: (source, error, reference = newReference()) => {
      loggers[source](() => [MESSAGES[source], { error, reference }]);
      counted(source, 1);
    },
  };
}

/** Returns what readiness and the log say while they repeat; undefined while they do not. */
export function repeatedErrors({ recent }: Pick<InternalErrors, 'recent'>): string | undefined {
  return recent() >= REPEATED ? repeated(recent()) : undefined;
}

function repeated(count: number): string {
  return `${count} internal errors in the last minute; the log has each, please report them`;
}

/** Sums what was added in the last minute, in sixty counters of a second each. */
function createWindow(clock: () => number) {
  const seconds = Array.from({ length: WINDOW_SECONDS }, () => ({ at: Number.NEGATIVE_INFINITY, count: 0 }));
  const now = () => Math.floor(clock() / 1000);
  return {
    add(count: number): void {
      const at = now();
      const slot = seconds[at % WINDOW_SECONDS];
      if (slot === undefined) return;
      slot.count = slot.at === at ? slot.count + count : count;
      slot.at = at;
    },
    sum(): number {
      const since = now() - WINDOW_SECONDS;
      return seconds.reduce((sum, { at, count }) => (at > since ? sum + count : sum), 0);
    },
  };
}

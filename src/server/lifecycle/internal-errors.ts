/**
 * Internal errors outside of evaluations: logged with a reference, counted, and reported by readiness while they
 * repeat. Errors of rules are only counted here; log/log.ts logs them with their decision. None of them ends the
 * process: otherwise one request that triggers a bug could stop the server, which under `failurePolicy: Fail` is an
 * outage.
 */
import { newReference } from '../../engine/index.ts';
import type { Log } from '../log/log.ts';
import { rateLimited } from '../log/rate-limited.ts';

/** Where an error happened: in an evaluation, around it in a request, on the operations port, or uncaught. */
export const internalErrorSources = ['evaluation', 'request', 'ops', 'exception', 'rejection'] as const;
export type InternalErrorSource = (typeof internalErrorSources)[number];
type LoggedSource = Exclude<InternalErrorSource, 'evaluation'>;

export interface InternalErrors {
  /** Logs and counts an error, which may be any thrown value. Never throws. */
  report(source: LoggedSource, error: unknown, reference?: string): void;
  /** Counts errors of evaluations, which are logged with their decision. */
  countEvaluation(count: number): void;
  /** Returns the text for readiness and the log while errors repeat; undefined while they do not. */
  problem(): string | undefined;
}

interface InternalErrorsOptions {
  readonly log: Pick<Log, 'error' | 'warn'>;
  readonly count: (source: InternalErrorSource) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number;
}

/** Errors repeat if there are at least so many in the last minute. */
const REPEATED = 10;
const WINDOW_MS = 60_000;
/** The most errors that are remembered. */
const MOST = 1000;

const MESSAGES: Readonly<Record<LoggedSource, string>> = {
  request: 'an internal error in a request',
  ops: 'an internal error on the operations port',
  exception: 'an uncaught exception; the server goes on',
  rejection: 'an unhandled rejection; the server goes on',
};

export function createInternalErrors(options: InternalErrorsOptions): InternalErrors {
  const { log, count, clock = () => performance.now() } = options;
  /** The times of the latest errors, the oldest first. */
  let times: number[] = [];
  const problem = (): string | undefined => {
    times = times.filter((at) => at > clock() - WINDOW_MS);
    if (times.length < REPEATED) return undefined;
    return `${times.length} internal errors in the last minute; see the log, and please report them`;
  };
  const warn = rateLimited((message) => log.warn(message));
  const logger = () => rateLimited((message, { error, ...fields }) => log.error(message, error, fields));
  // One for each source, so that many errors of one source do not hide those of another.
  const loggers = { request: logger(), ops: logger(), exception: logger(), rejection: logger() };
  const counted = (source: InternalErrorSource, errors: number) => {
    for (let n = 0; n < errors; n++) {
      count(source);
      if (times.push(clock()) > MOST) times.shift();
    }
    const repeated = problem();
    if (repeated !== undefined) warn(() => [repeated]);
  };
  return {
    problem,
    countEvaluation: (errors) => counted('evaluation', errors),
    report: (source, error, reference = newReference()) => {
      loggers[source](() => [MESSAGES[source], { error, reference }]);
      counted(source, 1);
    },
  };
}

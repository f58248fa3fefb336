/**
 * The log: JSON lines by pino. Ids, kind, user, decision and rules; no objects, and all texts of users bounded and
 * escaped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DestinationStream, type Logger, pino } from 'pino';
import { errorMessage, safeText } from '../../base/text.ts';
import type { Decision, SpanIds } from '../observer.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface Log {
  /**
   * Writes the line of a decision, and one more for each internal error in it.
   * @param ids those of the request's span, if there is one; named as in OpenTelemetry's logs
   */
  decision(decision: Decision, milliseconds: number, ids?: SpanIds): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, error?: unknown, fields?: Readonly<Record<string, unknown>>): void;
}

/** The most code points of a text by a user or of an error. */
const LONGEST_TEXT = 256;
/** The most of a message, which may quote several such texts. */
const LONGEST_MESSAGE = 2048;
const LONGEST_STACK = 4096;

/** Creates a log that writes to `destination`. */
export function createLog(level: LogLevel, destination: DestinationStream): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
    },
    destination,
  );
  return {
    decision: (decision, milliseconds, ids) => {
      const severity = decision.outcome === 'error' || decision.outcome === 'indeterminate' ? 'warn' : 'info';
      if (logger.isLevelEnabled(severity)) {
        logger[severity]({ ...decisionFields(decision, milliseconds), ...ids }, 'decision');
      }
      if (decision.failure !== undefined || decision.verdict?.crashes.length) logCrashes(logger, decision, ids);
    },
    info: (message, fields = {}) => logger.info(bounded(fields), boundedMessage(message)),
    warn: (message, fields = {}) => logger.warn(bounded(fields), boundedMessage(message)),
    error: (message, error, fields = {}) =>
      logger.error({ ...bounded(fields), ...(error === undefined ? {} : errorFields(error)) }, boundedMessage(message)),
  };
}

/**
 * Opens the log of a server. Once lines can be written again, a line says how many were lost before it.
 * @param dest and `limit` as for `LogDestination`
 */
export function openLog(level: LogLevel, dest: number | string, limit?: number) {
  const onRecovered = (lines: number) => log.warn('lines of the log before this one were lost', { lines });
  const destination = new LogDestination(dest, onRecovered, limit);
  const log = createLog(level, destination);
  return { log, destination };
}

function decisionFields({ response, path, request, subject, outcome, verdict }: Decision, milliseconds: number) {
  const { status, auditAnnotations } = response;
  return {
    uid: text(response.uid),
    path,
    resource: subject?.dialect.groupResource,
    kind: request && text(`${request.group}/${request.version} ${request.kind}`),
    namespace: text(request?.namespace),
    name: text(request?.name),
    operation: request?.operation,
    subresource: text(request?.subresource),
    user: text(request?.username),
    dryRun: request?.dryRun,
    outcome,
    // Only where it is true: in the modes warn and audit, the action of a rule does not tell.
    wouldDeny: verdict?.findings.some((finding) => finding.wouldDeny) || undefined,
    code: status?.code,
    // These messages are muster's own: why a review can't be read, or what can't be known now.
    problem: outcome === 'unreadable' || outcome === 'indeterminate' ? text(status?.message) : undefined,
    // As `rule/id:action`.
    rules: verdict && auditAnnotations?.rules.split(',').filter((rule) => rule !== ''),
    durationMs: Math.round(milliseconds * 1000) / 1000,
  };
}

function logCrashes(logger: Logger, { response, verdict, failure }: Decision, ids?: SpanIds): void {
  const request = { uid: text(response.uid), ...ids };
  for (const { ruleId, reference, error } of verdict?.crashes ?? []) {
    logger.error({ ...request, rule: ruleId, reference, ...errorFields(error) }, 'a rule crashed');
  }
  if (failure === undefined) return;
  const { reference, error } = failure;
  logger.error({ ...request, reference, ...errorFields(error) }, 'a request crashed');
}

/** Returns the fields of a thrown value, which may be anything, even a value that can't be converted to text. */
function errorFields(error: unknown): Record<string, unknown> {
  try {
    const stack = error instanceof Error ? error.stack : undefined;
    // The lines before the first frame repeat the message, which may hold a user's value at any length.
    const frames = stack?.split('\n').flatMap((line) => /^\s+(at .*)$/.exec(line)?.[1] ?? []);
    return { error: text(errorMessage(error)), stack: frames && safeText(frames.join(' | '), LONGEST_STACK) };
  } catch {
    return { error: 'the thrown value can not be turned into text' };
  }
}

/** A message of the server may quote others, such as an API server's answer. */
function boundedMessage(message: string): string {
  return safeText(message, LONGEST_MESSAGE);
}

function bounded(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? text(value) : value]);
  return Object.fromEntries(entries);
}

function text(value: string | undefined): string | undefined {
  return value === undefined ? undefined : safeText(value, LONGEST_TEXT);
}

/** Bytes of some 4,000 decision lines. */
const LIMIT = 2 * 1024 * 1024;
/** Milliseconds between writes: each wakes another thread, which costs as much as a request. */
const COLLECT_MS = 100;

/** pino has no name for this type. */
type PinoDestination = ReturnType<typeof pino.destination>;

/**
 * Writes log lines by pino's asynchronous destination, behind a bounded buffer. Writing a line never blocks and never
 * fails. While nobody reads the log, 2 MiB wait; further lines are dropped and counted. So are lines that can't be
 * written, as on a full disk or into a closed pipe.
 *
 * pino's own buffer (`maxLength`) measures all waiting text again with each line, which takes five times as long, and
 * does not count lines that are lost by a failed write.
 */
export class LogDestination {
  /** The most bytes in the buffer. */
  readonly limit: number;
  readonly #dest: number | string;
  readonly #onRecovered: (lost: number) => void;
  #out: PinoDestination;
  /** The lines that wait for the next write. */
  #collected = { lines: 0, bytes: 0 };
  /** The lines of the write under way. */
  #writing = { lines: 0, bytes: 0 };
  /**
   * The waiting lines, as bytes: thousands of small strings that live longer cost the garbage collector more than a
   * copy.
   */
  readonly #buffer: Buffer;
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;
  #reported = 0;

  /**
   * @param dest a file descriptor, such as 2 for standard error, or a file
   * @param onRecovered is called with the number of lost lines once lines can be written again
   */
  constructor(dest: number | string, onRecovered: (lost: number) => void = () => {}, limit = LIMIT) {
    // Node makes a pipe on standard error non-blocking once its stream exists. A blocking write would delay the exit.
    if (dest === 2) void process.stderr;
    this.#dest = dest;
    this.limit = limit;
    this.#buffer = Buffer.allocUnsafeSlow(limit);
    this.#onRecovered = onRecovered;
    this.#out = this.#open();
    // Before pino's own flush at the exit, which would try forever to write to a full disk or pipe.
    process.prependListener('exit', () => this.#out.destroy());
  }

  /** Takes one line, or drops it where the buffer is full. */
  readonly write = (line: string): void => {
    const left = this.limit - this.buffered();
    // A UTF-16 unit takes three bytes at most.
    if (line.length * 3 > left && Buffer.byteLength(line) > left) {
      this.#dropped += 1;
      return;
    }
    this.#collected.bytes += this.#buffer.write(line, this.#collected.bytes);
    this.#collected.lines += 1;
    // The first line of a quiet server goes out at once.
    if (this.#timer === undefined) this.#writeOut();
  };

  /** Returns the bytes that are not written yet. */
  readonly buffered = (): number => this.#collected.bytes + this.#writing.bytes;

  /** Returns the number of lines lost so far. */
  readonly dropped = (): number => this.#dropped;

  /** Waits up to `timeoutMs` until all is written. */
  readonly flush = async (timeoutMs: number): Promise<void> => {
    const end = performance.now() + timeoutMs;
    while (this.buffered() > 0 && performance.now() < end) {
      this.#writeOut();
      await sleep(5);
    }
  };

  /** Begins to write the collected lines, unless a write is under way, and tries again after `COLLECT_MS`. */
  #writeOut(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.buffered() > 0) this.#writeOut();
    }, COLLECT_MS).unref();
    if (this.#writing.bytes > 0 || this.#collected.bytes === 0) return;
    this.#writing = this.#collected;
    this.#collected = { lines: 0, bytes: 0 };
    this.#out.write(this.#buffer.toString('utf8', 0, this.#writing.bytes));
  }

  #open(): PinoDestination {
    const out = pino.destination({ dest: this.#dest, sync: false, maxWrite: this.limit });
    out.on('write', (bytes: number) => {
      if (out === this.#out) this.#written(bytes);
    });
    out.on('error', () => {
      if (out === this.#out) this.#failed();
    });
    return out;
  }

  #written(bytes: number): void {
    this.#writing.bytes -= bytes;
    const lost = this.#dropped - this.#reported;
    if (this.#writing.bytes > 0 || lost === 0) return;
    this.#reported = this.#dropped;
    this.#onRecovered(lost);
  }

  /**
   * Counts the lines of the failed write as lost, and opens a new destination: pino's would keep the lines, or write
   * nothing more after EPIPE.
   */
  #failed(): void {
    this.#dropped += this.#writing.lines;
    this.#writing = { lines: 0, bytes: 0 };
    this.#out.destroy();
    this.#out = this.#open();
  }
}

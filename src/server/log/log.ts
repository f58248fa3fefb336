/** The log: JSON lines by pino. Ids, kind, user, decision and rules; never an object, and no text of a user raw or unbounded. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { resourceOf } from '../../api/dialects.ts';
import { plain, shorten } from '../../engine/text.ts';
import type { Decision } from '../admission/observer.ts';
import { LogDestination } from './destination.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface Log {
  /** Writes the line of a decision, and one more for each internal error in it. */
  decision(decision: Decision, milliseconds: number): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, error?: unknown, fields?: Readonly<Record<string, unknown>>): void;
}

/** Code points of a text that a user or an error wrote. */
const LONGEST_TEXT = 256;
/** Of a message, which may quote a few of those. */
const LONGEST_MESSAGE = 2048;
const LONGEST_STACK = 4096;
/** Rules in a line; the catalogue has fewer than fifty. */
const MOST_RULES = 64;

/** Creates a log that writes to `destination`, or to standard error, as Kubernetes components do. */
export function createLog(level: LogLevel, destination: DestinationStream = new LogDestination(2)): Log {
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
    decision: (decision, milliseconds) => {
      const severity = decision.outcome === 'error' || decision.outcome === 'indeterminate' ? 'warn' : 'info';
      if (logger.isLevelEnabled(severity)) logger[severity](decisionFields(decision, milliseconds), 'decision');
      if (decision.failure !== undefined || decision.verdict?.crashes.length) logInternalErrors(logger, decision);
    },
    info: (message, fields = {}) => logger.info(bounded(fields), boundedMessage(message)),
    warn: (message, fields = {}) => logger.warn(bounded(fields), boundedMessage(message)),
    error: (message, error, fields = {}) =>
      logger.error({ ...bounded(fields), ...(error === undefined ? {} : errorFields(error)) }, boundedMessage(message)),
  };
}

function decisionFields({ response, path, request, subject, outcome, verdict }: Decision, milliseconds: number) {
  const { status, auditAnnotations } = response;
  return {
    uid: text(response.uid),
    path,
    resource: subject && resourceOf(subject.dialect),
    kind: request && text(`${request.group}/${request.version} ${request.kind}`),
    namespace: text(request?.namespace),
    name: text(request?.name),
    operation: request?.operation,
    subresource: text(request?.subresource),
    user: text(request?.username),
    dryRun: request?.dryRun,
    outcome,
    code: status?.code,
    // A message in words of muster's own: why a review can't be read, or what can't be known now.
    problem: outcome === 'unreadable' || outcome === 'indeterminate' ? text(status?.message) : undefined,
    rules: verdict && rulesIn(auditAnnotations?.rules),
    durationMs: Math.round(milliseconds * 1000) / 1000,
  };
}

/** Returns the rules of an audit annotation, as `rule/id:action`. */
function rulesIn(annotation = ''): readonly string[] {
  return annotation === '' ? [] : annotation.split(',', MOST_RULES);
}

function logInternalErrors(logger: Logger, { response, verdict, failure }: Decision): void {
  const uid = text(response.uid);
  for (const { ruleId, reference, error } of verdict?.crashes ?? []) {
    logger.error({ uid, rule: ruleId, reference, ...errorFields(error) }, 'a rule crashed');
  }
  if (failure === undefined) return;
  const { reference, error } = failure;
  logger.error({ uid, reference, ...errorFields(error) }, 'a request crashed');
}

/** Of whatever was thrown: nothing about it can be trusted, not even that it can be turned into text. */
function errorFields(error: unknown): Record<string, unknown> {
  try {
    if (!(error instanceof Error)) return { error: text(String(error)) };
    // The lines before the first frame repeat the message, which may hold a user's value at any length.
    const frames = error.stack?.split('\n').flatMap((line) => /^\s+(at .*)$/.exec(line)?.[1] ?? []);
    return { error: text(error.message), stack: frames && plain(shorten(frames.join(' | '), LONGEST_STACK)) };
  } catch {
    return { error: 'the thrown value can not be turned into text' };
  }
}

/** A message of the server may quote others, such as an API server's answer. */
function boundedMessage(message: string): string {
  return plain(shorten(message, LONGEST_MESSAGE));
}

function bounded(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? text(value) : value]);
  return Object.fromEntries(entries);
}

function text(value: string | undefined): string | undefined {
  return value === undefined ? undefined : plain(shorten(value, LONGEST_TEXT));
}

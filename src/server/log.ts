/** The log: one JSON line a decision. Ids, kind, user, decision, rules; never an object, and no text as long as its author pleases. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { plain, shorten } from '../engine/text.ts';
import type { Decision } from './admission.ts';
import { createLogWriter } from './log-writer.ts';
import { renderRules } from './render.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface Log {
  /** One line a decision, and one more for whatever broke inside. */
  decision(decision: Decision, milliseconds: number): void;
  /** What happened to the server itself. */
  info(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
  error(message: string, error?: unknown, facts?: Readonly<Record<string, unknown>>): void;
}

/** Code points of a text that a user or an error wrote. */
const LONGEST_TEXT = 256;
/** Of a message, which may quote a few of those. */
const LONGEST_MESSAGE = 2048;
const LONGEST_STACK = 4096;
/** Outcomes whose reason is nothing the user wrote: what could not be read, and what can't be told now. */
const UNDECIDED: ReadonlySet<string> = new Set(['unreadable', 'indeterminate']);
/** Rules a line names; the catalogue has fewer than fifty. */
const MOST_RULES = 64;

/** A log that writes JSON lines: to standard error, as Kubernetes components do, or to `destination`. */
export function createLog(level: LogLevel, destination: DestinationStream = createLogWriter(2)): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: named } },
    destination,
  );
  return {
    decision: (decision, milliseconds) => logDecision(logger, destination, decision, milliseconds),
    info: (message, facts = {}) => logger.info(bounded(facts), said(message)),
    warn: (message, facts = {}) => logger.warn(bounded(facts), said(message)),
    error: (message, error, facts = {}) =>
      logger.error({ ...bounded(facts), ...(error === undefined ? {} : factsOf(error)) }, said(message)),
  };
}

/** The line itself goes by the logger, which would look at each member of it on its own. */
function logDecision(logger: Logger, to: DestinationStream, decision: Decision, milliseconds: number): void {
  const level = decision.outcome === 'error' || decision.outcome === 'indeterminate' ? 'warn' : 'info';
  const facts = lineOf(decision, milliseconds);
  if (logger.isLevelEnabled(level)) {
    to.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...facts, msg: 'decision' })}\n`);
  }
  for (const { ruleId, reference, error } of decision.verdict?.crashes ?? []) {
    logger.error({ uid: facts['uid'], rule: ruleId, reference, ...factsOf(error) }, 'a rule crashed');
  }
  if (decision.failure === undefined) return;
  const { reference, error } = decision.failure;
  logger.error({ uid: facts['uid'], reference, ...factsOf(error) }, 'a request crashed');
}

function lineOf(decision: Decision, milliseconds: number): Record<string, unknown> {
  const { request, subject, response, verdict } = decision;
  return {
    uid: text(response.uid),
    path: decision.path,
    dialect: subject?.dialect.name,
    kind: request && text(`${request.group}/${request.version} ${request.kind}`),
    namespace: text(request?.namespace),
    name: text(request?.name),
    operation: request?.operation,
    subresource: text(request?.subresource),
    user: text(request?.username),
    dryRun: request?.dryRun,
    outcome: decision.outcome,
    code: response.status?.code,
    problem: UNDECIDED.has(decision.outcome) ? text(response.status?.message) : undefined,
    rules: verdict && renderRules(verdict).slice(0, MOST_RULES),
    durationMs: Math.round(milliseconds * 1000) / 1000,
  };
}

/** Of whatever was thrown; nothing about it can be trusted, not even that it can be turned into text. */
function factsOf(error: unknown): Record<string, unknown> {
  try {
    if (!(error instanceof Error)) return { error: text(String(error)) };
    // The lines before the first frame repeat the message, which may hold a user's value at any length.
    const frames = error.stack?.split('\n').flatMap((line) => /^\s+(at .*)$/.exec(line)?.[1] ?? []);
    return { error: text(error.message), stack: frames && plain(shorten(frames.join(' | '), LONGEST_STACK)) };
  } catch {
    return { error: 'something that can not be told was thrown' };
  }
}

/** What the server says of itself may quote what others wrote, such as an API server's answer. */
function said(message: string): string {
  return plain(shorten(message, LONGEST_MESSAGE));
}

function bounded(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(facts).map(([key, value]) => [key, typeof value === 'string' ? text(value) : value]);
  return Object.fromEntries(entries);
}

function text(value: string | undefined): string | undefined {
  return value === undefined ? undefined : plain(shorten(value, LONGEST_TEXT));
}

function named(level: string): { level: string } {
  return { level };
}

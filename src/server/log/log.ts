/** The log: one JSON line a decision. Ids, kind, user, decision, rules; never an object, and no text as long as its author pleases. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { plain, shorten } from '../../engine/text.ts';
import type { Decision } from '../admission/observer.ts';
import { decisionLine, LONGEST_TEXT } from './decision-line.ts';
import { createLogWriter } from './log-writer.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface Log {
  /** One line a decision, and one more for whatever broke inside. */
  decision(decision: Decision, milliseconds: number): void;
  /** What happened to the server itself. */
  info(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
  error(message: string, error?: unknown, facts?: Readonly<Record<string, unknown>>): void;
}

/** Of a message, which may quote a few of those. */
const LONGEST_MESSAGE = 2048;
const LONGEST_STACK = 4096;

/** A log that writes JSON lines: to standard error, as Kubernetes components do, or to `destination`. */
export function createLog(level: LogLevel, destination: DestinationStream = createLogWriter(2)): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: named } },
    destination,
  );
  const enabled = { info: logger.isLevelEnabled('info'), warn: logger.isLevelEnabled('warn') };
  const now = isoClock();
  return {
    decision: (decision, milliseconds) => {
      const level = decision.outcome === 'error' || decision.outcome === 'indeterminate' ? 'warn' : 'info';
      // By the logger itself, which would look at each member on its own, it would take ten times as long.
      if (enabled[level]) destination.write(decisionLine(level, now(), decision, milliseconds));
      if (decision.failure !== undefined || decision.verdict?.crashes.length) logCrashes(logger, decision);
    },
    info: (message, facts = {}) => logger.info(bounded(facts), said(message)),
    warn: (message, facts = {}) => logger.warn(bounded(facts), said(message)),
    error: (message, error, facts = {}) =>
      logger.error({ ...bounded(facts), ...(error === undefined ? {} : factsOf(error)) }, said(message)),
  };
}

/** What broke inside a decision, beside its line. */
function logCrashes(logger: Logger, { response, verdict, failure }: Decision): void {
  const uid = text(response.uid);
  for (const { ruleId, reference, error } of verdict?.crashes ?? []) {
    logger.error({ uid, rule: ruleId, reference, ...factsOf(error) }, 'a rule crashed');
  }
  if (failure === undefined) return;
  const { reference, error } = failure;
  logger.error({ uid, reference, ...factsOf(error) }, 'a request crashed');
}

/** The time as JSON has it. It is asked for many times within a millisecond, and costs as much as the rest of a line. */
function isoClock(): () => string {
  let last = 0;
  let iso = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      iso = new Date(now).toISOString();
    }
    return iso;
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

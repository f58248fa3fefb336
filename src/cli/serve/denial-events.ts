/**
 * Writes an Event about each object of which a write was denied: `kubectl describe` shows it. Events never delay
 * requests: those that can't be written, or are too many, are counted and dropped; so are those that wait when the
 * server stops.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from '../../base/json.ts';
import { formatTime, isDnsLabel } from '../../base/syntax.ts';
import { escapeControls, safeText, shorten } from '../../base/text.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { SERVER } from '../../manifests/names.ts';
import type { Subject } from '../../rules/rule.ts';
import type { Log } from '../../server/log/log.ts';
import { rateLimited } from '../../server/log/rate-limited.ts';
import type { Decision } from '../../server/observer.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import { eventName, isForbidden, LONGEST_MESSAGE, type ObjectEvent, writeEvent } from '../event.ts';

interface DenialEventsOptions {
  readonly client: Pick<ApiClient, 'call'>;
  readonly metrics: Pick<Metrics, 'event'>;
  readonly log: Pick<Log, 'warn'>;
  /** The name of this server among its replicas. Each has Events of its own, so that their counts are right. */
  readonly instance?: string;
  /** Waits so many milliseconds: between two writes, and between two of the same Event. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/**
 * Milliseconds between two writes, and between two writes of the same Event. There must be few, since etcd keeps each
 * Event for an hour.
 */
const BETWEEN_WRITES = 1000;
export const BETWEEN_REPEATS = 10_000;
const unrefPause = (milliseconds: number) => sleep(milliseconds, undefined, { ref: false });
/** The most Events that wait to be written. */
const MOST_WAITING = 100;
/** The most Events whose counts are kept. */
const MOST_KEPT = 1000;
/** The API's own limit of characters. */
const LONGEST_NAME = 253;
const REMEDY = 'the account of muster needs the right to create and patch events (muster manifests --events)';

/** The denials of one object for the same reasons. */
interface PendingEvent {
  readonly event: ObjectEvent;
  message: string;
  /** When this server first denied it, and when it did the last time. */
  readonly first: string;
  last: string;
  count: number;
  /** The count in the cluster; 0: it was not written yet. */
  written: number;
  /** Whether it waits, is being written, or was written less than `BETWEEN_REPEATS` ago. */
  busy: boolean;
}

/**
 * Returns a function that writes or updates the Event of a denial, later and one by one. It ignores other decisions and
 * dry runs, and never throws: failures are counted and logged. Counts start with the server.
 */
export function createDenialEvents(options: DenialEventsOptions): (decision: Decision) => void {
  const { client, metrics, log, instance = hostname(), pause = unrefPause } = options;
  const kept = new Map<string, PendingEvent>();
  const waiting: PendingEvent[] = [];
  const warn = rateLimited(log.warn);
  let writing = false;

  const enqueue = (entry: PendingEvent): void => {
    if (waiting.length >= MOST_WAITING) {
      metrics.event?.('dropped');
      return;
    }
    entry.busy = true;
    waiting.push(entry);
    if (!writing) void writeAll();
  };

  const writeAll = async (): Promise<void> => {
    writing = true;
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const { event, message, first: firstTimestamp, last: lastTimestamp, count } = entry;
      const latest = { message, firstTimestamp, lastTimestamp, count };
      await writeEvent(client, event, latest, entry.written === 0).then(
        () => {
          entry.written = count;
          metrics.event?.('written');
        },
        (error: Error) => {
          metrics.event?.('failed');
          const reason = `an Event of a denied write could not be written: ${error.message}`;
          warn(() => [isForbidden(error) ? `${reason}; ${REMEDY}` : reason]);
        },
      );
      const repeated = entry;
      void pause(BETWEEN_REPEATS).then(() => {
        repeated.busy = false;
        // An Event whose first write failed is tried again at the next denial, not before.
        if (repeated.count > repeated.written && repeated.written > 0) enqueue(repeated);
      });
      await pause(BETWEEN_WRITES);
    }
    writing = false;
  };

  return (decision) => {
    const denied = entryOf(decision, instance);
    if (denied === undefined) return;
    const name = eventName(denied.event);
    const entry = kept.get(name) ?? denied;
    entry.count += 1;
    entry.last = denied.last;
    entry.message = denied.message;
    // Moved to the end of the map, so that the first entry is the one with the oldest denial.
    kept.delete(name);
    kept.set(name, entry);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    if (!entry.busy) enqueue(entry);
  };
}

/** Returns the Event of a denial; undefined for another decision, or if the namespace is not a valid name. */
function entryOf({ path, outcome, subject, verdict }: Decision, instance: string): PendingEvent | undefined {
  if (path !== 'validate' || outcome !== 'denied' || subject === undefined || subject.dryRun) return undefined;
  const { operation, namespace } = subject;
  if (namespace && !isDnsLabel(namespace)) return undefined;
  const denying = (verdict?.findings ?? []).filter(({ action }) => action === 'deny');
  const lines = denying.map(({ ruleId, field, message }) => `[${ruleId}] ${field}: ${message}`);
  const involvedObject = involved(subject);
  const reasons = denying.map(({ ruleId, field }) => [ruleId, field]);
  const now = formatTime(Date.now());
  return {
    event: {
      component: SERVER,
      reason: 'WriteDenied',
      involvedObject,
      identity: [instance, involvedObject, operation, reasons],
      fixed: { action: operation, reportingInstance: shorten(instance, 128) },
    },
    message: shorten(`${operation} denied: ${lines.map(escapeControls).join('\n')}`, LONGEST_MESSAGE),
    first: now,
    last: now,
    count: 0,
    written: 0,
    busy: false,
  };
}

/** Returns the reference to the object. It has a uid only if the object is stored. */
function involved({ dialect, version, name, namespace, oldObject }: Subject) {
  const uid = oldObject && textAt(oldObject, ['metadata', 'uid']);
  return {
    apiVersion: `${dialect.group}/${safeText(version, LONGEST_NAME)}`,
    kind: dialect.kind,
    name: safeText(name, LONGEST_NAME),
    ...(namespace && { namespace }),
    ...(uid && { uid: safeText(uid, LONGEST_NAME) }),
  };
}

/** Writes an Event on each object that breaks a rule: `kubectl describe` and watchers of Events show it. */
import { formatTime } from '../../base/syntax.ts';
import { counted, escapeControls, shorten } from '../../base/text.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import type { ClusterError } from '../../cluster/live/errors.ts';
import type { Entry } from '../../evaluation/results.ts';
import { SCAN, SCAN_EVENTS } from '../../manifests/names.ts';
import { messageOf as messageOfFinding, reportedFindings } from '../../report/text.ts';
import { DEFAULT_NAMESPACE, isForbidden, LONGEST_MESSAGE, type ObjectEvent, writeEvent } from '../event.ts';
import { repeatingRefused, type WriteProblems, worstFirst, writeEach } from './write-findings.ts';

/** The most Events of one scan: the API server keeps Events for an hour, and clusters limit them. */
const MOST_EVENTS = 100;

/**
 * Writes the Events. The same findings on the same object update their Event, other findings make a new one. The right
 * to write Events is granted by namespace, so a namespace without it is a note, not an error.
 * @param now milliseconds since the epoch
 */
export async function writeEvents(client: ApiClient, objects: readonly Entry[], now: number): Promise<WriteProblems> {
  const offending = worstFirst(objects);
  const time = formatTime(now);
  /** Namespaces in which this account may not write Events, with the number of Events that are missing there. */
  const forbidden = new Map<string, number>();
  // A repeated write does not make a second Event.
  const call = repeatingRefused(client);
  const write = async (object: Entry) => {
    const namespace = object.result.namespace || DEFAULT_NAMESPACE;
    const missing = forbidden.get(namespace);
    if (missing !== undefined) return void forbidden.set(namespace, missing + 1);
    try {
      await writeEvent({ call }, eventOf(object, time), { message: textOf(object), lastTimestamp: time }, false);
    } catch (error) {
      if (!isForbidden(error) || namespace === DEFAULT_NAMESPACE) throw error;
      forbidden.set(namespace, 1);
    }
  };
  const errors = await writeEach(offending.slice(0, MOST_EVENTS), write, { about: 'events', messageOf });
  const notes: string[] = [];
  if (forbidden.size > 0) {
    const count = [...forbidden.values()].reduce((sum, each) => sum + each, 0);
    const where = shorten([...forbidden.keys()].join(', '), LONGEST_MESSAGE);
    const remedy = `bind the ClusterRole ${SCAN_EVENTS} to it in these namespaces (docs/scan.md)`;
    notes.push(
      `no Event for ${counted(count, 'object')} in ${where}: this account may not write Events there; ${remedy}`,
    );
  }
  const left = offending.length - MOST_EVENTS;
  const more = left === 1 ? '1 more object has' : `${left} more objects have`;
  if (left > 0) notes.push(`${more} findings, but no Event from this scan`);
  return { errors, notes };
}

function eventOf({ result, uid }: Entry, firstTimestamp: string): ObjectEvent {
  const { apiVersion, kind, namespace, name } = result;
  const findings = reportedFindings(result).map(({ ruleId, field }) => [ruleId, field]);
  return {
    component: SCAN,
    reason: 'RuleBroken',
    involvedObject: { apiVersion, kind, name, ...(namespace && { namespace }), ...(uid && { uid }) },
    fixed: { firstTimestamp, count: 1 },
    identity: [apiVersion, kind, namespace, name, uid, findings],
  };
}

function textOf({ result }: Entry): string {
  const lines = reportedFindings(result).map((finding) => `[${finding.ruleId}] ${messageOfFinding(finding)}`);
  return shorten(lines.map(escapeControls).join('\n'), LONGEST_MESSAGE);
}

function messageOf({ code, message }: ClusterError): string {
  if (code !== 'forbidden') return message;
  return `${message}: give the right to create and patch events (muster manifests --only scan)`;
}

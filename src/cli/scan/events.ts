/** Writes an Event on each object that breaks a rule: `kubectl describe` and watchers of Events show it. */

import { createHash } from 'node:crypto';
import { formatTime } from '../../base/syntax.ts';
import { plain, shorten } from '../../base/text.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { SCAN, SCAN_EVENTS } from '../../manifests/names.ts';
import type { Entry } from '../output/results.ts';
import { messageOf as messageOfFinding, reportedFindings } from '../output/text.ts';
import { isNamespaceTerminating, type Written, worstFirst, writeEach } from './writes.ts';

/** The most Events of one scan: the API server keeps Events for an hour, and clusters limit them. */
const MOST_EVENTS = 100;
/** Characters; the API's own limit. */
const LONGEST_MESSAGE = 1024;
/** The namespace of Events about cluster-scoped objects. The manifests grant the right to write them there. */
const DEFAULT = 'default';

/**
 * Writes the Events. The same findings on the same object update their Event, other findings make a new one. The right
 * to write Events is granted by namespace, so a namespace without it is a note, not an error.
 * @param now milliseconds since the epoch
 */
export async function writeEvents(client: ApiClient, objects: readonly Entry[], now: number): Promise<Written> {
  const offending = worstFirst(objects);
  /** Namespaces in which this account may not write Events, with the number of Events that are missing there. */
  const forbidden = new Map<string, number>();
  const write = async (object: Entry) => {
    const namespace = object.result.namespace || DEFAULT;
    const missing = forbidden.get(namespace);
    if (missing !== undefined) return void forbidden.set(namespace, missing + 1);
    try {
      await writeEvent(client, namespace, object, now);
    } catch (error) {
      const isForbidden = error instanceof ClusterError && error.code === 'forbidden' && !isNamespaceTerminating(error);
      if (!isForbidden || namespace === DEFAULT) throw error;
      forbidden.set(namespace, 1);
    }
  };
  const errors = await writeEach(offending.slice(0, MOST_EVENTS), write, { about: 'events', messageOf });
  const notes: string[] = [];
  if (forbidden.size > 0) {
    const count = [...forbidden.values()].reduce((sum, each) => sum + each, 0);
    const where = shorten([...forbidden.keys()].join(', '), LONGEST_MESSAGE);
    const remedy = `bind the ClusterRole ${SCAN_EVENTS} to it in these namespaces (docs/scan.md)`;
    notes.push(`note: no Event for ${count} objects in ${where}: this account may not write Events there; ${remedy}`);
  }
  const left = offending.length - MOST_EVENTS;
  if (left > 0) notes.push(`note: ${left} more objects have findings, but no Event from this scan`);
  return { errors, notes };
}

/** The API server requires an Event in the namespace of its object. */
async function writeEvent(client: ApiClient, namespace: string, object: Entry, now: number): Promise<void> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const name = `${SCAN}.${digestOf(object)}`;
  const time = formatTime(now);
  const body = { lastTimestamp: time, message: textOf(object) };
  const contentType = 'application/merge-patch+json';
  try {
    await client.call({ method: 'PATCH', path: `${path}/${name}`, body, contentType });
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'not-found') throw error;
    const event = { ...eventOf(object), metadata: { name, namespace }, ...body, firstTimestamp: time };
    await client.call({ method: 'POST', path, body: event });
  }
}

function eventOf({ result, uid }: Entry) {
  const { apiVersion, kind, namespace, name } = result;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    type: 'Warning',
    reason: 'RuleBroken',
    count: 1,
    source: { component: SCAN },
    reportingComponent: SCAN,
    involvedObject: { apiVersion, kind, name, ...(namespace && { namespace }), ...(uid && { uid }) },
  };
}

function textOf({ result }: Entry): string {
  const lines = reportedFindings(result).map((finding) => `[${finding.ruleId}] ${messageOfFinding(finding)}`);
  return shorten(lines.map(plain).join('\n'), LONGEST_MESSAGE);
}

function digestOf({ result, uid }: Entry): string {
  const { apiVersion, kind, namespace, name } = result;
  const findings = reportedFindings(result).map(({ ruleId, field }) => [ruleId, field]);
  const identity = JSON.stringify([apiVersion, kind, namespace, name, uid, findings]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

function messageOf({ code, message }: ClusterError): string {
  if (code !== 'forbidden') return message;
  return `${message}: give the right to create and patch events (muster manifests --only scan)`;
}

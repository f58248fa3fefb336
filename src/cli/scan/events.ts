/** Writes an Event on each object that breaks a rule: `kubectl describe` and watchers of Events show it. */
import { createHash } from 'node:crypto';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { plain, shorten } from '../../engine/text.ts';
import { SCAN_EVENTS } from '../../manifests/names.ts';
import type { CheckResult } from '../output/report.ts';
import { reportedFindings } from '../output/text.ts';
import { isNamespaceTerminating, type ScannedObject, type Written, worstFirst, writeEach } from './findings.ts';

/** The most Events of one scan: the API server keeps Events for an hour, and clusters limit them. */
const MOST_EVENTS = 100;
/** Characters; the API's own limit. */
const LONGEST_MESSAGE = 1024;
/** The namespace of Events about cluster-scoped objects. */
const DEFAULT = 'default';
const COMPONENT = 'muster-scan';

/**
 * Writes the Events. The same findings on the same object update their Event, other findings make a new one.
 * @param now milliseconds since the epoch
 */
export async function writeEvents(client: ApiClient, objects: readonly ScannedObject[], now: number): Promise<Written> {
  const offending = worstFirst(objects);
  const forbidden: ForbiddenNamespaces = new Map();
  const write = (object: ScannedObject) =>
    writeWhereAllowed(forbidden, namespaceOf(object), () => writeEvent(client, object, now));
  const errors = await writeEach(offending.slice(0, MOST_EVENTS), write, { file: 'events', messageOf });
  const left = offending.length - MOST_EVENTS;
  const notes = left > 0 ? [`note: ${left} more objects have findings, but no Event from this scan`] : [];
  return { errors, notes: [...forbiddenNote(forbidden), ...notes] };
}

/** Namespaces in which this account may not write Events, each with the number of Events that are missing there. */
type ForbiddenNamespaces = Map<string, number>;

/**
 * Writes an Event unless an earlier write to its namespace was forbidden. The right is granted by namespace, so a namespace
 * without it is expected. In `default` the manifests grant it, so there it is an error.
 */
async function writeWhereAllowed(
  forbidden: ForbiddenNamespaces,
  namespace: string,
  write: () => Promise<void>,
): Promise<void> {
  const missing = forbidden.get(namespace);
  if (missing !== undefined) return void forbidden.set(namespace, missing + 1);
  try {
    await write();
  } catch (error) {
    const isForbidden = error instanceof ClusterError && error.code === 'forbidden' && !isNamespaceTerminating(error);
    if (!isForbidden || namespace === DEFAULT) throw error;
    forbidden.set(namespace, 1);
  }
}

function forbiddenNote(forbidden: ForbiddenNamespaces): readonly string[] {
  if (forbidden.size === 0) return [];
  const count = [...forbidden.values()].reduce((sum, each) => sum + each, 0);
  const where = shorten([...forbidden.keys()].join(', '), LONGEST_MESSAGE);
  const remedy = `bind the ClusterRole ${SCAN_EVENTS} to it in these namespaces (docs/scan.md)`;
  return [`note: no Event for ${count} objects in ${where}: this account may not write Events there; ${remedy}`];
}

/** The API server requires an Event in the namespace of its object. */
function namespaceOf({ result }: ScannedObject): string {
  return result.namespace || DEFAULT;
}

async function writeEvent(client: ApiClient, object: ScannedObject, now: number): Promise<void> {
  const { result, uid } = object;
  const namespace = namespaceOf(object);
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const name = `${COMPONENT}.${digestOf(result, uid)}`;
  const time = new Date(now).toISOString().replace(/\.\d+/, '');
  const changing = { lastTimestamp: time, message: textOf(result) };
  try {
    await client.call({
      method: 'PATCH',
      path: `${path}/${name}`,
      body: changing,
      contentType: 'application/merge-patch+json',
    });
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'not-found') throw error;
    const body = { ...eventOf(object), metadata: { name, namespace }, ...changing, firstTimestamp: time };
    await client.call({ method: 'POST', path, body });
  }
}

function eventOf({ result, uid }: ScannedObject) {
  const { apiVersion, kind, namespace, name } = result;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    type: 'Warning',
    reason: 'RuleBroken',
    count: 1,
    source: { component: COMPONENT },
    reportingComponent: COMPONENT,
    involvedObject: { apiVersion, kind, name, ...(namespace && { namespace }), ...(uid && { uid }) },
  };
}

function textOf(result: CheckResult): string {
  const lines = reportedFindings(result).map(({ ruleId, field, message }) => `[${ruleId}] ${field}: ${message}`);
  return shorten(lines.map(plain).join('\n'), LONGEST_MESSAGE);
}

function digestOf(result: CheckResult, uid: string | undefined): string {
  const { apiVersion, kind, namespace, name } = result;
  const findings = reportedFindings(result).map(({ ruleId, field }) => [ruleId, field]);
  const identity = JSON.stringify([apiVersion, kind, namespace, name, uid, findings]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

function messageOf(error: ClusterError): string {
  if (error.code !== 'forbidden') return error.message;
  return `${error.message}: give the right to create and patch events (muster manifests --only scan)`;
}

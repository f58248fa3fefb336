/** An Event on each object that breaks a rule, so that `kubectl describe` and whoever watches Events tell of it. */
import { createHash } from 'node:crypto';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { plain, shorten } from '../../engine/text.ts';
import { SCAN_EVENTS } from '../../manifests/names.ts';
import type { CheckError, CheckResult } from '../output/report.ts';
import { reportedFindings } from '../output/text.ts';
import { attemptEach, isNamespaceEnding } from './attempts.ts';
import { inOrderOfWeight, type Met } from './met.ts';

/** Of one scan: the API server keeps Events for an hour, and clusters count them. What is denied comes first. */
const MOST_EVENTS = 100;
/** Characters; the API's own limit for a note. */
const LONGEST_MESSAGE = 1024;
/** Events about objects without a namespace stand here. */
const DEFAULT = 'default';
const COMPONENT = 'muster-scan';

export interface Written {
  readonly errors: readonly CheckError[];
  /** For people: what was left out. */
  readonly notes: readonly string[];
}

/**
 * Writes them. The same findings on the same object renew their Event, other findings make another. @param now milliseconds since the epoch
 */
export async function writeEvents(client: ApiClient, objects: readonly Met[], now: number): Promise<Written> {
  const offending = inOrderOfWeight(objects);
  const closed: ClosedNamespaces = new Map();
  const write = (met: Met) => writeWhereAllowed(closed, namespaceOf(met), () => writeEvent(client, met, now));
  const errors = await attemptEach(offending.slice(0, MOST_EVENTS), write, { file: 'events', messageOf });
  const left = offending.length - MOST_EVENTS;
  const notes = left > 0 ? [`note: ${left} more objects have findings, and no Event of this scan`] : [];
  return { errors, notes: [...closedNote(closed), ...notes] };
}

/** Namespaces in which this account may write no Event, each with the number of Events that are missing there. */
type ClosedNamespaces = Map<string, number>;

/**
 * Writes an Event unless its namespace turned out to be closed. The right is granted by namespace, so one that lacks it is
 * expected and hides nothing elsewhere. In `default` the manifests grant it, so there the error counts.
 */
async function writeWhereAllowed(
  closed: ClosedNamespaces,
  namespace: string,
  write: () => Promise<void>,
): Promise<void> {
  const missing = closed.get(namespace);
  if (missing !== undefined) return void closed.set(namespace, missing + 1);
  try {
    await write();
  } catch (error) {
    const isClosed = error instanceof ClusterError && error.code === 'forbidden' && !isNamespaceEnding(error);
    if (!isClosed || namespace === DEFAULT) throw error;
    closed.set(namespace, 1);
  }
}

function closedNote(closed: ClosedNamespaces): readonly string[] {
  if (closed.size === 0) return [];
  const count = [...closed.values()].reduce((sum, each) => sum + each, 0);
  const where = shorten([...closed.keys()].join(', '), LONGEST_MESSAGE);
  const remedy = `bind the ClusterRole ${SCAN_EVENTS} to it in these namespaces (docs/scan.md)`;
  return [`note: no Event for ${count} objects in ${where}: this account may not write Events there; ${remedy}`];
}

/** Where kubectl looks for an Event, and the API server requires it. */
function namespaceOf({ result }: Met): string {
  return result.namespace || DEFAULT;
}

async function writeEvent(client: ApiClient, met: Met, now: number): Promise<void> {
  const { result, uid } = met;
  const namespace = namespaceOf(met);
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const name = `${COMPONENT}.${digestOf(result, uid)}`;
  const time = new Date(now).toISOString().replace(/\.\d+/, '');
  const said = { lastTimestamp: time, message: textOf(result) };
  try {
    await client.call({ method: 'PATCH', path: `${path}/${name}`, body: said, contentType: MERGE });
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'not-found') throw error;
    await client.call({
      method: 'POST',
      path,
      body: { ...eventOf({ result, uid }), ...named(name, namespace), ...said, firstTimestamp: time },
    });
  }
}

const MERGE = 'application/merge-patch+json';

function named(name: string, namespace: string) {
  return { metadata: { name, namespace } };
}

function eventOf({ result, uid }: Met) {
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

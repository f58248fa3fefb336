/** One connection's part in the load: the request in flight, and whether its answer is as expected. */
import type { Answer, Connection } from './connection.ts';
import type { Expecting } from './job.ts';
import { type Template, uidOf } from './templates.ts';

export interface Lane {
  connection: Connection | undefined;
  /** Of the request in flight: what it was made of, its count, and the moment its time runs from. */
  template: Template | undefined;
  count: number;
  since: number;
  /** Which template is next. */
  turn: number;
}

/** Not yet connected; each begins elsewhere in the mixture. */
export function createLane(index: number): Lane {
  return { connection: undefined, template: undefined, count: 0, since: 0, turn: index * 7 };
}

/** What is wrong with an answer, in words; undefined where it is as expected. */
export function faultOf(expecting: Expecting, { template, count }: Lane, answer: Answer): string | undefined {
  if (answer.status !== 200) return `status ${answer.status}: ${answer.body.slice(0, 200)}`;
  if (expecting === 'status') return undefined;
  if (uidIn(answer) !== uidOf(count)) return `"${template?.name}" came back with another uid`;
  if (allowedIn(answer) === (expecting === 'verdict' ? template?.allowed : true)) return undefined;
  return `"${template?.name}" was answered ${answer.body.slice(0, 400)}`;
}

const UID = '"uid":"';
const ALLOWED = '"allowed":';

/** The uid an answer echoes; empty where it has none. */
function uidIn({ body }: Answer): string {
  const at = body.indexOf(UID);
  return at < 0 ? '' : body.slice(at + UID.length, at + UID.length + 36);
}

function allowedIn({ body }: Answer): boolean | undefined {
  const at = body.indexOf(ALLOWED);
  if (at < 0) return undefined;
  return body.startsWith('true', at + ALLOWED.length);
}

/** One connection's part in the load: the request in flight, and whether its answer is as expected. */
import type { Connection } from './connection.ts';
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

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/** The answer that a text holds, once it holds all of it. */
export function readAnswer(text: string): Answer | undefined {
  const head = text.indexOf(END_OF_HEAD);
  if (head < 0) return undefined;
  const status = Number(text.slice(9, 12));
  const body = text.slice(head + END_OF_HEAD.length);
  const [, length] = LENGTH.exec(text) ?? [];
  if (length !== undefined) return body.length >= Number(length) ? { status, body } : undefined;
  if (!CHUNKED.test(text.slice(0, head))) throw new Error(`an answer of unknown length: ${text.slice(0, head)}`);
  return body.endsWith('0\r\n\r\n') ? { status, body } : undefined;
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

/** The least of HTTP that a webhook's answer needs: a status line, a length or chunks, a body. */

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
export function uidIn({ body }: Answer): string {
  const at = body.indexOf(UID);
  return at < 0 ? '' : body.slice(at + UID.length, at + UID.length + 36);
}

export function allowedIn({ body }: Answer): boolean | undefined {
  const at = body.indexOf(ALLOWED);
  if (at < 0) return undefined;
  return body.startsWith('true', at + ALLOWED.length);
}

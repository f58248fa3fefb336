/** Requests as bytes, made once; only the uid is written anew, in place, before each is sent. */

import { reviewText, UID_MARK } from '../reviews/review.ts';
import { scenarios } from '../reviews/scenarios.ts';
import type { Answer } from './connection.ts';
import type { Expecting } from './job.ts';

export interface Template {
  readonly name: string;
  /** Head and body. */
  readonly bytes: Buffer;
  /** Where the uid begins. */
  readonly uidAt: number;
  readonly allowed: boolean;
}

/** One request for each scenario, with the headers that the API server sends. */
export function templates(): Template[] {
  return scenarios.map((scenario) => {
    const body = reviewText(scenario);
    const head = [
      'POST /validate?timeout=5s HTTP/1.1',
      'Host: muster.muster-system.svc:443',
      'User-Agent: kube-apiserver-admission',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Accept: application/json, */*',
      'Content-Type: application/json',
      'Accept-Encoding: gzip',
    ].join('\r\n');
    const bytes = Buffer.from(`${head}\r\n\r\n${body}`);
    return { name: scenario.name, bytes, uidAt: bytes.indexOf(UID_MARK), allowed: scenario.allowed };
  });
}

/** Bytes of the mark that a count can fill: as hexadecimal digits, the last of the uid. */
const DIGITS = 12;
const OFFSET = UID_MARK.length - DIGITS;
const HEX = Buffer.from('0123456789abcdef');

/** Writes a fresh uid, made of a count, by which the answer is known again. */
export function writeUid({ bytes, uidAt }: Template, count: number): void {
  let rest = count;
  for (let at = uidAt + UID_MARK.length - 1; at >= uidAt + OFFSET; at -= 1) {
    bytes[at] = HEX[rest & 15] as number;
    rest = (rest - (rest & 15)) / 16;
  }
}

/** Returns what is wrong with the answer to the request with this count; undefined if it is as expected. */
export function faultOf(expecting: Expecting, template: Template, count: number, answer: Answer): string | undefined {
  const { status, body } = answer;
  if (status !== 200) return `status ${status}: ${body.slice(0, 200)}`;
  if (expecting === 'status') return undefined;
  const uid = UID_MARK.slice(0, OFFSET) + count.toString(16).padStart(DIGITS, '0');
  if (!body.includes(uid)) return `"${template.name}" came back with another uid`;
  const allowed = expecting === 'verdict' ? template.allowed : true;
  return body.includes(`"allowed":${allowed}`) ? undefined : `"${template.name}" was answered ${body.slice(0, 400)}`;
}

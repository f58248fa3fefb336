/** Requests as bytes, made once; only the uid is written anew, in place, before each is sent. */
import { reviewText, UID_MARK } from '../reviews/review.ts';
import { scenarios } from '../reviews/scenarios.ts';

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

/** Writes a fresh uid; returns its last part, by which the answer is known again. */
export function writeUid({ bytes, uidAt }: Template, count: number): void {
  let rest = count;
  for (let at = uidAt + UID_MARK.length - 1; at >= uidAt + OFFSET; at -= 1) {
    bytes[at] = HEX[rest & 15] as number;
    rest = (rest - (rest & 15)) / 16;
  }
}

/** The uid that `writeUid` wrote for a count. */
export function uidOf(count: number): string {
  return UID_MARK.slice(0, OFFSET) + count.toString(16).padStart(DIGITS, '0');
}

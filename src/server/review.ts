/** Bytes -> request. The one decoder of the server: size, text, depth and JSON are checked before anything recursive sees them. */
import { isUtf8 } from 'node:buffer';
import { type Reading, readAdmissionReview } from '../engine/admission-review.ts';
import { freeze } from '../engine/subject.ts';
import type { Body } from './body.ts';
import { type Survey, survey } from './survey.ts';
import { MOST_WEIGHT, weightOf } from './weight.ts';

/**
 * The API server lets some 9,000 levels pass; `JSON.stringify` overflows the stack near 5,000. No manifest of ours
 * needs 20.
 */
export const DEPTH_LIMIT = 200;

/**
 * Up to this many bytes what is judged is frozen, so that a rule that changed it would be caught at once. Freezing takes 2 ms
 * for as many; for 8 MiB it took a quarter of a second, in which nothing else is answered.
 */
export const MOST_FROZEN = 64 * 1024;

/** Reads a body. Never throws: what can't be read is refused, with the request's uid wherever it can be found. */
export function decodeReview(body: Body, { depth, marks, uid }: Survey = survey(body.bytes)): Reading {
  if (body.tooLarge) return refuse(uid, 'the review is larger than 8 MiB');
  if (!isUtf8(body.bytes)) return refuse(uid, 'the review is not valid UTF-8');
  if (depth > DEPTH_LIMIT) return refuse(uid, `the review nests ${depth} levels deep, the limit is ${DEPTH_LIMIT}`);
  if (weightOf(body.bytes, { marks }) > MOST_WEIGHT) {
    return refuse(uid, 'the review holds too many values: decoded, it would take more than 48 MiB');
  }
  const parsed = parse(body.bytes);
  if (parsed === undefined) return refuse(uid, 'the body is not JSON; an AdmissionReview is expected');
  return readAdmissionReview(parsed.value, body.bytes.length <= MOST_FROZEN ? freeze : (value) => value);
}

function parse(bytes: Buffer): { readonly value: Parameters<typeof readAdmissionReview>[0] } | undefined {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return undefined;
  }
}

function refuse(uid: string | undefined, problem: string): Reading {
  return { kind: 'refuse', uid, problem, request: undefined };
}

/** Bytes -> request. The one decoder of the server: size, text, depth and JSON are checked before anything recursive sees them. */
import { isUtf8 } from 'node:buffer';
import { type Reading, readAdmissionReview } from '../../engine/review.ts';
import type { Json } from '../../rules/rule.ts';
import type { Body } from './body.ts';
import { type Glance, glance } from './glance.ts';
import { MOST_WEIGHT, weightOf } from './weight.ts';

/**
 * The API server lets some 9,000 levels pass; `JSON.stringify` overflows the stack near 5,000. No manifest of ours
 * needs 20.
 */
export const DEPTH_LIMIT = 200;

/** Reads a body. Never throws: what can't be read is refused, with the request's uid wherever it can be found. */
export function decodeReview(body: Body, seen: Glance = glance(body.bytes)): Reading {
  const { depth } = seen;
  if (body.tooLarge) return refuse(seen.uid, 'the review is larger than 8 MiB');
  if (!isUtf8(body.bytes)) return refuse(seen.uid, 'the review is not valid UTF-8');
  if (depth > DEPTH_LIMIT) {
    return refuse(seen.uid, `the review nests ${depth} levels deep, the limit is ${DEPTH_LIMIT}`);
  }
  if (weightOf(body.bytes, seen) > MOST_WEIGHT) {
    return refuse(seen.uid, 'the review holds too many values: decoded, it would take more than 48 MiB');
  }
  const review = parse(seen.text ?? body.bytes.toString('utf8'));
  if (review === undefined) return refuse(seen.uid, 'the body is not JSON; an AdmissionReview is expected');
  // Not frozen, which takes as long as to parse it: every rule is tested, and fuzzed, with what is.
  return readAdmissionReview(review, (value) => value);
}

/** Undefined where it is not JSON, of which no text is undefined. */
function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(uid: string | undefined, problem: string): Reading {
  return { kind: 'refuse', uid, problem, request: undefined };
}

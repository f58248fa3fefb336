/** Bytes -> request. The one decoder of the server: size, text, depth and JSON are checked before anything recursive sees them. */
import { isUtf8 } from 'node:buffer';
import { type Reading, readAdmissionReview } from '../engine/admission-review.ts';
import type { Body } from './body.ts';
import { type Survey, survey } from './survey.ts';
import { MOST_WEIGHT, weightOf } from './weight.ts';

/**
 * The API server lets some 9,000 levels pass; `JSON.stringify` overflows the stack near 5,000. No manifest of ours
 * needs 20.
 */
export const DEPTH_LIMIT = 200;

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
  // Not frozen, which takes as long as to parse it: every rule is tested, and fuzzed, with what is.
  return readAdmissionReview(parsed.value, (value) => value);
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

/** A decision from the bytes of a body, without HTTP. */
import { EventEmitter } from 'node:events';
import { decodeReview } from '../../src/server/admission/decode.ts';
import { type AdmissionOptions, decide, RequestDeadline } from '../../src/server/admission/handler.ts';
import type { AdmissionPath, Decision } from '../../src/server/admission/observer.ts';

/** @param budget milliseconds that the caller waits */
export async function decideBytes(
  options: AdmissionOptions,
  bytes: Buffer,
  path: AdmissionPath = 'validate',
  budget = 60_000,
): Promise<Decision> {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const { reading } = decodeReview({ bytes, tooLarge: false });
  return decide(options, path, reading, new RequestDeadline(budget, response));
}

/**
 * Takes the body off the wire, for any content type. Too large a body is read on, unkept, so that the caller is done
 * sending and sees the answer: a caller that is still sending sees a broken connection, which under
 * `failurePolicy: Ignore` admits the object.
 */
import type { Readable } from 'node:stream';

export interface Body {
  /** All of the body, or its beginning where it was too large. */
  readonly bytes: Buffer;
  readonly tooLarge: boolean;
}

export interface BodyLimits {
  /** Bytes that are kept and judged. */
  readonly kept: number;
  /** Bytes that are read at all. */
  readonly read: number;
}

/**
 * An UPDATE review carries two objects of up to 1.5 MiB as stored, and escaping inflates them (`<` is six bytes);
 * more than 8 MiB can't have been meant for storage.
 */
export const bodyLimits: BodyLimits = { kept: 8 * 1024 * 1024, read: 64 * 1024 * 1024 };

/** What is remembered of too large a body: enough to find the request's uid. */
const HEAD = 64 * 1024;

/** The caller hung up before its body was complete; nobody is left to answer. */
export class CallerGone extends Error {
  readonly code = 'CALLER_GONE';
}

/** Reads a body to its end, or to the limit. Rejects with `CallerGone` when the connection breaks before that. */
export async function readBody(stream: Readable, limits: BodyLimits = bodyLimits): Promise<Body> {
  let chunks: Buffer[] = [];
  let size = 0;
  let tooLarge = false;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (!tooLarge) chunks.push(chunk);
      if (!tooLarge && size > limits.kept) {
        tooLarge = true;
        chunks = [Buffer.from(Buffer.concat(chunks).subarray(0, HEAD))];
      }
      if (size > limits.read) break;
    }
  } catch (cause) {
    throw new CallerGone('the caller hung up before its request was complete', { cause });
  }
  return { bytes: Buffer.concat(chunks), tooLarge };
}

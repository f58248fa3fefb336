/** What a review takes in memory once it is decoded, told from its text before anything decodes it. */
import { type Survey, survey } from './survey.ts';

/** Measured with Node 24: `{},{},…` takes 21 times its text, which is 32 bytes for each mark; objects that share no key 62. */
const BYTES_A_MARK = 64;
/** A text with one character beyond Latin 1 takes two for each. */
const BYTES_A_BYTE = 2;

/**
 * The heaviest review that is decoded. Two objects of 1.5 MiB, which is all that an API server can store, weigh some 30 MiB where they hold
 * nothing but short labels and the record of who set each. 8 MiB of `{},{},…` would take 180 MB, and seconds to decode.
 */
export const MOST_WEIGHT = 48 * 1024 * 1024;

/** Bytes of memory, at the most. */
export function weightOf(bytes: Buffer, { marks }: Pick<Survey, 'marks'> = survey(bytes)): number {
  return bytes.length * BYTES_A_BYTE + marks * BYTES_A_MARK;
}

/** What a review takes in memory once it is decoded, told from its text before anything decodes it. One pass, no recursion. */

/** What begins or follows a value; those within texts count too, which overrates them. */
const MARKS = new Uint8Array(256);
for (const mark of '{[,:') MARKS[mark.charCodeAt(0)] = 1;

/** Measured with Node 24: `{},{},…` takes 21 times its text, which is 32 bytes for each mark; objects that share no key 62. */
const BYTES_A_MARK = 64;
/** A text with one character beyond Latin 1 takes two for each. */
const BYTES_A_BYTE = 2;

/**
 * Marks of the largest review that an API server could have meant for storage: two objects of 1.5 MiB, as in `bodyLimits`, of nothing
 * but `{},{},…`, two marks in three bytes. More of them were sent by somebody else, in a body of 8 MiB 180 MB worth.
 */
export const MOST_MARKS = 2 * 1024 * 1024;

/** How many values, members and levels the text has, and never fewer. */
export function marksIn(bytes: Uint8Array): number {
  let marks = 0;
  for (let at = 0; at < bytes.length; at++) marks += MARKS[bytes[at] ?? 0] ?? 0;
  return marks;
}

/** Bytes of memory, at the most. */
export function weightOf(bytes: Uint8Array): number {
  return bytes.length * BYTES_A_BYTE + marksIn(bytes) * BYTES_A_MARK;
}

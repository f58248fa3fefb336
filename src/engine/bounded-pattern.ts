/** A schema's pattern, spared what no text that matches could be: a body of megabytes is not searched. */

/**
 * UTF-16 units a text may have to be searched at all. Every pattern of ours stands beside a `maxLength` of at most half of
 * this (a code point has two units at most), which is reported in its stead.
 */
export const LONGEST_SEARCHED = 4096;

/** What a compiled schema asks of a pattern. */
export function boundedPattern(source: string, flags: string): { test(text: string): boolean } {
  const pattern = new RegExp(source, flags);
  return { test: (text) => text.length > LONGEST_SEARCHED || pattern.test(text) };
}

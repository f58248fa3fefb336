/** Lengths as JSON Schema and Go count them. */

/** The number of code points of a text: a pair of surrogates counts once, a lone one too. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count--;
  }
  return count;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Texts in JSON that is written by hand. */

/** Printable ASCII but the quotation mark and the backslash. Nearly all texts are such. */
const AS_IS = /^[ !#-[\]-~]*$/;

/** Whether a text stands in JSON as it is, and shows a reader what it holds. */
export function standsAsIs(text: string): boolean {
  return AS_IS.test(text);
}

/** A text as `JSON.stringify` has it, in half the time. */
export function jsonText(text: string): string {
  return AS_IS.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Names and labels as Kubernetes and DNS write them. Length is checked first and every pattern is linear. */

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
/** As texts, for CEL. */
export const dnsLabelPattern: string = LABEL.source;
export const labelValuePattern: string = LABEL_VALUE.source;

/** RFC 1123 DNS label: 1 to 63 of `a-z0-9-`, starting and ending alphanumeric. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && LABEL.test(text);
}

/** RFC 1123 DNS subdomain: labels joined by dots, at most 253 in all; each label at most 63, as it is a component in DNS. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && text.split('.').every(isDnsLabel);
}

/** A label's value that is not empty: at most 63 of `A-Za-z0-9-_.`, starting and ending alphanumeric. */
export function isLabelValue(text: string): boolean {
  return text.length <= 63 && LABEL_VALUE.test(text);
}

/** Whether a text has more code points than `limit`, as JSON Schema and the API server count a text's length. */
export function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || codePoints(text) > limit;
}

/** A pair of surrogates counts once, a lone one too. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Nothing but white space, as Unicode has it, or nothing at all. */
const BLANK = /^[\s\p{White_Space}]*$/u;
/** The same in RE2. */
export const blankPattern = '^[\\t-\\r\\x{85}\\x{feff}\\p{Z}]*$';

/** Whether a text names nothing. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** UTF-16 units. Every pattern in a schema is beside a `maxLength` of at most half of this (a code point has two units at most). */
export const LONGEST_SEARCHED = 4096;

/** A pattern as compiled schemas use it. It does not search a longer text, which fails its `maxLength` anyway. */
export function boundedPattern(source: string, flags: string): { test(text: string): boolean } {
  const pattern = new RegExp(source, flags);
  return { test: (text) => text.length > LONGEST_SEARCHED || pattern.test(text) };
}

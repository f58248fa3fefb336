/** Names, labels and times as Kubernetes and DNS write them. Length is checked first and every pattern is linear. */

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

/** Times as metav1.Time reads them: RFC 3339 with a zone, real calendar days only. */
const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:Z|([+-])(\d{2}):(\d{2}))$/;
/** Longer texts are no times; keeps the pattern from reading a whole book. */
const LONGEST = 64;
const MINUTE = 60_000;

/** As long as what the API server writes of every time: `2026-01-31T12:00:00Z`. */
const WRITTEN = 20;
const DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Milliseconds since the epoch, or undefined when the text is no RFC 3339 time. */
export function parseTime(text: string): number | undefined {
  if (text.length === WRITTEN) return parseWritten(text);
  const found = text.length <= LONGEST ? RFC3339.exec(text) : null;
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as Fields;
  const local = momentOf(year, month, day, hour, minute, second);
  const offset = zoneOffset(found[8], Number(found[9] ?? 0), Number(found[10] ?? 0));
  return local === undefined || offset === undefined ? undefined : local + milliseconds(found[7]) - offset;
}

/** Whether a text is an RFC 3339 time. */
export function isDateTime(text: string): boolean {
  return parseTime(text) !== undefined;
}

type Fields = [number, number, number, number, number, number];

/** Digit by digit, which takes a tenth of what the expression does. Of this length there is no other form. */
function parseWritten(text: string): number | undefined {
  const marks = text[4] === '-' && text[7] === '-' && text[10] === 'T' && text[13] === ':' && text[16] === ':';
  if (!marks || text[19] !== 'Z') return undefined;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  return momentOf(year, month, day, twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17));
}

/** NaN where there are none. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

/** In UTC; undefined where a field is NaN or there is no such day or hour. */
function momentOf(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  if (!(year >= 0 && day >= 1 && day <= daysIn(year, month))) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  if (year > 99) return Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setting the year apart does not.
  return new Date(Date.UTC(2000, 0, 1, hour, minute, second)).setUTCFullYear(year, month - 1, day);
}

/** None in a month that is none. */
function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return leap && month === 2 ? 29 : (DAYS[month - 1] ?? 0);
}

function milliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
}

/** Milliseconds east of UTC. Go allows 24 hours and 60 minutes, no more. */
function zoneOffset(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 24 || minutes > 60) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

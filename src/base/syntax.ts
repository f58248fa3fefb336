/** Names, labels and times as Kubernetes and DNS write them. Length is checked first and every pattern is linear. */

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
/** The patterns for CEL. */
export const dnsLabelPattern: string = LABEL.source;
export const labelValuePattern: string = LABEL_VALUE.source;

/** RFC 1123 DNS label: 1 to 63 of `a-z0-9-`, starting and ending alphanumeric. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && LABEL.test(text);
}

/**
 * RFC 1123 DNS subdomain: labels joined by dots, at most 253 in all; each label at most 63, as it is a component in
 * DNS.
 */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && text.split('.').every(isDnsLabel);
}

/** A label's value that is not empty: at most 63 of `A-Za-z0-9-_.`, starting and ending alphanumeric. */
export function isLabelValue(text: string): boolean {
  return text.length <= 63 && LABEL_VALUE.test(text);
}

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`);
/** The characters of an IPv6 address without a zone, at most as many as it can have. */
const IPV6_CHARACTERS = /^[0-9a-fA-F:.]{2,45}$/;
/** An IPv4-mapped IPv6 address, as URLs write it. For Kubernetes it is of neither family. */
const MAPPED = /^\[::ffff:[0-9a-f]+:[0-9a-f]+\]$/;

/**
 * Returns the family of an IP address, undefined for any other text: as Kubernetes reads it, without zone and prefix
 * length, and without leading zeros in IPv4.
 */
export function ipFamilyOf(text: string): 'IPv4' | 'IPv6' | undefined {
  if (IPV4.test(text)) return 'IPv4';
  return ipv6In(text) === undefined ? undefined : 'IPv6';
}

/** Returns an IP address in canonical notation (`FD00:0::1` is `[fd00::1]`); any other text is returned unchanged. */
export function canonicalIp(text: string): string {
  return ipv6In(text) ?? text;
}

/** Returns an IPv6 address as URLs write it, in brackets; undefined for any other text. */
function ipv6In(text: string): string | undefined {
  const url = IPV6_CHARACTERS.test(text) ? URL.parse(`http://[${text}]`) : null;
  return url !== null && !MAPPED.test(url.hostname) ? url.hostname : undefined;
}

/** Whether a text has more code points than `limit`, as JSON Schema and the API server count a text's length. */
export function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let count = 0;
  for (const _ of text) count++;
  return count > limit;
}

/** Only white space (of Unicode), or nothing at all. */
const BLANK = /^[\s\p{White_Space}]*$/u;
/** The same in RE2. */
export const blankPattern = '^[\\t-\\r\\x{85}\\x{feff}\\p{Z}]*$';

/** Whether a text is empty or only white space. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/**
 * The longest text, in UTF-16 units, in which a pattern of a schema is searched. Beside each pattern is a `maxLength`
 * of at most half of this, as a code point has at most two units.
 */
export const LONGEST_SEARCHED = 4096;

/** Returns the test of a pattern for compiled schemas. A text that is too long passes: its `maxLength` refuses it. */
export function boundedPattern(source: string, flags: string): { test(text: string): boolean } {
  const pattern = new RegExp(source, flags);
  return { test: (text) => text.length > LONGEST_SEARCHED || pattern.test(text) };
}

/** A time as metav1.Time reads it: RFC 3339 with a zone offset, for which Go accepts up to 24 hours and 60 minutes. */
const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9})\d*)?(?:Z|([+-])([01]\d|2[0-4]):([0-5]\d|60))$/;
/** A longer text is not a time, and is not matched against the pattern. */
const LONGEST_TIME = 64;

/** Returns a time in milliseconds since the epoch; undefined if the text is no RFC 3339 time of a real calendar day. */
export function parseTime(text: string): number | undefined {
  const found = text.length <= LONGEST_TIME ? RFC3339.exec(text) : null;
  if (!found) return undefined;
  const month = Number(found[2]);
  const day = Number(found[3]);
  const minute = Number(found[5]);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(Number(found[1]), month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const milliseconds = found[7] === undefined ? 0 : Math.floor(Number(`0.${found[7]}`) * 1000);
  const east = (found[8] === '-' ? -1 : 1) * (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0));
  return date.setUTCHours(Number(found[4]), minute - east, Number(found[6]), milliseconds);
}

/** Returns a time as Kubernetes writes it: UTC, in whole seconds. @param time a number counts milliseconds */
export function formatTime(time: Date | number): string {
  return new Date(time).toISOString().replace(/\.\d+/, '');
}

/** Whether a text is an RFC 3339 time. */
export function isDateTime(text: string): boolean {
  return parseTime(text) !== undefined;
}

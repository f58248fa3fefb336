/** Times as metav1.Time reads them: RFC 3339 with a zone, real calendar days only. */

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:Z|([+-])(\d{2}):(\d{2}))$/;
/** Longer texts are no times; keeps the pattern from reading a whole book. */
const LONGEST = 64;
const MINUTE = 60_000;

/** Milliseconds since the epoch, or undefined when the text is no RFC 3339 time. */
export function parseTime(text: string): number | undefined {
  const found = text.length <= LONGEST ? RFC3339.exec(text) : null;
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = zoneOffset(found[8], Number(found[9] ?? 0), Number(found[10] ?? 0));
  if (offset === undefined) return undefined;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setting the year apart does not.
  const date = new Date(Date.UTC(2000, 0, 1, hour, minute, second));
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() + milliseconds(found[7]) - offset;
}

/** Whether a text is an RFC 3339 time. */
export function isDateTime(text: string): boolean {
  return parseTime(text) !== undefined;
}

/** None in a month that is none. */
function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

function milliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
}

/** Milliseconds east of UTC. Go allows 24 hours and 60 minutes, no more. */
function zoneOffset(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 24 || minutes > 60) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

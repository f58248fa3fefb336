/** The formats of texts that our schemas name. Compiled schemas call them. */
import { isDateTime, isDnsLabel, isDnsSubdomain, parseTime } from '../base/syntax.ts';

export const formats = {
  'date-time': isDateTime,
  /** A day, which lasts until its end in UTC, or a time. */
  'day-or-time': (text: string) => endOf(text) !== undefined,
  'dns-label': isDnsLabel,
  'dns-subdomain': isDnsSubdomain,
  'any-dns-label': (text: string) => text === '*' || isDnsLabel(text),
  'any-dns-subdomain': (text: string) => text === '*' || isDnsSubdomain(text),
  /** A name, or `*.` and a suffix for all names under it. */
  'reserved-name': (text: string) => isDnsSubdomain(text.startsWith('*.') ? text.slice(2) : text),
  'service-account': isServiceAccount,
  'cluster-glob': isClusterGlob,
} as const satisfies Readonly<Record<string, (text: string) => boolean>>;

export type Format = keyof typeof formats;

const LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const TIME = 'T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})';

/**
 * The formats as patterns, for editors and for Helm, which don't know them. A pattern accepts a little more where it
 * can't count characters or the days of a month. A format without a pattern accepts any text there.
 */
export const formatPatterns: { readonly [format in Format]?: string } = {
  'date-time': `^${DAY}${TIME}$`,
  'day-or-time': `^${DAY}(${TIME})?$`,
  'dns-label': `^${LABEL}$`,
  'dns-subdomain': `^${SUBDOMAIN}$`,
  'any-dns-label': `^(\\*|${LABEL})$`,
  'any-dns-subdomain': `^(\\*|${SUBDOMAIN})$`,
  'reserved-name': `^(\\*\\.)?${SUBDOMAIN}$`,
  'service-account': `^${LABEL}/${SUBDOMAIN}$`,
};

/** Returns the end of a day (UTC), or a time, in milliseconds since the epoch; undefined for neither. */
export function endOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return parseTime(text);
  const start = parseTime(`${text}T00:00:00Z`);
  return start === undefined ? undefined : start + 24 * 60 * 60 * 1000;
}

/** Whether a text is `NAMESPACE/NAME`. */
export function isServiceAccount(text: string): boolean {
  const slash = text.indexOf('/');
  return slash > 0 && isDnsLabel(text.slice(0, slash)) && isDnsSubdomain(text.slice(slash + 1));
}

/** Whether a text can select clusters: with wildcards, or as the path of one cluster's folder. */
export function isClusterGlob(text: string): boolean {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  const first = names.findIndex((name) => /[*?]/.test(name));
  const wild = first < 0 ? names.slice(-1) : names.slice(first);
  return wild.length > 0 && !wild.includes('..') && wild.filter((name) => name === '**').length <= 1;
}

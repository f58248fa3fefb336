/** What the flags of `muster certs --secret` say, read once and checked. */
import { UsageError } from '../shared.ts';

export interface Reference {
  readonly namespace: string;
  readonly name: string;
}

/** NS/NAME. @throws UsageError naming the flag */
export function referenceOf(flag: string, text: string): Reference {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (more.length === 0 && LABEL.test(namespace) && SUBDOMAIN.test(name)) return { namespace, name };
  throw new UsageError(`${flag} takes NAMESPACE/NAME, such as muster-system/muster, got "${text}"`);
}

/** The name of an object without a namespace. @throws UsageError naming the flag */
export function nameOf(flag: string, text: string): string {
  if (SUBDOMAIN.test(text)) return text;
  throw new UsageError(`${flag} takes the name of webhook configurations, such as muster, got "${text}"`);
}

/** Milliseconds of a time such as 90s, 30m, 1h or 1h30m. @throws UsageError naming the flag and the bounds */
export function overlapOf(flag: string, text: string): number {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^(?=\d)(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s)?$/.exec(text) ?? [];
  const milliseconds = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  // A rotation begins 30 days before a leaf ends; three weeks of overlaps leave time for runs that come late.
  if (milliseconds >= 1000 && milliseconds <= WEEK) return milliseconds;
  throw new UsageError(`${flag} takes a time from 1s to 168h, such as 90s, 30m or 1h, got "${text}"`);
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const WEEK = 7 * 24 * 3_600_000;

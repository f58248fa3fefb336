/** `caBundle`: what the API server trusts when it calls muster. */
import type { X509Certificate } from 'node:crypto';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { moment } from '../../tls/load.ts';
import { datesRefused, isDueForRenewal, isSame, readBase64Pem } from './certificates.ts';
import { certs, type Examination } from './examination.ts';
import { about, type Check, type Detail } from './report.ts';

export interface BundleFindings {
  readonly check: Check | undefined;
  /** What every webhook trusts; undefined where they do not agree, or trust the machine's own roots. */
  readonly roots: readonly X509Certificate[] | undefined;
}

/** @param webhooks those of both configurations; none: nothing to say */
export function checkBundle(examination: Examination, webhooks: readonly JsonObject[]): BundleFindings {
  if (webhooks.length === 0) return { check: undefined, roots: undefined };
  const verdicts = about('certificate/bundle', 'caBundle of the webhooks');
  const remedy = certs(examination);
  const texts = webhooks.map((webhook) => ({ name: textAt(webhook, ['name']) ?? '', text: bundleOf(webhook) }));
  const broken = texts.flatMap(({ name, text }) => problemOf(name, text, examination));
  if (broken.length > 0) return { check: verdicts.fail(broken[0]?.message ?? '', remedy, broken), roots: undefined };
  const [first, ...others] = texts;
  const differing = others.filter(({ text }) => !sameBundle(text, first?.text ?? ''));
  if (differing.length > 0) {
    const message = `is not the same everywhere: ${differing.map(({ name }) => name).join(', ')} and ${first?.name} differ`;
    return { check: verdicts.fail(message, remedy), roots: undefined };
  }
  const { certificates } = readBase64Pem(first?.text ?? '');
  if (certificates.length === 0)
    return { check: verdicts.ok("empty: the API server's own roots are trusted"), roots: undefined };
  return { check: checkDates(examination, certificates), roots: certificates };
}

function bundleOf(webhook: JsonObject): string {
  return textAt(webhook, ['clientConfig', 'caBundle']) ?? '';
}

function problemOf(name: string, text: string, { target }: Examination): readonly Detail[] {
  // A server behind a URL may have a certificate of a public CA.
  if (text === '' && target !== undefined && 'url' in target) return [];
  const { problem } = readBase64Pem(text);
  if (problem === undefined) return [];
  return [{ path: `webhooks[${name}].clientConfig.caBundle`, message: `of ${name} ${problem}` }];
}

function sameBundle(one: string, other: string): boolean {
  if (one === other) return true;
  const [left, right] = [readBase64Pem(one).certificates, readBase64Pem(other).certificates];
  return left.length === right.length && left.every((each) => right.some((candidate) => isSame(each, candidate)));
}

function checkDates(examination: Examination, certificates: readonly X509Certificate[]): Check {
  const verdicts = about('certificate/bundle', 'caBundle of the webhooks');
  const now = examination.clock();
  const good = certificates.filter((each) => datesRefused(each, now) === undefined);
  const reasons = certificates.flatMap((each) => datesRefused(each, now) ?? []);
  if (good.length === 0)
    return verdicts.fail(`holds no CA that is valid now: ${reasons.join('; ')}`, certs(examination));
  const latest = new Date(Math.max(...good.map(({ validToDate }) => validToDate.getTime())));
  const held = certificates.length === 1 ? 'one CA' : `${certificates.length} CAs`;
  const message = `${held}, until ${moment(latest)}`;
  const due = good.every((each) => isDueForRenewal(each, now));
  if (due) return verdicts.warn(`${message}: rotation is due`, certs(examination));
  return verdicts.ok(message);
}

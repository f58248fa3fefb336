/** The bad states of each kind of file that a server watches. */
import { callerCa, period } from '../../tls/callers.ts';
import { issuePair } from './pair.ts';
import { configuration } from './reserved.ts';
import { type Files, HARM, put } from './spoil.ts';
import type { Watched } from './watched.ts';

export type BadState = readonly [what: string, harm: () => void];

const DAY = 86_400_000;

/** @param good a pair that would do, to be spoilt */
export async function badCertificates(folder: string, good: Files): Promise<BadState[]> {
  const { 'tls.crt': cert = '', 'tls.key': key = '' } = good;
  const expired = await issuePair(new Date(Date.now() - 200 * DAY));
  const early = await issuePair(new Date(Date.now() + 2 * DAY));
  const other = await issuePair();
  return [
    ...harms(folder, good),
    ['expired', () => put(folder, expired.files)],
    ['not yet valid', () => put(folder, early.files)],
    ['mismatched', () => put(folder, { ...good, 'tls.key': other.files['tls.key'] ?? '' })],
    ['swapped', () => put(folder, { 'tls.crt': key, 'tls.key': cert })],
  ];
}

export function badClientCas({ folder, callers, me }: Watched): BadState[] {
  return [
    ...harms(folder, { 'callers.crt': callers.pem }),
    ['expired', () => put(folder, { 'callers.crt': callerCa(period(-60, -30)).pem })],
    ['no CA', () => put(folder, { 'callers.crt': me.cert })],
  ];
}

export function badConfigurations({ folder }: Watched): BadState[] {
  const good = configuration('warn');
  return [
    ...harms(folder, { 'muster.yaml': good }),
    ['of an unknown key', () => put(folder, { 'muster.yaml': good.replace('rules', 'rulez') })],
  ];
}

function harms(folder: string, good: Files): BadState[] {
  return Object.entries(HARM).map(([what, harm]) => [what, () => harm(folder, good)]);
}

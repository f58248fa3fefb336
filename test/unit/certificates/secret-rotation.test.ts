import { describe, expect, test } from '@jest/globals';
import { type IssuedCertificates, issueCertificates } from '../../../src/certificates/issue.ts';
import { bundleOf, KEYS, readKeyring, type SecretText } from '../../../src/certificates/keyring.ts';
import { nextStep, type RotationInput, type RotationStep, staged } from '../../../src/certificates/secret-rotation.ts';
import { DAY } from './fixtures.ts';

const NAMES = ['muster.fleet.svc', 'muster.fleet.svc.cluster.local', 'muster.fleet'];
/** Noon, the first of June 2026. */
const NOON = Date.UTC(2026, 5, 1, 12);
const HOUR = 3_600_000;

const at = (days: number, milliseconds = 0): Date => new Date(NOON + days * DAY + milliseconds);

const issued = (days = 0, names: readonly string[] = NAMES): Promise<IssuedCertificates> =>
  issueCertificates({ names, now: at(days) });

function secretOf(data: Record<string, string>, since?: Date): SecretText {
  return { data, since: since?.toISOString() };
}

/** `tls.*` is this one, and its CA is in `ca.crt`, beside others. */
function served({ ca, cert, key }: IssuedCertificates, ...others: readonly IssuedCertificates[]) {
  const cas = others.map((other) => other.ca).join('');
  return { [KEYS.cert]: cert, [KEYS.key]: key, [KEYS.ca]: cas + ca };
}

/** A rotation from one to the next, staged. */
function stagedOf(from: IssuedCertificates, to: IssuedCertificates) {
  return {
    ...served(to, from),
    ...served(from),
    [KEYS.ca]: from.ca + to.ca,
    [KEYS.nextCert]: to.cert,
    [KEYS.nextKey]: to.key,
  };
}

/** Registered, with every caBundle as `ca.crt` has it; an hour's overlap. */
function situation(secret: SecretText, more: Partial<RotationInput> = {}): RotationInput {
  const bundle = secret.data[KEYS.ca] ?? '';
  const bundles = [bundle, bundle];
  return { secret, bundles, names: NAMES, now: at(0), registered: true, overlapMs: HOUR, rotate: false, ...more };
}

const [one, two] = await Promise.all([issued(), issued()]);
const late = await issued(60);
const foreign = await issueCertificates({ names: NAMES, caName: 'Somebody Else', now: at(0) });

describe('a first certificate', () => {
  test.each<[string, SecretText]>([
    ['no Secret, or an empty one', secretOf({})],
    ['an empty one for TLS', secretOf({ [KEYS.cert]: '', [KEYS.key]: '' })],
  ])('%s: is issued', (_, secret) => {
    expect(nextStep(situation(secret, { bundles: ['', 'junk'] }))).toMatchObject({
      do: 'issue',
      why: 'it holds no certificate yet',
    });
  });

  test('is staged, written into every webhook, put to use at once, and then stays until two thirds of its life', () => {
    const empty = situation(secretOf({ other: 'kept' }), { bundles: ['', ''] });
    const secret = staged(empty.secret, readKeyring(empty), one);
    expect(secret.data).toEqual({ other: 'kept', 'ca.crt': one.ca, 'next.tls.crt': one.cert, 'next.tls.key': one.key });
    expect(nextStep(situation(secret, { bundles: ['', one.ca] }))).toEqual({ do: 'bundle', ca: one.ca });
    const promoted = written(nextStep(situation(secret)), 'promote');
    expect(promoted).toEqual({ data: { other: 'kept', ...served(one) }, since: undefined });
    const end = nextStep(situation(promoted));
    expect(end).toMatchObject({ do: 'rest', phase: 'serving' });
    // Dated back an hour, for 90 days: 60 days and 20 minutes after.
    expect(end.do === 'rest' && end.next).toEqual(at(60, -HOUR + (2 / 3) * HOUR));
  });

  test('keeps the CAs of ours that API servers trust: servers may still show a leaf of a Secret that was deleted', () => {
    const bundles = [one.ca + foreign.ca, ''];
    const step = nextStep(situation(secretOf({}), { bundles }));
    expect(step.do === 'issue' && bundleOf(step.keyring.cas)).toBe(one.ca);
  });

  test('without webhooks to write its CA into, is put to use all the same', () => {
    const nobody = { bundles: [], registered: false };
    const secret = { ...stagedOf(one, two), [KEYS.cert]: '', [KEYS.key]: '' };
    written(nextStep(situation(secretOf(secret), nobody)), 'promote');
  });
});

describe('a rotation', () => {
  const due = 60;

  test.each<[string, Partial<RotationInput>, string]>([
    [
      'two thirds of its life are over',
      { now: at(due, HOUR) },
      'two thirds of its life were over at 2026-07-31T11:40:00Z',
    ],
    ['it is asked for', { rotate: true }, 'as asked'],
    ['a name is missing', { names: [...NAMES, 'muster'] }, 'it is not for muster'],
  ])('begins when %s', (_, more, why) => {
    expect(nextStep(situation(secretOf(served(one)), more))).toMatchObject({ do: 'issue', why });
  });

  test('does not begin a second early, nor without webhooks to write the CA into', () => {
    const secret = secretOf(served(one));
    const early = at(due, -HOUR + (2 / 3) * HOUR - 1);
    expect(nextStep(situation(secret, { now: early }))).toMatchObject({ do: 'rest', phase: 'serving' });
    const alone = { now: at(due, HOUR), bundles: [], registered: false, rotate: true };
    expect(nextStep(situation(secret, alone))).toMatchObject({ do: 'rest', phase: 'serving' });
    expect(nextStep(situation(secretOf(stagedOf(one, two), at(-1)), alone))).toMatchObject({
      do: 'rest',
      phase: 'staged',
    });
    expect(nextStep(situation(secretOf(served(two, one), at(-1)), alone))).toMatchObject({
      do: 'rest',
      phase: 'promoted',
    });
  });

  test('goes through all its steps, each an overlap after the last was found done', () => {
    let secret = staged(secretOf(served(one)), readKeyring(situation(secretOf(served(one)))), two);
    expect(secret.data).toEqual(stagedOf(one, two));
    expect(nextStep(situation(secret, { bundles: [one.ca, one.ca] }))).toEqual({ do: 'bundle', ca: one.ca + two.ca });
    secret = written(nextStep(situation(secret, { now: at(0) })), 'mark');
    expect(secret).toEqual(secretOf(stagedOf(one, two), at(0, 1000)));
    const rests = { do: 'rest', phase: 'staged', next: at(0, HOUR + 1000) };
    expect(nextStep(situation(secret, { now: at(0, HOUR + 999) }))).toMatchObject(rests);
    secret = written(nextStep(situation(secret, { now: at(0, HOUR + 1000) })), 'promote');
    expect(secret).toEqual(secretOf(served(two, one)));
    secret = written(nextStep(situation(secret, { now: at(1) })), 'mark');
    const waits = { do: 'rest', phase: 'promoted', next: at(1, HOUR + 1000) };
    expect(nextStep(situation(secret, { now: at(1, HOUR + 999) }))).toMatchObject(waits);
    secret = written(nextStep(situation(secret, { now: at(1, HOUR + 1000) })), 'drop');
    expect(secret).toEqual(secretOf(served(two)));
    expect(nextStep(situation(secret, { bundles: [one.ca + two.ca] }))).toEqual({ do: 'bundle', ca: two.ca });
    expect(nextStep(situation(secret, { now: at(1, HOUR + 1000) }))).toMatchObject({ do: 'rest', phase: 'serving' });
  });

  test('counts the overlap anew when a caBundle had to be restored; the mark goes first', () => {
    const secret = secretOf(stagedOf(one, two), at(-1));
    const drifted = { bundles: [one.ca + two.ca, one.ca] };
    const unmarked = written(nextStep(situation(secret, drifted)), 'unmark');
    expect(unmarked).toEqual(secretOf(stagedOf(one, two)));
    expect(nextStep(situation(unmarked, drifted))).toEqual({ do: 'bundle', ca: one.ca + two.ca });
    written(nextStep(situation(unmarked)), 'mark');
  });

  test('does not wait for a leaf that ends before the overlap does', () => {
    const now = at(90, -HOUR / 2);
    written(nextStep(situation(secretOf(stagedOf(one, late)), { now })), 'promote');
    written(nextStep(situation(secretOf(stagedOf(one, late)), { now: at(90, -2 * HOUR) })), 'mark');
    const marked = secretOf(stagedOf(one, late), at(90, -2 * HOUR));
    expect(nextStep(situation(marked, { now: at(90, -1.5 * HOUR) }))).toMatchObject({ do: 'rest', phase: 'staged' });
  });
});

describe('bad content', () => {
  const good = served(one);
  test.each<[string, Record<string, string>, Partial<RotationInput>, string]>([
    ['text', { ...good, [KEYS.cert]: 'rubbish' }, {}, 'tls.crt is not a PEM certificate'],
    ['a broken block', { ...good, [KEYS.cert]: one.cert.replace('M', 'x') }, {}, 'tls.crt is not a PEM certificate'],
    ['no key', { ...good, [KEYS.key]: '' }, {}, 'tls.key is not the key of tls.crt'],
    ['another key', { ...good, [KEYS.key]: two.key }, {}, 'tls.key is not the key of tls.crt'],
    ['no CA', { ...good, [KEYS.ca]: '' }, {}, 'ca.crt lacks its CA'],
    ['another CA', { ...good, [KEYS.ca]: two.ca }, {}, 'ca.crt lacks its CA'],
    ['its leaf for a CA', { ...good, [KEYS.ca]: one.cert }, {}, 'ca.crt lacks its CA'],
    ['expired', good, { now: at(90, 1000) }, 'it expired at 2026-08-30T12:00:00Z'],
    [
      'not valid yet',
      good,
      { now: at(-1) },
      'it is not valid before 2026-06-01T11:00:00Z and the clock says 2026-05-31T12:00:00Z; one of the two comes from a clock that was wrong',
    ],
    ['an expired one of somebody else', served(foreign), { now: at(100) }, 'it expired at 2026-08-30T12:00:00Z'],
  ])('a certificate that is bad is named, and replaced: %s', (_, data, more, why) => {
    expect(nextStep(situation(secretOf(data), more))).toMatchObject({ do: 'issue', why });
  });

  test('is replaced without waiting; CAs of ours stay trusted for an overlap, as servers may show their leaves', () => {
    const broken = { ...served(one), [KEYS.cert]: 'rubbish' };
    const now = situation(secretOf(broken));
    const secret = staged(now.secret, readKeyring(now), two);
    expect(secret.data[KEYS.ca]).toBe(one.ca + two.ca);
    expect(nextStep(situation(secret, { bundles: [one.ca] }))).toMatchObject({ do: 'bundle' });
    const promoted = written(nextStep(situation(secret)), 'promote');
    expect(promoted).toEqual(secretOf(served(two, one)));
    written(nextStep(situation(promoted)), 'mark');
  });

  test('an expired CA does not stay', () => {
    const step = nextStep(situation(secretOf(served(one)), { now: at(92) }));
    expect(step.do === 'issue' && step.keyring.cas).toEqual([]);
  });

  test('of more CAs than five, the newest stay', async () => {
    const all = [];
    for (let day = 0; day < 7; day++) all.push(await issued(day));
    const [newest] = all.slice(-1) as [(typeof all)[0]];
    const { cas } = readKeyring(situation(secretOf(served(newest, ...all.slice(0, -1))), { now: at(7) }));
    expect(bundleOf(cas)).toBe(
      all
        .slice(-5)
        .map(({ ca }) => ca)
        .join(''),
    );
  });

  test('a CA that only API servers still have is put back', () => {
    const lacking = secretOf({ ...served(one), [KEYS.ca]: 'rubbish' });
    const secret = written(nextStep(situation(lacking, { bundles: [one.ca] })), 'tidy');
    expect(secret).toEqual(secretOf(served(one)));
  });
});

/** The Secret that this step writes. */
function written(step: RotationStep, what: string): SecretText {
  if (step.do !== 'write') throw new Error(`no write, but ${JSON.stringify(step, ['do', 'why', 'phase', 'next'])}`);
  expect(step.what).toBe(what);
  return step.secret;
}

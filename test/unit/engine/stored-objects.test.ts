/** Objects as they are stored, without a write. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/base/json.ts';
import { defaultPolicy, type Policy } from '../../../src/engine/index.ts';
import { referenceOfObject } from '../../../src/engine/review.ts';
import { createStoredEngine } from '../../../src/engine/stored-objects.ts';
import { dialectOfObject } from '../../../src/input/objects.ts';
import { feature, id, inventory, membership } from '../../support/bases.ts';
import { type Tweak, tweaked, viewOf } from '../../support/rule-tester.ts';

interface StoredOptions {
  readonly tweak?: Tweak;
  readonly policy?: Partial<Policy>;
  readonly state?: readonly JsonObject[];
  readonly now?: number;
}

/** The findings of each verdict as `ACTION RULE: MESSAGE`. */
async function found(base: JsonObject, { tweak = {}, policy, state = [], now }: StoredOptions = {}) {
  const object = tweaked(base, tweak);
  const dialect = dialectOfObject(object);
  if (dialect === undefined) throw new Error('not of a kind that muster evaluates');
  const engine = createStoredEngine(
    policy && { ...defaultPolicy, ...policy },
    now === undefined ? undefined : () => now,
  );
  const version = String(object['apiVersion']).split('/').at(-1) ?? '';
  const verdicts = await engine(referenceOfObject(dialect, object), { version, object }, viewOf(state));
  return verdicts.map(({ findings }) =>
    findings.map(({ action, ruleId, message }) => `${action} ${ruleId}: ${message}`),
  );
}

const rulesOf = async (...input: Parameters<typeof found>) =>
  (await found(...input)).map((findings) => findings.map((line) => line.split(':')[0]));

describe('verdicts', () => {
  test('one of the object, one of its status where it has one', async () => {
    expect(await found(tweaked(inventory, { '/status': undefined }))).toEqual([[]]);
    expect(await found(inventory, { tweak: { '/status': {} } })).toEqual([[], []]);
    expect(await found(feature)).toEqual([[], []]);
  });

  test('a claim has no status: what stands there is none', async () => {
    expect(await found(id, { tweak: { '/status': {} } })).toEqual([[]]);
  });

  test('the object as if it were created', async () => {
    expect(await rulesOf(id, { tweak: { '/spec/value': 'A_B' } })).toEqual([['deny claim/id-syntax']]);
  });

  test('the status as if it were written on an object without one', async () => {
    const [main, status] = await rulesOf(feature, { tweak: { '/status/state': 'Sideways' } });
    expect([main, status?.length]).toEqual([[], 1]);
    expect(status?.[0]).toMatch(/^deny feature\//);
  });
});

describe('how rules read for stored objects', () => {
  test('what is about a change is skipped, as is what compares objects', async () => {
    const dying = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['a/b'] };
    expect(await found(membership, { state: [id], tweak: dying })).toEqual([[]]);
    expect(await found(id, { state: [tweaked(id, { '/spec/value': 'other' }), membership] })).toEqual([[]]);
  });
});

describe('the policy', () => {
  const bad = { '/spec/value': 'A_B' };
  test('an action for scans, and the mode', async () => {
    const actions = new Map([['claim/id-syntax', { scan: 'audit' }]]) as Policy['actions'];
    expect(await rulesOf(id, { tweak: bad, policy: { actions } })).toEqual([['audit claim/id-syntax']]);
    const elsewhere = new Map([['claim/id-syntax', { check: 'audit' }]]) as Policy['actions'];
    expect(await rulesOf(id, { tweak: bad, policy: { actions: elsewhere } })).toEqual([['deny claim/id-syntax']]);
    expect(await rulesOf(id, { tweak: bad, policy: { mode: 'warn' } })).toEqual([['warn claim/id-syntax']]);
  });

  test('an action without the cap of a write', async () => {
    const tweak = { '/status': { version: { kubernetes: 'new' } } };
    const actions = new Map([['inventory/version', { scan: 'deny' }]]) as Policy['actions'];
    expect(await rulesOf(inventory, { tweak, policy: { actions } })).toEqual([[], ['deny inventory/version']]);
  });

  test('an exception, by the clock that is given', async () => {
    const kind = { apiGroup: 'multicluster.x-k8s.io', kind: 'ClusterClaim', name: 'id.k8s.io', reason: '' };
    const exceptions = [{ ...kind, rules: new Set(['claim/id-syntax']), expires: 5 }];
    expect(await rulesOf(id, { tweak: bad, policy: { exceptions }, now: 4 })).toEqual([['audit claim/id-syntax']]);
    expect(await rulesOf(id, { tweak: bad, policy: { exceptions }, now: 5 })).toEqual([['deny claim/id-syntax']]);
  });
});

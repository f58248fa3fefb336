import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import {
  clusterClaim,
  clusterProfile,
  clusterProperty,
  feature as featureDialect,
  inventoryCluster,
} from '../../../src/api/dialects.ts';
import { at, type Json, type Path } from '../../../src/base/json.ts';
import { stateFromView } from '../../../src/engine/evaluate.ts';
import { createEngine, defaultPolicy, freeze, type Policy, type Verdict } from '../../../src/engine/index.ts';
import { rules } from '../../../src/rules/index.ts';
import type { Action, Rule, RuleResult } from '../../../src/rules/rule.ts';
import { custom, feature, id, profile } from '../../support/bases.ts';
import { type RuleCase, subjectOf, viewOf } from '../../support/rule-tester.ts';
import { always, META, ruleOf } from './stubs.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
type Row = Omit<RuleCase, 'name'>;

/** The verdict of these rules on a claim, or on another base, with these differences. */
async function evaluate(
  catalogue: readonly Rule[],
  row: Row = {},
  policy: Partial<Policy> = {},
  base = custom,
): Promise<Verdict> {
  const all = { ...defaultPolicy, ...policy };
  const engine = createEngine({ policy: all, point: 'webhook', clock: () => NOW, catalogue });
  return engine.evaluate(subjectOf(base, { name: '', ...row }), viewOf(row.state ?? []));
}

const ids = (verdict: Verdict) => verdict.findings.map(({ ruleId, action }) => `${action} ${ruleId}`);
const fields = async (rule: Rule, row: Row) => (await evaluate([rule], row)).findings.map(({ field }) => field);
const quiet: Verdict = { outcome: 'allowed', findings: [], indeterminate: [], crashes: [], silentUnknowns: [] };

describe('outcome', () => {
  const unsure = ruleOf('claim/unsure', () => [{ path: ['spec'], unknown: 'no answer' }]);
  const broken = ruleOf('claim/broken', () => {
    throw new Error('ours');
  });
  const warns = always('claim/warns', {}, { level: 'SHOULD' });

  test('is allowed where nothing is found, also by a rule without a check', async () => {
    expect(await evaluate([ruleOf('claim/quiet', () => [])])).toEqual(quiet);
    expect(await evaluate([{ id: 'claim/x', concept: 'claim', on: ['CREATE'], meta: META }])).toEqual(quiet);
  });
  test('is denied with all that a message needs', async () => {
    const finding = { level: 'MUST', action: 'deny', path: ['spec', 'value'], field: 'spec.value', code: 422 };
    expect(await evaluate([always('claim/loud')])).toEqual({
      ...quiet,
      outcome: 'denied',
      findings: [{ ...finding, ruleId: 'claim/loud', message: 'is bad, got "x"' }],
    });
  });
  test('is allowed with a warning', async () => {
    const verdict = await evaluate([warns]);
    expect([verdict.outcome, ids(verdict), verdict.silentUnknowns]).toEqual(['allowed', ['warn claim/warns'], []]);
  });
  test('is indeterminate where a rule that denies cannot decide', async () => {
    const message = 'cannot be decided now: no answer';
    expect(await evaluate([unsure])).toEqual({
      ...quiet,
      outcome: 'indeterminate',
      indeterminate: [{ ruleId: 'claim/unsure', level: 'MUST', field: 'spec', message }],
    });
  });
  test('is allowed where a weaker rule cannot decide, which is counted once', async () => {
    const twice = ['a', 'b'].map((step) => ({ path: [step], unknown: 'x' }));
    const rule = ruleOf('claim/twice', () => twice, { meta: { ...META, level: 'SHOULD' } });
    expect(await evaluate([rule])).toEqual({ ...quiet, silentUnknowns: ['claim/twice'] });
  });
  test('is crashed with a reference where a rule throws', async () => {
    const verdict = await evaluate([broken]);
    const reference = expect.stringMatching(/^[a-z0-9]{8}$/);
    const crash = { ruleId: 'claim/broken', reference, error: new Error('ours'), denies: true };
    expect(verdict).toEqual({ ...quiet, outcome: 'crashed', crashes: [crash] });
  });
  test.each<[string, () => unknown]>([
    ['rejects', () => Promise.reject(new Error('later'))],
    ['answers with no list', () => 42],
    ['answers with what is no result', () => [undefined, 7]],
    ['answers with one thing that is no result', () => [7]],
  ])('is crashed where a rule %s', async (_, check) => {
    expect((await evaluate([ruleOf('claim/x', check as () => [])])).outcome).toBe('crashed');
  });
  test('is allowed where a weaker rule throws', async () => {
    const verdict = await evaluate([{ ...broken, meta: { ...META, level: 'SHOULD' } }]);
    expect([verdict.outcome, verdict.crashes[0]?.denies]).toEqual(['allowed', false]);
  });
  test('is crashed where a weaker rule throws, one of whose messages denies', async () => {
    const meta = { ...META, level: 'SHOULD', messageLevels: { worse: 'MUST' } } as const;
    expect((await evaluate([{ ...broken, meta }])).outcome).toBe('crashed');
    expect((await evaluate([{ ...broken, meta }], {}, { mode: 'warn' })).outcome).toBe('allowed');
  });
  test('a denial beats a crash, a crash beats not knowing', async () => {
    expect((await evaluate([unsure, broken, always('claim/loud')])).outcome).toBe('denied');
    expect((await evaluate([unsure, broken])).outcome).toBe('crashed');
    expect((await evaluate([unsure, warns])).outcome).toBe('indeterminate');
  });
  test('findings are in the order of the catalogue, also of rules that wait', async () => {
    const slow = ruleOf('claim/slow', async () => [{ path: ['spec'], messageId: 'worse' }]);
    const expected = ['deny claim/slow', 'deny claim/loud', 'warn claim/warns'];
    expect(ids(await evaluate([slow, always('claim/loud'), warns]))).toEqual(expected);
  });
  test('a rule reports at most 32 results', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ path: ['spec', index], messageId: 'worse' }));
    expect((await evaluate([ruleOf('claim/many', () => many)])).findings).toHaveLength(32);
  });
  test('is there at once where no rule reads another object', () => {
    const engine = createEngine({ point: 'webhook', catalogue: [ruleOf('claim/quiet', () => []), warns] });
    expect(engine.evaluate(subjectOf(custom, { name: '', old: {} }), viewOf([]))).toMatchObject({ outcome: 'allowed' });
  });
});

describe('one finding for each cause', () => {
  const messages = { bad: 'bad', type: 'type', enum: 'enum' };
  const reported = async (...results: readonly (readonly [string, string])[]) => {
    const all = results.map(([step, messageId]) => ({ path: [step], messageId }));
    const { findings } = await evaluate([ruleOf('claim/x', () => all, { meta: { ...META, messages } })]);
    return findings.map(({ field, message }) => `${field}: ${message}`);
  };
  test('the first of a rule’s results at a path is reported', async () => {
    expect(await reported(['a', 'bad'], ['b', 'bad'], ['a', 'type'])).toEqual(['a: bad', 'b: bad']);
  });
  test('the one with the allowed values says more', async () => {
    expect(await reported(['a', 'type'], ['a', 'enum'], ['a', 'type'])).toEqual(['a: enum']);
  });
});

test.each([
  ['bad', 'is bad, got "v"'],
  ['bad:special', 'is bad, got "v"'],
  ['unlisted:of', 'is not valid, got "v"'],
])('a message %s falls back to the general one', async (messageId, message) => {
  const rule = ruleOf('claim/x', () => [{ path: ['spec'], messageId, data: { value: 'v' } }]);
  expect((await evaluate([rule])).findings[0]?.message).toBe(message);
});

describe('status.code of a finding', () => {
  test.each<[string, Row, number]>([
    ['on UPDATE is 403, since tools delete on 422 what exists', { old: {} }, 403],
    ['on UPDATE of the status is the rule’s own', { old: {}, subresource: 'status' }, 422],
    ['on DELETE is the rule’s own', { operation: 'DELETE' }, 422],
  ])('%s', async (_, row, expected) => {
    for (const [code, wanted] of [
      [422, expected],
      [403, 403],
    ] as const) {
      const rule = always('claim/x', { subresources: ['', 'status'] }, { code });
      const changed = row.operation === 'DELETE' ? row : { ...row, set: { '/spec/value': 'other' } };
      expect((await evaluate([rule], changed)).findings.map((finding) => finding.code)).toEqual([wanted]);
    }
  });
});

describe('what a rule sees', () => {
  test('the request, the clock and the settings', async () => {
    const seen: unknown[] = [];
    const spy = ruleOf('claim/spy', (context) => {
      seen.push(context);
      return [];
    });
    await evaluate([spy], { user: 'eve', groups: ['g'], dryRun: true });
    const identity = { username: 'eve', groups: ['g'] };
    const { settings } = defaultPolicy;
    expect(seen[0]).toMatchObject({
      operation: 'CREATE',
      point: 'webhook',
      dryRun: true,
      now: NOW,
      identity,
      settings,
    });
  });
  test('the answer of a view that is a promise of another realm', async () => {
    const answer = { known: true, value: undefined } as const;
    const foreign: Promise<typeof answer> = runInNewContext('Promise.resolve(answer)', { answer });
    const answers: unknown[] = [];
    const asking = ruleOf('claim/asking', async ({ view, dialect }) => {
      answers.push(await view.get({ dialect, name: 'one' }));
      return [];
    });
    const engine = createEngine({ point: 'webhook', catalogue: [asking] });
    await engine.evaluate(subjectOf(custom, { name: '' }), { ...viewOf([]), get: () => foreign });
    expect(answers).toEqual([answer]);
  });
});

describe('an UPDATE is evaluated on what it changes', () => {
  /** Reports these paths wherever they hold "bad". */
  const paths: Path[] = [
    ['spec', 'value'],
    ['spec', 'a', 0],
    ['spec', 'a', 1],
    ['spec', 'a', 'x'],
  ];
  const rule = ruleOf('claim/dislikes', ({ object }) =>
    paths.filter((path) => at(object, path) === 'bad').map((path) => ({ path, messageId: 'bad' })),
  );
  test.each<[string, Row, string[]]>([
    ['an old problem moves within its list', { old: { '/spec/a': ['bad', 1] }, set: { '/spec/a': [1, 'bad'] } }, []],
    ['and in a map instead of a list', { old: { '/spec/a': ['bad'] }, set: { '/spec/a': { x: 'bad' } } }, ['spec.a.x']],
    ['nor on DELETE', { operation: 'DELETE', old: { '/spec/value': 'bad' } }, ['spec.value']],
  ])('%s', async (_, row, expected) => {
    expect(await fields(rule, row)).toEqual(expected);
    expect(await fields({ ...rule, check: async (context) => rule.check?.(context) ?? [] }, row)).toEqual(expected);
  });
  test('but a rule that compares with the stored object itself reports all it finds', async () => {
    const row = { old: { '/spec/value': 'bad' }, set: { '/metadata/labels': { a: 'b' } } };
    expect(await fields({ ...rule, ratchets: false }, row)).toEqual(['spec.value']);
  });
  test('what is unknown stays so, and what was unknown drops nothing', async () => {
    const unknown: RuleResult = { path: ['spec'], unknown: 'why' };
    const problem: RuleResult = { path: ['spec', 'value'], messageId: 'bad' };
    const both = await evaluate([ruleOf('claim/both', () => [unknown, problem])], { old: {}, set: {} });
    expect([both.findings.length, both.indeterminate.length]).toEqual([0, 1]);
    const unknownBefore = ruleOf('claim/was', ({ object, oldObject }) => [object === oldObject ? unknown : problem]);
    expect(await fields(unknownBefore, { old: {}, set: { '/spec/value': 'z' } })).toEqual(['spec.value']);
  });
  test('the stored object is evaluated only where the new one has problems', async () => {
    let evaluated = 0;
    const counts = ruleOf('claim/counts', () => {
      evaluated++;
      return [];
    });
    await evaluate([counts], { old: {}, set: {} });
    expect(evaluated).toBe(1);
  });

  describe('with more problems than are reported', () => {
    const crowd = Array.from({ length: 40 }, (_, n) => ({ name: `bad${n}` }));
    const added = { name: 'added' };
    const all = ruleOf('claim/crowd', ({ object }) =>
      (object['spec'] as { list: readonly Json[] }).list.map((_, index) => ({
        path: ['spec', 'list', index],
        messageId: 'bad',
      })),
    );
    test.each([
      ['in another order', [...crowd].reverse(), []],
      ['one more instead of some', [...crowd.slice(20), added], ['spec.list[20]']],
    ])('%s', async (_, list, expected) => {
      const row = { old: { '/spec/list': crowd }, set: { '/spec/list': list, '/spec/note': 'new' } };
      expect(await fields(all, row)).toEqual(expected);
    });
    test('all alike: as many as before are old', async () => {
      const alike = (length: number) => Array.from({ length }, () => ({ name: 'bad', a: null }));
      const row = { old: { '/spec/list': alike(4096) }, set: { '/spec/list': alike(4097) } };
      expect(await fields(all, row)).toHaveLength(1);
    });
  });
});

describe('what is skipped', () => {
  const strict = [always('claim/x')];
  const skipped = async (row: Row, policy: Partial<Policy> = {}) => (await evaluate(strict, row, policy)).skipped;
  const going = { '/metadata/deletionTimestamp': '2026-05-31T00:00:00Z', '/metadata/finalizers': ['a/b'] };

  test('a write without rules, with a whole verdict', async () => {
    expect(await evaluate([always('feature/x', { concept: 'feature' })])).toEqual({ ...quiet, skipped: 'skipped' });
  });
  test.each<[string, Row, 'terminating' | undefined]>([
    ['a finalizer comes off', { old: going, set: { '/metadata/finalizers': undefined } }, 'terminating'],
    ['the spec changes too', { old: going, set: { '/metadata/finalizers': undefined, '/spec/value': 'z' } }, undefined],
    ['the status changes too', { old: going, set: { '/status': { a: 1 } } }, undefined],
  ])('an object being deleted: %s', async (_, row, expected) => {
    expect(await skipped(row)).toBe(expected);
  });
  test('a second DELETE, whatever else differs', async () => {
    const subject = subjectOf(custom, { name: '', operation: 'DELETE', old: going });
    const engine = createEngine({ point: 'webhook', catalogue: strict });
    const other = { ...subject, object: freeze({ spec: { value: 'another' } }) };
    expect((await engine.evaluate(other, viewOf([]))).skipped).toBe('terminating');
  });

  const exemptions = (more: Partial<Policy['exemptions']>) => ({
    exemptions: { ...defaultPolicy.exemptions, ...more },
  });
  const account = 'system:serviceaccount:ns:sa';
  test.each<[string, Row, Partial<Policy['exemptions']>, 'exempt' | undefined]>([
    ['a user', { user: 'root' }, { users: new Set(['root']) }, 'exempt'],
    ['a group', { groups: ['a', 'admins'] }, { groups: new Set(['admins']) }, 'exempt'],
    ['a service account', { user: account }, { serviceAccounts: new Set([account]) }, 'exempt'],
    ['an unknown user', { user: null, groups: ['admins'] }, { groups: new Set(['admins']) }, undefined],
    ['a cluster-scoped object has no namespace', {}, { namespaces: new Set(['']) }, undefined],
  ])('exemptions: %s', async (_, row, more, expected) => {
    expect(await skipped(row, exemptions(more))).toBe(expected);
  });
  test('exemptions: a namespace', async () => {
    const rule = always('feature/x', { concept: 'feature' });
    const of = async (row: Row, namespace: string) =>
      (await evaluate([rule], row, exemptions({ namespaces: new Set([namespace]) }), feature)).skipped;
    expect(await of({ user: null }, 'kube-system')).toBe('exempt');
    expect(await of({}, 'other')).toBeUndefined();
  });
});

describe('collectors', () => {
  const gc = 'system:serviceaccount:kube-system:generic-garbage-collector';
  const nsc = 'system:serviceaccount:kube-system:namespace-controller';
  const rule = always('claim/x', { ratchets: false });
  test.each<[string, Row, 'allowed' | 'denied']>([
    ['the garbage collector deletes', { user: gc, operation: 'DELETE' }, 'allowed'],
    ['the namespace controller deletes', { user: nsc, operation: 'DELETE' }, 'allowed'],
    ['it changes the metadata only', { user: gc, old: {}, set: { '/metadata/labels': { a: 'b' } } }, 'allowed'],
    ['it changes the spec', { user: gc, old: {}, set: { '/spec/value': 'other' } }, 'denied'],
    ['it changes the status', { user: gc, old: {}, set: { '/status': { a: 1 } } }, 'denied'],
    ['it creates', { user: gc }, 'denied'],
    ['another account', { user: `${gc}-2`, operation: 'DELETE' }, 'denied'],
    ['an unknown user', { user: null, operation: 'DELETE' }, 'denied'],
  ])('%s', async (_, row, outcome) => {
    expect((await evaluate([rule], row)).outcome).toBe(outcome);
  });
  test('findings are recorded, and a rule that binds collectors denies', async () => {
    const row: Row = { user: gc, operation: 'DELETE' };
    expect(ids(await evaluate([rule], row))).toEqual(['audit claim/x']);
    expect(ids(await evaluate([{ ...rule, appliesToGarbageCollector: true }], row))).toEqual(['deny claim/x']);
  });
  test.each(['warn', 'audit'] as const)('in mode %s, such findings would not be denied', async (mode) => {
    const findings = async (one: Rule) => (await evaluate([one], { user: gc, operation: 'DELETE' }, { mode })).findings;
    expect(await findings(rule)).toMatchObject([{ action: 'audit' }]);
    expect((await findings(rule))[0]).not.toHaveProperty('wouldDeny');
    expect(await findings({ ...rule, appliesToGarbageCollector: true })).toMatchObject([{ wouldDeny: true }]);
  });
});

describe('an exception', () => {
  const exception = {
    rules: new Set(['claim/x', 'feature/x']),
    apiGroup: 'multicluster.x-k8s.io',
    kind: 'ClusterClaim',
    name: 'region.example.org',
    expires: NOW + 1,
    reason: 'a ticket',
  };
  test.each<[string, Partial<typeof exception> & { namespace?: string }, Action]>([
    ['ends when it expires', { expires: NOW }, 'deny'],
    ['leaves other rules', { rules: new Set(['claim/y']) }, 'deny'],
    ['leaves other groups', { apiGroup: 'about.k8s.io' }, 'deny'],
    ['leaves other kinds', { kind: 'ClusterProperty' }, 'deny'],
    ['leaves other names', { name: 'other' }, 'deny'],
    ['leaves other namespaces', { namespace: 'ns' }, 'deny'],
  ])('%s', async (_, change, action) => {
    const verdict = await evaluate([always('claim/x')], {}, { exceptions: [{ ...exception, ...change }] });
    expect(ids(verdict)).toEqual([`${action} claim/x`]);
  });
  test.each(['warn', 'audit'] as const)('in mode %s, what it covers would not be denied', async (mode) => {
    const findings = async (end: number) =>
      (await evaluate([always('claim/x')], {}, { mode, exceptions: [{ ...exception, expires: end }] })).findings;
    expect(await findings(NOW + 1)).toMatchObject([{ action: 'audit' }]);
    expect((await findings(NOW + 1))[0]).not.toHaveProperty('wouldDeny');
    expect(await findings(NOW)).toMatchObject([{ action: mode, wouldDeny: true }]);
  });
  test.each<[string, { namespace?: string }, Action]>([
    ['its namespace', { namespace: 'kube-system' }, 'audit'],
    ['any namespace', {}, 'audit'],
    ['no other', { namespace: 'other' }, 'deny'],
  ])('covers a namespaced object in %s', async (_, more, action) => {
    const of = { ...exception, apiGroup: 'features.x-k8s.io', kind: 'Feature', name: 'fastlane', ...more };
    const verdict = await evaluate([always('feature/x', { concept: 'feature' })], {}, { exceptions: [of] }, feature);
    expect(ids(verdict)).toEqual([`${action} feature/x`]);
  });
});

describe('what a caller asks before a write is evaluated', () => {
  const engine = createEngine({
    point: 'webhook',
    catalogue: [
      always('claim/x', { on: ['CREATE', 'UPDATE'] }, { level: 'SHOULD' }),
      always('claim/status', { on: ['UPDATE'], subresources: ['status'] }),
    ],
    policy: { ...defaultPolicy, exemptions: { ...defaultPolicy.exemptions, users: new Set(['root']) } },
  });
  test('whether a rule applies', () => {
    const applies = (
      operation: 'CREATE' | 'UPDATE' | 'DELETE',
      subresource: '' | 'status' = '',
      dialect = clusterClaim,
    ) => engine.applies({ dialect, operation, subresource });
    expect([applies('CREATE'), applies('UPDATE'), applies('UPDATE', 'status')]).toEqual([true, true, true]);
    expect([applies('DELETE'), applies('CREATE', 'status')]).toEqual([false, false]);
    expect(engine.applies({ dialect: inventoryCluster, operation: 'CREATE', subresource: '' })).toBe(false);
  });
  test('what a problem of a rule would lead to', () => {
    const action = (ruleId: string, row: Row = {}) => engine.actionOn(ruleId, subjectOf(custom, { name: '', ...row }));
    expect([action('claim/x'), action('claim/status'), action('claim/none')]).toEqual(['warn', 'ignore', 'ignore']);
    expect(action('claim/status', { old: {}, subresource: 'status' })).toBe('deny');
    expect(action('claim/x', { user: 'root' })).toBe('ignore');
    const going = { '/metadata/deletionTimestamp': '2026-05-31T00:00:00Z', '/metadata/finalizers': ['a/b'] };
    expect(action('claim/x', { old: going, set: { '/metadata/finalizers': undefined } })).toBe('ignore');
  });
  test('a view alone is a cluster state', async () => {
    const seen: unknown[] = [];
    const reads = ruleOf('claim/reads', async ({ view }) => {
      seen.push(await view.get({ dialect: clusterClaim, namespace: undefined, name: 'id.k8s.io' }));
      return [];
    });
    const state = stateFromView(viewOf([id]));
    const verdict = await state.evaluate(
      subjectOf(custom, { name: '' }),
      createEngine({ point: 'webhook', catalogue: [reads] }),
    );
    expect([verdict, seen]).toEqual([quiet, [{ known: true, value: id }]]);
  });
});

describe('the rule that makes writes need a lock', () => {
  const IMMUTABLE = 'claim/id-immutable-in-clusterset';
  const PRESENT = 'claim/id-present-in-clusterset';
  const JOIN = 'claim/clusterset-requires-id';
  type Actions = Readonly<Record<string, Action>>;
  const engineOf = (actions: Actions = {}, over: Partial<Policy> = {}) => {
    const configured = new Map(Object.entries(actions).map(([rule, webhook]) => [rule, { webhook }]));
    return createEngine({ policy: { ...defaultPolicy, actions: configured, ...over }, point: 'webhook' });
  };
  test.each<[string, Actions, Readonly<Record<string, string>>]>([
    ['applies to the operation', {}, { UPDATE: IMMUTABLE, DELETE: PRESENT }],
    ['is the only one left that denies', { [IMMUTABLE]: 'warn', [JOIN]: 'warn' }, { CREATE: PRESENT, UPDATE: PRESENT }],
  ])('%s', (_, actions, expected) => {
    for (const dialect of [clusterClaim, clusterProperty])
      for (const [operation, ruleId] of Object.entries(expected))
        expect(engineOf(actions).guardOf(dialect, operation as 'UPDATE')?.ruleId).toBe(ruleId);
  });
  test('has its level', () => {
    const strict = engineOf({ [IMMUTABLE]: 'ignore', [PRESENT]: 'audit', [JOIN]: 'deny' });
    expect(strict.guardOf(clusterClaim, 'DELETE')).toEqual({ ruleId: JOIN, level: 'MUST†' });
  });
  test('is not the one on the hub of a registrar, unless that is the only one', () => {
    const registrar = { kubeconfig: 'hub', namespace: 'ids', whenUnreachable: 'deny' } as const;
    const over = { settings: { ...defaultPolicy.settings, registrar } };
    for (const operation of ['CREATE', 'UPDATE'] as const)
      expect(engineOf({}, over).guardOf(clusterClaim, operation)?.ruleId).not.toBe('claim/id-reserved');
    const alone = { [IMMUTABLE]: 'warn', [PRESENT]: 'warn', [JOIN]: 'warn' } as const;
    expect(engineOf(alone, over).guardOf(clusterClaim, 'CREATE')?.ruleId).toBe('claim/id-reserved');
  });
  test('is none where nothing would be denied', () => {
    const none = { [IMMUTABLE]: 'warn', [PRESENT]: 'ignore', [JOIN]: 'warn' } as const;
    expect(engineOf(none).guardOf(clusterClaim, 'UPDATE')).toBeUndefined();
    for (const mode of ['warn', 'audit'] as const)
      expect(engineOf({}, { mode }).guardOf(clusterClaim, 'UPDATE')).toBeUndefined();
    for (const dialect of [inventoryCluster, clusterProfile, featureDialect])
      expect(engineOf().guardOf(dialect, 'UPDATE')).toBeUndefined();
  });
});

test('rules that list other objects, and no others, are left to scan in a live cluster', async () => {
  const all: readonly Rule[] = rules;
  const listing = all
    .filter((rule) => /(?:view\.list|checkUnique)\([^{]*\)/.test(String(rule.check)))
    .map((rule) => rule.id);
  expect(all.filter((rule) => rule.readsLists).map((rule) => rule.id)).toEqual(listing);
  const properties = ['clusterset.k8s.io', 'id.k8s.io'].map((name) => ({ name, value: 'x' }));
  const subject = subjectOf(profile, { name: '', subresource: 'status', old: {}, set: { '/status': { properties } } });
  const unknown = async (live: boolean) =>
    (await createEngine({ point: 'webhook', live: live }).evaluate(subject, viewOf('unknown'))).silentUnknowns;
  expect(await unknown(true)).toEqual([]);
  expect(await unknown(false)).toContain('inventory/unique-cluster-id');
});

import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { createEngine, defaultPolicy, type Policy, type Verdict } from '../../src/engine/index.ts';
import { after, type Rule, type Yielded } from '../../src/rules/rule.ts';
import { custom, feature, id, inventory, membership } from '../rules/bases.ts';
import { type RuleCase, subjectOf, viewOf } from '../rules/rule-tester.ts';
import { always, META, ruleOf } from './stubs.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');

async function judge(
  catalogue: readonly Rule[],
  row: RuleCase = { name: '' },
  policy: Partial<Policy> = {},
  base = custom,
): Promise<Verdict> {
  const engine = createEngine({
    policy: { ...defaultPolicy, ...policy },
    point: 'webhook',
    clock: () => NOW,
    catalogue,
  });
  return engine.evaluate(subjectOf(base, row), viewOf(row.state ?? []));
}

const ids = (verdict: Verdict) => verdict.findings.map(({ ruleId, action }) => `${action} ${ruleId}`);

describe('outcome', () => {
  const unsure = ruleOf('claim/unsure', () => [{ path: ['spec'], unknown: 'nobody told' }]);
  const broken = ruleOf('claim/broken', () => {
    throw new Error('ours');
  });
  const warns = always('claim/warns', {}, { level: 'SHOULD' });

  test('nothing found is allowed', async () => {
    expect(await judge([ruleOf('claim/quiet', () => [])])).toEqual({
      outcome: 'allowed',
      findings: [],
      indeterminate: [],
      crashes: [],
      silentUnknowns: [],
    });
  });
  test('a finding holds everything a message needs', async () => {
    const verdict = await judge([always('claim/loud')]);
    expect(verdict.outcome).toBe('denied');
    expect(verdict.findings).toEqual([
      {
        ruleId: 'claim/loud',
        level: 'MUST',
        action: 'deny',
        path: ['spec', 'value'],
        field: 'spec.value',
        message: 'is bad, got "x"',
        code: 422,
      },
    ]);
  });
  test('a warning is allowed', async () => {
    const verdict = await judge([warns]);
    expect([verdict.outcome, ids(verdict), verdict.silentUnknowns]).toEqual(['allowed', ['warn claim/warns'], []]);
  });
  test('not knowing is indeterminate on a rule that denies', async () => {
    const verdict = await judge([unsure]);
    expect(verdict.outcome).toBe('indeterminate');
    expect(verdict.indeterminate).toEqual([
      { ruleId: 'claim/unsure', level: 'MUST', field: 'spec', message: 'cannot be decided now: nobody told' },
    ]);
    expect(verdict.silentUnknowns).toEqual([]);
  });
  test('not knowing is silence on a weaker rule, and counted once', async () => {
    const twice = ruleOf(
      'claim/twice',
      () => [
        { path: ['a'], unknown: 'x' },
        { path: ['b'], unknown: 'y' },
      ],
      { meta: { ...META, level: 'SHOULD' } },
    );
    const verdict = await judge([twice]);
    expect(verdict).toMatchObject({ outcome: 'allowed', indeterminate: [], silentUnknowns: ['claim/twice'] });
  });
  test('what throws is a crash with a reference, and refuses', async () => {
    const verdict = await judge([broken]);
    expect(verdict.outcome).toBe('crashed');
    expect(verdict.crashes).toEqual([
      {
        ruleId: 'claim/broken',
        reference: expect.stringMatching(/^[a-z0-9]{8}$/),
        error: new Error('ours'),
        denies: true,
      },
    ]);
  });
  test('what rejects is a crash too', async () => {
    const rejects = ruleOf('claim/rejects', async function* (): AsyncIterable<Yielded> {
      yield await Promise.reject(new Error('later'));
    });
    expect((await judge([rejects])).outcome).toBe('crashed');
  });
  test('a weaker rule that throws does not refuse', async () => {
    const verdict = await judge([{ ...broken, meta: { ...META, level: 'SHOULD' } }]);
    expect([verdict.outcome, verdict.crashes[0]?.denies]).toEqual(['allowed', false]);
  });
  test('a certain denial beats a crash, a crash beats not knowing', async () => {
    expect((await judge([unsure, broken, always('claim/loud')])).outcome).toBe('denied');
    expect((await judge([unsure, broken])).outcome).toBe('crashed');
    expect((await judge([unsure, warns])).outcome).toBe('indeterminate');
  });
  test('all findings come, in the order of the catalogue, sync or async', async () => {
    const slow = ruleOf('claim/slow', async function* (): AsyncIterable<Yielded> {
      yield { path: ['spec'], messageId: 'worse' };
    });
    expect(ids(await judge([slow, always('claim/loud'), warns]))).toEqual([
      'deny claim/slow',
      'deny claim/loud',
      'warn claim/warns',
    ]);
  });
  test('one rule is listened to at most 32 times', async () => {
    const endless = function* (): Iterable<Yielded> {
      for (let index = 0; ; index++) yield { path: ['spec', index], messageId: 'worse' };
    };
    const endlessAsync = async function* (): AsyncIterable<Yielded> {
      yield* endless();
    };
    expect((await judge([ruleOf('claim/endless', endless)])).findings).toHaveLength(32);
    expect((await judge([ruleOf('claim/endless', endlessAsync)])).findings).toHaveLength(32);
  });
});

describe('levels, actions, mode', () => {
  test.each([
    ['MUST', 'kep', 'deny'],
    ['MUST', 'upstream', 'deny'],
    ['MUST', 'muster', 'warn'],
    ['MUST†', 'kep', 'warn'],
    ['SHOULD', 'kep', 'warn'],
  ] as const)('%s of basis %s: %s', async (level, basis, action) => {
    expect(ids(await judge([always('claim/x', {}, { level, basis })]))).toEqual([`${action} claim/x`]);
  });
  test('ADVICE is ignored: the rule is not even asked', async () => {
    const verdict = await judge([ruleOf('claim/x', () => [], { meta: { ...META, level: 'ADVICE' } })]);
    expect(verdict.passed).toBe('unjudged');
  });
  test('a dialect may have a default of its own; configuration beats it', async () => {
    const rule = always('claim/x', { dialectActions: { 'cluster-claim': 'audit' } });
    expect(ids(await judge([rule]))).toEqual(['audit claim/x']);
    expect(ids(await judge([rule], undefined, { actions: new Map([['claim/x', { webhook: 'deny' }]]) }))).toEqual([
      'deny claim/x',
    ]);
  });
  test('configuration speaks for its enforcement point alone', async () => {
    expect(
      ids(await judge([always('claim/x')], undefined, { actions: new Map([['claim/x', { check: 'ignore' }]]) })),
    ).toEqual(['deny claim/x']);
    expect(
      (await judge([always('claim/x')], undefined, { actions: new Map([['claim/x', { webhook: 'ignore' }]]) }))
        .findings,
    ).toEqual([]);
  });
  test.each([
    ['enforce', ['deny claim/x', 'warn claim/y', 'audit claim/z']],
    ['warn', ['warn claim/x', 'warn claim/y', 'audit claim/z']],
    ['audit', ['audit claim/x', 'audit claim/y', 'audit claim/z']],
  ] as const)('mode %s caps all', async (mode, expected) => {
    const actions = new Map([['claim/z', { webhook: 'audit' as const }]]);
    expect(
      ids(
        await judge([always('claim/x'), always('claim/y', {}, { level: 'SHOULD' }), always('claim/z')], undefined, {
          mode,
          actions,
        }),
      ),
    ).toEqual(expected);
  });
  test("a rule's own cap holds whatever is configured, and never strengthens", async () => {
    expect(ids(await judge([always('claim/x', { atMost: () => 'warn' })]))).toEqual(['warn claim/x']);
    expect(ids(await judge([always('claim/x', { atMost: () => 'deny' }, { level: 'SHOULD' })]))).toEqual([
      'warn claim/x',
    ]);
    expect(ids(await judge([always('claim/x', { atMost: () => 'ignore' })]))).toEqual(['audit claim/x']);
  });
  test('a rule that sleeps is not asked', async () => {
    expect((await judge([always('claim/x', { awake: () => false })])).passed).toBe('unjudged');
    expect(
      ids(await judge([always('claim/x', { awake: (settings) => settings.features.clockSkewSeconds === 5 })])),
    ).toEqual(['deny claim/x']);
  });
});

describe('selection', () => {
  test.each([
    [{ on: ['UPDATE'] }, 'another operation'],
    [{ concept: 'feature' }, 'another concept'],
    [{ subresources: ['status'] }, 'the status alone'],
    [{ dialects: ['ocm-cluster-claim'] }, 'another dialect'],
  ] as const)('%j: %s', async (more, _why) => {
    expect((await judge([always('claim/x', more as Partial<Rule>)])).passed).toBe('unjudged');
  });
  test('a rule on the status is asked on its update', async () => {
    const rule = always('feature/x', { concept: 'feature', subresources: ['status'] });
    const row: RuleCase = { name: '', old: {}, subresource: 'status' };
    expect((await judge([rule], row, {}, feature)).passed).toBeUndefined();
    expect((await judge([rule], { name: '', old: {} }, {}, feature)).passed).toBe('unjudged');
    expect((await judge([rule], { ...row, operation: 'DELETE' }, {}, feature)).passed).toBe('unjudged');
  });
  test('the rule sees the request, the clock and the settings', async () => {
    const seen: unknown[] = [];
    const spy = ruleOf('claim/spy', (context) => {
      seen.push(context);
      return [];
    });
    await judge([spy], { name: '', user: 'eve', groups: ['g'], dryRun: true });
    expect(seen[0]).toMatchObject({
      operation: 'CREATE',
      subresource: '',
      point: 'webhook',
      name: 'region.example.org',
      namespace: undefined,
      dryRun: true,
      now: NOW,
      oldObject: undefined,
      identity: { username: 'eve', groups: ['g'] },
      settings: defaultPolicy.settings,
    });
  });
  test('two reads of one object within a request are one', async () => {
    let reads = 0;
    const counting = ruleOf('claim/reads', async function* ({ view, dialect }): AsyncIterable<Yielded> {
      await Promise.all([
        view.get({ dialect, name: 'a' }),
        view.get({ dialect, name: 'a' }),
        view.get({ dialect, name: 'b' }),
      ]);
      await Promise.all([view.list(dialect), view.list(dialect), view.list(dialect, 'ns')]);
      yield* [];
    });
    const answer = async () => {
      reads++;
      return { known: true, value: undefined } as const;
    };
    const list = async () => {
      reads++;
      return { known: true, value: [] } as const;
    };
    const engine = createEngine({ point: 'webhook', catalogue: [counting] });
    await engine.evaluate(subjectOf(custom, { name: '' }), { get: answer, list });
    expect(reads).toBe(4);
  });
  test('a view may answer with what only looks like a promise of ours, such as one of another realm', async () => {
    const heard: unknown[] = [];
    const asking = ruleOf('claim/asking', ({ view, dialect }) =>
      after(view.get({ dialect, name: 'one' }), (answer) => {
        heard.push(answer);
        return [];
      }),
    );
    const answer = { known: true, value: undefined } as const;
    const foreign: PromiseLike<typeof answer> = runInNewContext('Promise.resolve(answer)', { answer });
    const view = { ...viewOf([]), get: () => foreign as Promise<typeof answer> };
    const engine = createEngine({ point: 'webhook', catalogue: [asking] });
    expect((await engine.evaluate(subjectOf(custom, { name: '' }), view)).outcome).toBe('allowed');
    expect(heard).toEqual([answer]);
  });
  test('the clock is the system clock by default, and the policy shows', async () => {
    const seen: number[] = [];
    const spy = ruleOf('claim/spy', ({ now }) => {
      seen.push(now);
      return [];
    });
    const before = Date.now();
    const engine = createEngine({ point: 'check', catalogue: [spy] });
    await engine.evaluate(subjectOf(custom, { name: '' }), viewOf([]));
    expect(seen[0]).toBeGreaterThanOrEqual(before);
    expect(engine.policy).toBe(defaultPolicy);
  });
});

describe('an UPDATE is judged on what it changes', () => {
  const dislikes = ruleOf('claim/dislikes', function* ({ object }): Iterable<Yielded> {
    const { value, list } = object['spec'] as { value?: string; list?: { name: string }[] };
    if (value?.startsWith('bad')) yield { path: ['spec', 'value'], messageId: 'bad', data: { value } };
    for (const [index, item] of (list ?? []).entries())
      if (item.name.startsWith('bad'))
        yield { path: ['spec', 'list', index, 'name'], messageId: 'bad', data: { value: item.name } };
  });
  const entries = (...names: string[]) => names.map((name) => ({ name }));

  test.each([
    ['an old fault left alone', { '/spec/value': 'bad' }, { '/metadata/labels': { a: 'b' } }, 0],
    ['an old fault replaced by another', { '/spec/value': 'bad' }, { '/spec/value': 'bad2' }, 1],
    ['a new fault', {}, { '/spec/value': 'bad' }, 1],
    [
      'an old fault that moved within its list',
      { '/spec/list': entries('bad', 'ok') },
      { '/spec/list': entries('ok', 'bad') },
      0,
    ],
    [
      'two equal old faults that moved',
      { '/spec/list': entries('bad', 'bad', 'ok') },
      { '/spec/list': entries('ok', 'bad', 'bad', 'fine') },
      0,
    ],
    ['an old fault doubled', { '/spec/list': entries('bad') }, { '/spec/list': entries('bad', 'bad') }, 1],
    ['an old fault beside a new one', { '/spec/list': entries('bad') }, { '/spec/list': entries('bad', 'bad2') }, 1],
    [
      'the same value in another place',
      { '/spec/value': 'bad' },
      { '/spec/value': 'ok', '/spec/list': entries('bad') },
      1,
    ],
    [
      'an entry with the same fault, but another entry',
      { '/spec/list': [{ name: 'bad', a: 1 }] },
      { '/spec/list': [{ name: 'ok' }, { name: 'bad', a: 2 }] },
      1,
    ],
    [
      'an entry changed beside its fault',
      { '/spec/list': [{ name: 'bad', a: 1 }] },
      { '/spec/list': [{ name: 'bad', a: 2 }] },
      0,
    ],
  ])('%s', async (name, old, set, count) => {
    expect((await judge([dislikes], { name, old, set })).findings).toHaveLength(count);
  });
  test('the stored object is judged by async rules too', async () => {
    const later = ruleOf('claim/later', async function* (context): AsyncIterable<Yielded> {
      yield* dislikes.check?.(context) as Iterable<Yielded>;
    });
    expect(
      (await judge([later], { name: '', old: { '/spec/value': 'bad' }, set: { '/metadata/labels': {} } })).findings,
    ).toEqual([]);
    expect((await judge([later], { name: '', old: {}, set: { '/spec/value': 'bad' } })).findings).toHaveLength(1);
  });
  test('on CREATE and DELETE nothing is dropped', async () => {
    expect((await judge([dislikes], { name: '', set: { '/spec/value': 'bad' } })).findings).toHaveLength(1);
    expect(
      (await judge([dislikes], { name: '', operation: 'DELETE', old: { '/spec/value': 'bad' } })).findings,
    ).toHaveLength(1);
  });
  test('what is not known stays so', async () => {
    const both = ruleOf('claim/both', () => [
      { path: ['spec'], unknown: 'why' },
      { path: ['spec', 'value'], messageId: 'bad' },
    ]);
    const verdict = await judge([both], { name: '', old: {}, set: {} });
    expect([verdict.findings.length, verdict.indeterminate.length]).toEqual([0, 1]);
  });
  test('the stored object is judged only when the new one has findings', async () => {
    let asked = 0;
    const counts = ruleOf('claim/counts', () => {
      asked++;
      return [];
    });
    await judge([counts], { name: '', old: {}, set: {} });
    expect(asked).toBe(1);
  });
});

describe('what passes', () => {
  const strict = [always('claim/x')];
  const going = { '/metadata/deletionTimestamp': '2026-05-31T00:00:00Z', '/metadata/finalizers': ['a/b'] };

  test.each([
    ['a finalizer comes off', { old: going, set: { '/metadata/finalizers': undefined } }, 'terminating'],
    ['a second DELETE', { old: going, operation: 'DELETE' }, 'terminating'],
    ['the spec changes too', { old: going, set: { '/metadata/finalizers': undefined, '/spec/value': 'z' } }, undefined],
    ['the status changes too', { old: going, set: { '/status': { a: 1 } } }, undefined],
    ['a null status is no change', { old: going, set: { '/status': null } }, 'terminating'],
    ['a null deletionTimestamp is none', { old: { '/metadata/deletionTimestamp': null }, set: {} }, undefined],
    ['only the new object says it is going', { old: {}, set: going }, undefined],
  ] as const)('an object on its way out: %s', async (name, row, expected) => {
    expect((await judge(strict, { name, ...(row as object) })).passed).toBe(expected);
  });

  const exemptions = (more: Partial<Policy['exemptions']>) => ({
    exemptions: { ...defaultPolicy.exemptions, ...more },
  });
  test.each([
    ['a user', { user: 'root' }, exemptions({ users: new Set(['root']) }), 'exempt'],
    ['another user', { user: 'toor' }, exemptions({ users: new Set(['root']) }), undefined],
    ['a group', { groups: ['a', 'admins'] }, exemptions({ groups: new Set(['admins']) }), 'exempt'],
    [
      'a service account',
      { user: 'system:serviceaccount:ns:sa' },
      exemptions({ serviceAccounts: new Set(['system:serviceaccount:ns:sa']) }),
      'exempt',
    ],
    ['nobody said who', { user: null, groups: ['admins'] }, exemptions({ groups: new Set(['admins']) }), undefined],
    ['a cluster-scoped object has no namespace', {}, exemptions({ namespaces: new Set(['']) }), undefined],
  ] as const)('exemptions: %s', async (name, row, policy, expected) => {
    expect((await judge(strict, { name, ...row } as RuleCase, policy)).passed).toBe(expected);
  });
  test('exemptions: a namespace', async () => {
    const rule = always('feature/x', { concept: 'feature' });
    const policy = exemptions({ namespaces: new Set(['kube-system']) });
    expect((await judge([rule], { name: '', user: null }, policy, feature)).passed).toBe('exempt');
    expect(
      (await judge([rule], { name: '', set: { '/metadata/namespace': 'other' } }, policy, feature)).passed,
    ).toBeUndefined();
  });

  const gc = 'system:serviceaccount:kube-system:generic-garbage-collector';
  const nsc = 'system:serviceaccount:kube-system:namespace-controller';
  test.each([
    ['the garbage collector deletes', { user: gc, operation: 'DELETE' }, 'allowed'],
    ['the namespace controller deletes', { user: nsc, operation: 'DELETE' }, 'allowed'],
    ['it touches metadata only', { user: gc, old: {}, set: { '/metadata/ownerReferences': [] } }, 'allowed'],
    ['it touches the spec', { user: gc, old: {}, set: { '/spec/value': 'z' } }, 'denied'],
    ['it touches the status', { user: gc, old: {}, set: { '/status': { a: 1 } } }, 'denied'],
    ['it creates', { user: gc }, 'denied'],
    ['it creates with metadata alone', { user: gc, set: { '/spec': undefined } }, 'denied'],
    ['a name that begins alike', { user: `${gc}-2`, operation: 'DELETE' }, 'denied'],
    ['nobody', { user: null, operation: 'DELETE' }, 'denied'],
  ] as const)('collectors: %s', async (name, row, outcome) => {
    // The rule compares nothing with the stored object, so that the ratchet has no say here.
    const rule = ruleOf('claim/x', ({ object, oldObject }) =>
      object === oldObject && !('operation' in row) ? [] : [{ path: ['spec'], messageId: 'worse' }],
    );
    expect((await judge([rule], { name, ...row } as RuleCase)).outcome).toBe(outcome);
  });
  test('collectors: findings are kept for the audit, and a rule that binds them denies', async () => {
    const row: RuleCase = { name: '', user: gc, operation: 'DELETE' };
    expect(ids(await judge(strict, row))).toEqual(['audit claim/x']);
    expect(ids(await judge([always('claim/x', { bindsCollectors: true })], row))).toEqual(['deny claim/x']);
  });
});

describe('exceptions', () => {
  const exception = {
    rules: new Set(['claim/x']),
    apiGroup: 'multicluster.x-k8s.io',
    kind: 'ClusterClaim',
    name: 'region.example.org',
    expires: NOW + 1,
    reason: 'a ticket',
  };
  test.each([
    ['covers its object', {}, {}, 'audit'],
    ['not once it has expired', { expires: NOW }, {}, 'deny'],
    ['not another rule', { rules: new Set(['claim/y']) }, {}, 'deny'],
    ['not another group', { apiGroup: 'about.k8s.io' }, {}, 'deny'],
    ['not another kind', { kind: 'ClusterProperty' }, {}, 'deny'],
    ['not another name', { name: 'other' }, {}, 'deny'],
    ['not another namespace', { namespace: 'ns' }, {}, 'deny'],
  ])('%s', async (name, change, row, action) => {
    const verdict = await judge([always('claim/x')], { name, ...row }, { exceptions: [{ ...exception, ...change }] });
    expect(ids(verdict)).toEqual([`${action} claim/x`]);
  });
  test('of a namespaced object, in its namespace or in any', async () => {
    const rule = always('feature/x', { concept: 'feature' });
    const base = {
      ...exception,
      rules: new Set(['feature/x']),
      apiGroup: 'features.x-k8s.io',
      kind: 'Feature',
      name: 'fastlane',
    };
    const action = async (more: object) =>
      ids(await judge([rule], { name: '' }, { exceptions: [{ ...base, ...more }] }, feature));
    expect(await action({ namespace: 'kube-system' })).toEqual(['audit feature/x']);
    expect(await action({})).toEqual(['audit feature/x']);
    expect(await action({ namespace: 'other' })).toEqual(['deny feature/x']);
  });
});

describe('the catalogue as it ships', () => {
  test('judges every base as good', async () => {
    const engine = createEngine({ point: 'webhook' });
    for (const base of [custom, id, inventory, feature])
      expect((await engine.evaluate(subjectOf(base, { name: '' }), viewOf([]))).findings).toEqual([]);
    const joined = await engine.evaluate(subjectOf(membership, { name: '' }), viewOf([id]));
    expect(joined.findings).toEqual([]);
  });
});

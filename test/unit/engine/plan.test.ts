/**
 * Which rules apply and what each leads to: levels, defaults, parts of a rule, configuration, mode, the rule's own cap.
 */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, type Dialect, feature, ocmClusterClaim } from '../../../src/api/dialects.ts';
import { createEngine, defaultPolicy, type Policy } from '../../../src/engine/index.ts';
import {
  defaultAction,
  dialectsWithChangeRules,
  levelOf,
  mayDeny,
  plannedAction,
  planRules,
  pointsOf,
} from '../../../src/engine/plan.ts';
import { rules } from '../../../src/rules/index.ts';
import type {
  Action,
  Context,
  EnforcementPoint,
  Level,
  Operation,
  Rule,
  Subresource,
} from '../../../src/rules/rule.ts';
import { custom } from '../../support/bases.ts';
import { subjectOf, viewOf } from '../../support/rule-tester.ts';
import { always, COMPARISON, META, ruleOf } from './stubs.ts';

const ID = 'claim/parts';
/** A rule with parts: `bad` and `worse`, which may have levels of their own. */
const partsOf = (level: Level, messageLevels: Record<string, Level> = {}, more: Partial<Rule> = {}): Rule =>
  ruleOf(
    ID,
    () => [
      { path: ['spec', 'a'], messageId: 'bad' },
      { path: ['spec', 'b'], messageId: 'worse' },
    ],
    { ...more, meta: { ...META, level, messageLevels } },
  );
const policy = (over: Partial<Policy> = {}, action?: Action, at: EnforcementPoint = 'webhook'): Policy => ({
  ...defaultPolicy,
  actions: new Map(action === undefined ? [] : [[ID, { [at]: action }]]),
  ...over,
});
/** What the engine reports of both parts: action and level of each. */
async function reported(rule: Rule, over: Partial<Policy> = {}, action?: Action, point: EnforcementPoint = 'webhook') {
  const engine = createEngine({ policy: policy(over, action), point, catalogue: [rule] });
  const { findings } = await engine.evaluate(subjectOf(custom, { name: '' }), viewOf([]));
  return findings.map(({ action: taken, level }) => `${taken} ${level}`);
}
test('the level of a part beats the point’s', () => {
  const parts = partsOf('MUST†', { worse: 'MUST' });
  const both: Rule = { ...parts, meta: { ...parts.meta, pointLevels: { scan: 'ADVICE' } } };
  expect(levelOf(both, 'scan', 'worse')).toBe('MUST');
  expect(levelOf(both, 'scan', 'bad')).toBe('ADVICE');
  expect(levelOf(both)).toBe('MUST†');
});

describe('the default action', () => {
  test.each<[Level, Action, Action]>([
    ['MUST', 'deny', 'warn'],
    ['MUST†', 'warn', 'warn'],
    ['SHOULD', 'warn', 'warn'],
    ['ADVICE', 'ignore', 'ignore'],
  ])('of %s: %s; of basis muster: %s', (level, action, ofMuster) => {
    expect(defaultAction(always(ID, {}, { level }))).toBe(action);
    expect(defaultAction(always(ID, {}, { level, basis: 'upstream' }))).toBe(action);
    expect(defaultAction(always(ID, {}, { level, basis: 'muster' }))).toBe(ofMuster);
  });
  test('at a point follows the point’s level', () => {
    const rule = always(ID, {}, { level: 'ADVICE', pointLevels: { scan: 'MUST' } });
    expect(defaultAction(rule, clusterClaim, 'scan')).toBe('deny');
    expect(defaultAction(rule, clusterClaim, 'check')).toBe('ignore');
  });
  test('of a dialect beats the level, of all parts', () => {
    const rule = partsOf('MUST', { worse: 'MUST' }, { dialectActions: { 'ocm-cluster-claim': 'warn' } });
    expect(defaultAction(rule, ocmClusterClaim, 'webhook', 'worse')).toBe('warn');
    expect(defaultAction(rule, ocmClusterClaim)).toBe('warn');
    expect(defaultAction(rule, clusterClaim, 'webhook', 'worse')).toBe('deny');
    expect(defaultAction(rule)).toBe('deny');
  });
});

describe('the planned action', () => {
  const parts = partsOf('SHOULD', { worse: 'MUST' });
  test('a configured one holds for all parts, at its point alone', () => {
    for (const action of ['deny', 'warn', 'audit', 'ignore'] as const)
      for (const part of [undefined, 'bad', 'worse'])
        expect(plannedAction(parts, clusterClaim, policy({}, action), 'webhook', part)).toBe(action);
    expect(plannedAction(parts, clusterClaim, policy({}, 'ignore'), 'scan', 'worse')).toBe('deny');
    expect(plannedAction(parts, clusterClaim, policy({}, 'audit', 'check'), 'check')).toBe('audit');
  });
  test('a configured one beats that of a dialect and of a point', () => {
    const rule = always(ID, { dialectActions: { 'cluster-claim': 'warn' } }, { pointLevels: { webhook: 'ADVICE' } });
    expect(plannedAction(rule, clusterClaim, policy({}, 'deny'), 'webhook')).toBe('deny');
  });
  test('the mode caps whatever is configured, and raises nothing', () => {
    expect(plannedAction(parts, clusterClaim, policy({ mode: 'warn' }, 'deny'), 'webhook')).toBe('warn');
    expect(plannedAction(parts, clusterClaim, policy({ mode: 'audit' }), 'webhook', 'worse')).toBe('audit');
    expect(plannedAction(parts, clusterClaim, policy({ mode: 'warn' }, 'audit'), 'webhook')).toBe('audit');
    expect(plannedAction(parts, clusterClaim, policy({ mode: 'audit' }, 'ignore'), 'webhook')).toBe('ignore');
  });
});

describe('what the engine makes of parts', () => {
  test('each part by its own level, and with it', async () => {
    expect(await reported(partsOf('MUST†', { worse: 'MUST' }))).toEqual(['warn MUST†', 'deny MUST']);
    expect(await reported(partsOf('MUST', { worse: 'SHOULD' }))).toEqual(['deny MUST', 'warn SHOULD']);
  });
  test('the rule’s own cap knows the part and the request', async () => {
    const seen: unknown[] = [];
    const capAction = ({ dryRun }: Context, messageId?: string): Action => {
      seen.push([dryRun, messageId]);
      return messageId === 'bad' ? 'warn' : 'ignore';
    };
    expect(await reported(partsOf('MUST', {}, { capAction }))).toEqual(['warn MUST', 'audit MUST']);
    expect(seen).toEqual([
      [false, 'bad'],
      [false, 'worse'],
    ]);
  });
});

test.each<[string, boolean, Rule, Policy]>([
  ['a denial that mode warn caps', true, partsOf('MUST'), policy({ mode: 'warn' })],
  ['one that is configured', true, partsOf('SHOULD'), policy({ mode: 'warn' }, 'deny')],
  ['a rule that only warns', false, partsOf('SHOULD'), policy({ mode: 'warn' })],
  ['one that is configured to warn', false, partsOf('MUST'), policy({ mode: 'warn' }, 'warn')],
  [
    'a rule that itself allows a warning at most',
    false,
    partsOf('MUST', {}, { capAction: () => 'warn' }),
    policy({ mode: 'warn' }),
  ],
  ['a rule that allows a denial', true, partsOf('MUST', {}, { capAction: () => 'deny' }), policy({ mode: 'warn' })],
  ['a denial that mode audit caps', true, partsOf('MUST'), policy({ mode: 'audit' })],
  ['a rule that only warns, in mode audit', false, partsOf('SHOULD'), policy({ mode: 'audit' })],
  ['a denial in mode enforce', false, partsOf('MUST'), policy({ mode: 'enforce' })],
])('%s would be denied: %s', async (_, expected, rule, configured) => {
  const engine = createEngine({ policy: configured, point: 'webhook', catalogue: [rule] });
  const { findings } = await engine.evaluate(subjectOf(custom, { name: '' }), viewOf([]));
  expect(findings.map(({ wouldDeny = false }) => wouldDeny)).toEqual([expected, expected]);
});

test('each part of a rule would be denied by its own level', async () => {
  const engine = createEngine({
    policy: policy({ mode: 'warn' }),
    point: 'webhook',
    catalogue: [partsOf('SHOULD', { worse: 'MUST' })],
  });
  const { findings } = await engine.evaluate(subjectOf(custom, { name: '' }), viewOf([]));
  expect(findings.map(({ wouldDeny }) => wouldDeny)).toEqual([undefined, true]);
});

test.each<[Rule, boolean, Partial<Policy>?, Action?]>([
  [partsOf('MUST'), true],
  [partsOf('SHOULD'), false],
  [partsOf('SHOULD', { worse: 'MUST' }), true],
  [partsOf('MUST', { worse: 'SHOULD' }), true],
  [partsOf('SHOULD', { worse: 'MUST' }), false, { mode: 'warn' }],
  [partsOf('SHOULD', { worse: 'MUST' }), false, {}, 'warn'],
  [partsOf('SHOULD', { worse: 'SHOULD' }), true, {}, 'deny'],
])('whether a rule may deny counts its parts (%#)', (rule, expected, over = {}, action = undefined) => {
  const [planned] = planRules(policy(over, action), 'webhook', [rule])['cluster-claim'].CREATE[''];
  expect(planned && mayDeny(planned)).toBe(expected);
});

describe('the plan', () => {
  test('leaves out what is ignored, inert, of another concept, operation, subresource or dialect', () => {
    const catalogue = [
      always('claim/a'),
      always('claim/advice', {}, { level: 'ADVICE' }),
      always('claim/inert', { enabled: () => false }),
      always('claim/enabled', { enabled: () => true }),
      always('claim/create', { on: ['CREATE'] }),
      always('claim/status', { subresources: ['status'] }),
      always('claim/both', { subresources: ['', 'status'] }),
      always('claim/property', { dialects: ['cluster-property'] }),
      always('feature/x', { concept: 'feature' }),
    ];
    const plan = planRules(policy(), 'webhook', catalogue);
    const ids = ({ name }: Dialect, operation: Operation, subresource: Subresource) =>
      plan[name][operation][subresource].map(({ rule }) => rule.id);
    expect(ids(clusterClaim, 'CREATE', '')).toEqual(['claim/a', 'claim/enabled', 'claim/create', 'claim/both']);
    expect(ids(clusterClaim, 'UPDATE', '')).toEqual(['claim/a', 'claim/enabled', 'claim/both']);
    expect(ids(clusterClaim, 'UPDATE', 'status')).toEqual(['claim/status', 'claim/both']);
    expect(ids(clusterClaim, 'DELETE', 'status')).toEqual([]);
    expect(ids(clusterProperty, 'DELETE', '')).toEqual(['claim/a', 'claim/enabled', 'claim/both', 'claim/property']);
    expect(ids(feature, 'CREATE', '')).toEqual(['feature/x']);
  });
});

test.each<[string, Partial<Rule>, readonly EnforcementPoint[]]>([
  ['of writes', { on: ['DELETE'] }, ['webhook', 'check', 'scan']],
  ['of writes, which compares objects, too', { on: ['CREATE'], comparison: COMPARISON }, ['webhook', 'check', 'scan']],
  ['of stored objects', { on: [] }, ['scan']],
  ['that compares objects', { on: [], comparison: COMPARISON }, ['check', 'scan']],
  ['that compares them in one place', { on: [], comparison: { ...COMPARISON, points: ['check'] } }, ['check']],
])('where a rule %s is evaluated', (_, more, expected) => expect(pointsOf(always('claim/x', more))).toEqual(expected));

test('the dialects whose updates a rule in force compares with the stored object', () => {
  const comparing = rules.filter((rule: Rule) => rule.ratchets === false).map(({ id }) => id);
  /** With these rules alone. */
  const changeable = (...kept: readonly string[]) => {
    const ignored = comparing.filter((id) => !kept.includes(id)).map((id) => [id, { webhook: 'ignore' }] as const);
    return [...dialectsWithChangeRules({ ...defaultPolicy, actions: new Map(ignored) }, 'webhook')];
  };
  expect(changeable()).toEqual([]);
  expect(changeable('claim/id-immutable-in-clusterset')).toEqual([
    'cluster-claim',
    'ocm-cluster-claim',
    'cluster-property',
  ]);
  // On the status alone.
  expect(changeable('feature/transition')).toEqual(['feature']);
});

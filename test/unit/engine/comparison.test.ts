/**
 * What the comparison keeps for rules made for these tests, what it tells them, and what becomes of their conflicts.
 */
import { describe, expect, test } from '@jest/globals';
import {
  claimDialects,
  clusterClaim,
  clusterProperty,
  type Dialect,
  feature,
  inventoryCluster,
  type Resource,
} from '../../../src/api/dialects.ts';
import { namespace, type SupportingKind, service, supportingKinds } from '../../../src/api/supporting-kinds.ts';
import { type JsonObject, textAt } from '../../../src/base/json.ts';
import { type ComparisonOptions, createComparison, defaultPolicy, type Policy } from '../../../src/engine/index.ts';
import type { ComparisonRun, Conflict, ObjectComparison, ObjectFact, Rule } from '../../../src/rules/rule.ts';
import { COMPARISON, META } from './stubs.ts';

const ID = 'claim/same';
const VALUE = ['spec', 'value'];
const EARLIER = 1000;

/** The value of an object, by which the rules below compare. */
const specValue = (object: JsonObject) => textAt(object, VALUE);

/** Everything with a value that another object has, too, with those others. */
function conflictsIn(kept: readonly ObjectFact<unknown>[]): Conflict[] {
  return kept.flatMap(({ object, fact }) => {
    const others = kept.filter((one) => one.object !== object && one.fact === fact);
    if (others.length === 0) return [];
    const related = others.map((one) => ({
      object: one.object,
      path: VALUE,
      messageId: 'other',
      data: { value: fact },
    }));
    return [{ object, problem: { path: [...VALUE], messageId: 'bad', data: { value: fact } }, related }] as Conflict[];
  });
}

function comparing(comparison: Partial<ObjectComparison> = {}, more: Partial<Rule> = {}): Rule {
  return {
    id: ID,
    concept: 'claim',
    on: [],
    meta: { ...META, messages: { bad: 'same as another: {{value}}', other: 'has {{value}}' } },
    comparison: { ...COMPARISON, factOf: specValue, conflicts: conflictsIn, ...comparison },
    ...more,
  };
}

type Added = readonly [kind: Dialect | SupportingKind, name: string, value: string, namespace?: string];
type Content = Readonly<Record<string, readonly Added[]>>;

/** A comparison of these objects by these rules. A handle is the name of the object. */
function comparisonOf(catalogue: readonly Rule[], content: Content, options: Partial<ComparisonOptions> = {}) {
  const made = createComparison<string>({ point: 'scan', isAcross: true, catalogue, ...options });
  for (const [cluster, objects] of Object.entries(content)) {
    const part = made.begin(cluster);
    for (const [kind, name, value, inNamespace] of objects)
      part.add(kind, { metadata: { name, ...(inNamespace && { namespace: inNamespace }) }, spec: { value } }, name);
    part.commit();
  }
  return made;
}

const found = (comparison: ReturnType<typeof comparisonOf>, before?: ReturnType<typeof comparisonOf>) =>
  comparison.finish(before).map(({ handle }) => handle);
const policyOf = (more: Partial<Policy>): Policy => ({ ...defaultPolicy, ...more });

describe('what is kept for a rule', () => {
  const content: Content = {
    east: [
      [clusterClaim, 'claim', 'a'],
      [clusterProperty, 'property', 'a'],
      [inventoryCluster, 'cluster', 'a'],
      [service, 'web', 'a', 'shop'],
      [namespace, 'shop', 'a'],
    ],
  };
  const kept = (rule: Rule, options: Partial<ComparisonOptions> = {}) =>
    comparisonOf([rule], content, options)
      .facts()
      .keptFor(rule)
      .map(({ object }) => object.name);

  test.each<[string, Rule, string[], Partial<ComparisonOptions>?]>([
    ['its kinds', comparing(), ['claim', 'property']],
    [
      'of several concepts',
      comparing({ kinds: [...claimDialects, inventoryCluster] }),
      ['claim', 'property', 'cluster'],
    ],
    ['also those that it does not report on', comparing({}, { dialects: ['cluster-property'] }), ['claim', 'property']],
    ['supporting kinds', comparing({ kinds: [...claimDialects, service] }), ['claim', 'property', 'web']],
    ['supporting kinds alone', comparing({ kinds: supportingKinds }), ['web', 'shop']],
    ['nothing at another point', comparing({ points: ['check'] }), []],
    ['at its point', comparing({ points: ['check', 'scan'] }), ['claim', 'property']],
    [
      'nothing where it is ignored',
      comparing(),
      [],
      { policy: policyOf({ actions: new Map([[ID, { scan: 'ignore' }]]) }) },
    ],
    ['nothing that is no fact', comparing({ factOf: (object) => (specValue(object) === 'b' ? 1 : undefined) }), []],
  ])('%s', (_, rule, expected, ...[options]) => expect(kept(rule, options)).toEqual(expected));

  test('rules that make the same fact share it, and each has its own kinds', () => {
    let made = 0;
    const factOf = (object: JsonObject) => {
      made += 1;
      return specValue(object);
    };
    const [both, one] = [
      comparing({ factOf }, { id: 'claim/both' }),
      comparing({ factOf, kinds: [clusterClaim] }, { id: 'claim/one' }),
    ];
    const { keptFor } = comparisonOf([both, one], content).facts();
    expect(made).toBe(2);
    expect(keptFor(both)).toHaveLength(2);
    expect(keptFor(one).map(({ object }) => object.name)).toEqual(['claim']);
    expect(keptFor(both)).toBe(keptFor(both));
  });

  test('in the order of the clusters, each object once however often its part is committed', () => {
    const rule = comparing();
    const comparison = comparisonOf([rule], { west: [[clusterClaim, 'w', 'a']], east: [[clusterClaim, 'e', 'a']] });
    const part = comparison.begin('middle');
    part.add(clusterClaim, { metadata: { name: 'm' }, spec: { value: 'a' } }, 'm');
    part.commit();
    part.commit();
    const { clusters, keptFor } = comparison.facts();
    expect(clusters.clusters).toEqual(['east', 'middle', 'west']);
    expect(keptFor(rule).map(({ object }) => object.name)).toEqual(['e', 'm', 'w']);
  });

  test('nothing of a part that is not committed', () => {
    const comparison = comparisonOf([comparing()], {});
    const dropped = comparison.begin('east');
    const part = comparison.begin('east');
    dropped.add(clusterClaim, { metadata: { name: 'dropped' }, spec: { value: 'a' } }, 'dropped');
    part.add(clusterClaim, { metadata: { name: 'other' }, spec: { value: 'a' } }, 'kept');
    part.commit();
    expect(found(comparison)).toEqual([]);
    dropped.commit();
    expect(found(comparison)).toEqual(['kept', 'dropped']);
  });
});

describe('what a rule is told of the clusters', () => {
  const made = () => createComparison<string>({ point: 'check', isAcross: true, catalogue: [comparing()] });

  test('why a kind was not read; of a supporting kind without an object, that there is none', () => {
    const comparison = made();
    const part = comparison.begin('east');
    part.add(service, { metadata: { name: 'web', namespace: 'shop' } }, 'web');
    part.commit(new Map<Resource, string | undefined>([[clusterClaim, 'forbidden']]));
    const read = comparison.begin('west');
    read.commit(new Map<Resource, string | undefined>([[service, undefined]]));
    const { unread } = comparison.facts().clusters;
    expect(unread('east', clusterClaim)).toBe('forbidden');
    expect(unread('east', clusterProperty)).toBeUndefined();
    expect(unread('east', service)).toBeUndefined();
    expect(unread('east', namespace)).toBe('the run has no Namespace of the cluster');
    expect(unread('west', service)).toBeUndefined();
    expect(unread('nowhere', service)).toBeUndefined();
  });

  test('the namespaces in which something stands, and those that were read', () => {
    const comparison = comparisonOf([comparing()], {
      east: [
        [service, 'web', 'a', 'shop'],
        [feature, 'plain', 'a'],
        [namespace, 'empty', 'a'],
        [clusterClaim, 'claim', 'a', 'ignored'],
      ],
    });
    const dropped = comparison.begin('east');
    dropped.add(service, { metadata: { name: 'web', namespace: 'dropped' } }, 'web');
    const { hasNamespace } = comparison.facts().clusters;
    const names = ['shop', 'default', 'empty', '', 'ignored', 'claim', 'web', 'dropped'];
    expect(names.filter((name) => hasNamespace('east', name))).toEqual(['shop', 'default', 'empty']);
    expect(hasNamespace('west', 'shop')).toBe(false);
  });

  test('the run: its time, whether it is complete, and what there was before', () => {
    const runs: ComparisonRun[] = [];
    const conflicts = (_: unknown, run: ComparisonRun) => {
      runs.push(run);
      return [];
    };
    const rule = comparing({ conflicts });
    const content = { east: [[clusterClaim, 'claim', 'a']] } as const;
    comparisonOf([rule], content, { clock: () => EARLIER }).finish();
    const before = comparisonOf([rule], { west: [[clusterClaim, 'older', 'a']] });
    comparisonOf([rule], content, { isComplete: true }).finish(before);
    expect(runs[0]).toMatchObject({ now: EARLIER, isComplete: false, clusters: ['east'] });
    expect(runs[0]?.before).toBeUndefined();
    const last = runs.at(-1);
    expect(last).toMatchObject({ isComplete: true, before: { clusters: ['west'] } });
    expect(last?.before?.kept.map(({ object }) => object.name)).toEqual(['older']);
  });
});

describe('which rules compare', () => {
  const twice = [
    [clusterClaim, 'a', 'x'],
    [clusterClaim, 'b', 'x'],
  ] as const;
  const within = comparing();
  const across = comparing({ acrossOnly: true });

  test.each<[string, Rule, Content, boolean, string[]]>([
    ['within one cluster', within, { '': twice }, false, ['a', 'b']],
    ['across clusters, in a run of one', across, { '': twice }, false, []],
    ['across clusters, where there is one', across, { east: twice }, true, []],
    ['across clusters', across, { east: twice, west: [] }, true, ['a', 'b']],
  ])('%s', (_, rule, content, isAcross, expected) =>
    expect(found(comparisonOf([rule], content, { isAcross }))).toEqual(expected),
  );
});

describe('what becomes of a conflict', () => {
  const pair = {
    east: [[clusterClaim, 'a', 'x']],
    west: [[clusterClaim, 'b', 'x']],
  } as const satisfies Content;

  test('a finding with its message, and the others with theirs', () => {
    const [first] = comparisonOf([comparing()], pair).finish();
    const [finding] = first?.verdict.findings ?? [];
    expect(first?.handle).toBe('a');
    expect(finding).toMatchObject({ ruleId: ID, message: 'same as another: x', field: 'spec.value', action: 'deny' });
    expect(finding && first?.related.get(finding)).toEqual([{ handle: 'b', path: VALUE, message: 'has x' }]);
    expect(first?.places.size).toBe(0);
  });

  test('where the path is in another object, the handle of that', () => {
    const conflicts = (kept: readonly ObjectFact<unknown>[]) =>
      conflictsIn(kept).map((one): Conflict => ({ ...one, in: one.related[0]?.object }));
    const [first] = comparisonOf([comparing({ conflicts })], pair).finish();
    expect([...(first?.places.values() ?? [])]).toEqual(['b']);
  });

  test('of two rules, and of two conflicts of one, each has its own others', () => {
    const about = (messageId: string, step: string) => (kept: readonly ObjectFact<unknown>[]) =>
      conflictsIn(kept).flatMap(({ object, related }) => [
        { object, problem: { path: [step], messageId }, related: related.map((one) => ({ ...one, path: [step] })) },
        {
          object,
          problem: { path: [step, step], messageId },
          related: related.map((one) => ({ ...one, path: [step, 'x'] })),
        },
      ]);
    const [one, other] = [
      comparing({ conflicts: about('bad', 'p') }, { id: 'claim/one' }),
      comparing({ conflicts: about('worse', 'q') }, { id: 'claim/other', meta: META }),
    ];
    const [first] = comparisonOf([one, other], pair).finish();
    const shown = first?.verdict.findings.map((finding) => [
      finding.ruleId,
      finding.field,
      ...(first.related.get(finding) ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`),
    ]);
    expect(shown).toEqual([
      ['claim/one', 'p', 'p: has x'],
      ['claim/one', 'p.p', 'p.x: has x'],
      ['claim/other', 'q', 'q: '],
      ['claim/other', 'q.q', 'q.x: '],
    ]);
  });

  test('what can not be known, by a rule that denies, is indeterminate', () => {
    const conflicts = (kept: readonly ObjectFact<unknown>[]) =>
      conflictsIn(kept).map((one): Conflict => ({ ...one, problem: { path: VALUE, unknown: 'not read' } }));
    const [first] = comparisonOf([comparing({ conflicts })], pair).finish();
    expect(first?.verdict.outcome).toBe('indeterminate');
    expect(first?.verdict.indeterminate.map(({ message }) => message)).toEqual(['cannot be decided now: not read']);
  });

  test('a cap on writes does not hold: a stored object is none', () => {
    const [first] = comparisonOf([comparing({}, { capAction: () => 'audit' })], pair).finish();
    expect(first?.verdict.findings[0]?.action).toBe('deny');
  });

  test.each<[string, Partial<ComparisonOptions>, string[]]>([
    ['the default is that of its level', {}, ['deny', 'deny']],
    [
      'an action at the enforcement point',
      { policy: policyOf({ actions: new Map([[ID, { scan: 'warn' }]]) }) },
      ['warn', 'warn'],
    ],
    [
      'a user who is exempt',
      {
        policy: policyOf({ exemptions: { ...defaultPolicy.exemptions, users: new Set(['jane']) } }),
        identity: { username: 'jane', groups: [] },
      },
      [],
    ],
  ])('by the policy: %s', (_, options, actions) => {
    const compared = comparisonOf([comparing()], pair, options).finish();
    expect(compared.flatMap(({ verdict }) => verdict.findings.map(({ action }) => action))).toEqual(actions);
  });

  test('an exception and an exemption know the namespace and the name', () => {
    const inShop = {
      east: [[feature, 'a', 'x', 'shop']],
      west: [[feature, 'a', 'x', 'other']],
    } as const satisfies Content;
    const rule = comparing({ kinds: [feature] }, { id: 'feature/same', concept: 'feature' });
    const exception = { apiGroup: feature.group, kind: feature.kind, name: 'a', namespace: 'shop', reason: '' };
    const exceptions = [{ ...exception, rules: new Set(['feature/same']), expires: EARLIER }];
    const outcomes = (policy: Partial<Policy>) =>
      comparisonOf([rule], inShop, { policy: policyOf(policy), clock: () => 0 })
        .finish()
        .map(({ verdict }) => verdict.skipped ?? verdict.findings[0]?.action);
    expect(outcomes({ exceptions })).toEqual(['audit', 'deny']);
    const exemptions = { ...defaultPolicy.exemptions, namespaces: new Set(['other']) };
    expect(outcomes({ exemptions })).toEqual(['deny', 'exempt']);
  });
});

describe('what was there before', () => {
  const pair = { east: [[clusterClaim, 'a', 'x']], west: [[clusterClaim, 'b', 'x']] } as const satisfies Content;

  test('is left out, but by a rule that sees to it by itself', () => {
    const old = (rule: Rule) => found(comparisonOf([rule], pair), comparisonOf([rule], pair));
    expect(old(comparing())).toEqual([]);
    expect(old(comparing({ ratchets: false }))).toEqual(['a', 'b']);
  });

  test('counts as new for all where one more has joined it', () => {
    const joined = { ...pair, west2: [[clusterClaim, 'c', 'x']] } as const satisfies Content;
    expect(found(comparisonOf([comparing()], joined), comparisonOf([comparing()], pair))).toEqual(['a', 'b', 'c']);
    expect(found(comparisonOf([comparing()], pair), comparisonOf([comparing()], joined))).toEqual([]);
  });

  /** A rule whose problem is this one, where the value is `x` or `y`. */
  const telling = (of: (value: unknown) => Conflict['problem']) =>
    comparing({
      conflicts: (kept) =>
        conflictsIn(kept).map((one) => ({
          ...one,
          problem: of(kept.find((fact) => fact.object === one.object)?.fact),
        })),
    });
  const changed = { east: [[clusterClaim, 'a', 'y']], west: [[clusterClaim, 'b', 'y']] } as const satisfies Content;
  test.each<[string, (value: unknown) => Conflict['problem'], boolean]>([
    ['another value', (value) => ({ path: VALUE, messageId: 'bad', data: { value: `${value}` } }), true],
    ['another name', (value) => ({ path: VALUE, messageId: 'bad', data: { name: `${value}` } }), true],
    ['other data', (value) => ({ path: VALUE, messageId: 'bad', data: { text: `${value}` } }), false],
    ['another message', (value) => ({ path: VALUE, messageId: value === 'x' ? 'bad' : 'other' }), true],
    ['another member', (value) => ({ path: ['spec', `${value}`], messageId: 'bad' }), true],
    ['another place in a list', (value) => ({ path: ['spec', value === 'x' ? 0 : 1], messageId: 'bad' }), false],
    ['another reason why it is not known', (value) => ({ path: VALUE, unknown: `${value}` }), true],
    ['the same reason', () => ({ path: VALUE, unknown: 'not read' }), false],
  ])('with %s', (_, problem, isNew) => {
    const rule = telling(problem);
    const outcome = comparisonOf([rule], changed).finish(comparisonOf([rule], pair));
    expect(outcome.length > 0).toBe(isNew);
  });
});

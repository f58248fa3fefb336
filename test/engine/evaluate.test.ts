/** The corners of "an UPDATE is judged on what it changes", and of listening to a rule. */
import { describe, expect, test } from '@jest/globals';
import { clusterProperty, type Dialect } from '../../src/api/dialects.ts';
import { createEngine, freeze } from '../../src/engine/index.ts';
import type { Json, Path, Reference, Rule, Yielded } from '../../src/rules/rule.ts';
import { custom, feature } from '../rules/bases.ts';
import { type RuleCase, subjectOf, viewOf } from '../rules/rule-tester.ts';
import { always, META, ruleOf } from './stubs.ts';

const judge = (rule: Rule, row: RuleCase) =>
  createEngine({ point: 'webhook', catalogue: [rule] }).evaluate(subjectOf(custom, row), viewOf([]));
const found = async (rule: Rule, row: RuleCase) => (await judge(rule, row)).findings.map(({ field }) => field);

/** Finds fault with these places wherever they hold "bad". */
function dislikes(...paths: Path[]): Rule {
  return ruleOf('claim/dislikes', ({ object }) =>
    paths
      .filter((path) => valueAt(object, path) === 'bad')
      .map((path) => ({ path, messageId: 'bad', data: { value: 'bad' } })),
  );
}

function valueAt(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, step) => (here as Record<string | number, Json> | undefined)?.[step],
    value,
  );
}

describe('an old fault drops only its like', () => {
  test('the same value in a neighbour is another fault', async () => {
    const rule = dislikes(['spec', 'a'], ['spec', 'b']);
    expect(
      await found(rule, { name: '', old: { '/spec/a': 'bad' }, set: { '/spec/a': 'ok', '/spec/b': 'bad' } }),
    ).toEqual(['spec.b']);
  });
  test('the same value under a sibling list is another fault', async () => {
    const rule = dislikes(['spec', 'a', 0], ['spec', 'b', 0]);
    const row = { name: '', old: { '/spec/a': ['bad'] }, set: { '/spec/a': ['ok'], '/spec/b': ['bad'] } };
    expect(await found(rule, row)).toEqual(['spec.b[0]']);
  });
  test('a place in a map is not one in a list', async () => {
    const rule = dislikes(['spec', 'a', 0], ['spec', 'a', 'x']);
    expect(await found(rule, { name: '', old: { '/spec/a': ['bad'] }, set: { '/spec/a': { x: 'bad' } } })).toEqual([
      'spec.a.x',
    ]);
    expect(await found(rule, { name: '', old: { '/spec/a': { x: 'bad' } }, set: { '/spec/a': ['bad'] } })).toEqual([
      'spec.a[0]',
    ]);
  });
  test('a deeper place is another fault', async () => {
    const rule = dislikes(['spec'], ['spec', 'a']);
    expect(await found(rule, { name: '', old: { '/spec': 'bad' }, set: { '/spec': { a: 'bad' } } })).toEqual([
      'spec.a',
    ]);
    expect(await found(rule, { name: '', old: { '/spec': { a: 'bad' } }, set: { '/spec': 'bad' } })).toEqual(['spec']);
  });
  test('a list at the very top of a path', async () => {
    const rule = ruleOf('claim/top', () => [{ path: [0], messageId: 'bad' }]);
    expect(await found(rule, { name: '', old: {}, set: { '/spec/value': 'new' } })).toEqual([]);
  });
  test('an entry that takes the place of an old fault does not use it up for the one that moved', async () => {
    const rule = dislikes(['spec', 'a', 0, 'x'], ['spec', 'a', 1, 'x'], ['spec', 'a', 2, 'x']);
    const old = { x: 'bad', name: 'old' };
    const list = [{ x: 'bad', name: 'new' }, old];
    const row = (a: Json) => ({ name: '', old: { '/spec/a': [old] }, set: { '/spec/a': a } });
    expect(await found(rule, row(list))).toEqual([]);
    expect(await found(rule, row([...list, old]))).toEqual(['spec.a[2].x']);
    expect(await found(rule, row([...list, { x: 'bad', name: 'new' }]))).toEqual(['spec.a[2].x']);
  });
  test('an entry that stays uses itself up: a copy of it is a further one', async () => {
    const rule = dislikes(['spec', 'a', 0, 'x'], ['spec', 'a', 1, 'x']);
    const old = { x: 'bad', name: 'old' };
    const row = { name: '', old: { '/spec/a': [old] }, set: { '/spec/a': [old, old] } };
    expect(await found(rule, row)).toEqual(['spec.a[1].x']);
  });
  test('null in an entry is absent, and the order of members says nothing', async () => {
    const rule = dislikes(['spec', 'a', 0, 'x'], ['spec', 'a', 1, 'x']);
    const row = {
      name: '',
      old: { '/spec/a': [{ x: 'bad', b: 1, c: null }] },
      set: { '/spec/a': [{ x: 'ok' }, { b: 1, x: 'bad' }] },
    };
    expect(await found(rule, row)).toEqual([]);
  });
  test('an entry without a key is never taken for one whose key reads like what stands for it', async () => {
    const rule = dislikes(['spec', 'properties', 0, 'x'], ['spec', 'properties', 1, 'x']);
    for (const name of ['0', '1', '2']) {
      const row = {
        name: '',
        old: { '/spec/properties': [{ name: 7, x: 'bad' }] },
        set: { '/spec/properties': [{ x: 'ok' }, { name, x: 'bad' }] },
      };
      expect(await found(rule, row)).toEqual(['spec.properties[1].x']);
    }
  });
  test('an unknown of the stored object drops nothing', async () => {
    const rule = ruleOf('claim/odd', ({ object, oldObject }): Yielded[] =>
      object === oldObject
        ? [{ path: ['spec', 'value'], unknown: 'why' }]
        : [{ path: ['spec', 'value'], messageId: 'bad' }],
    );
    expect(await found(rule, { name: '', old: {}, set: { '/metadata/labels': { a: 'b' } } })).toEqual(['spec.value']);
  });
  test('an old fault drops all of its like at its place, and none at another', async () => {
    const rule = ruleOf('claim/twice', ({ object, oldObject }): Yielded[] => {
      const one: Yielded = { path: ['spec', 'list', 0], messageId: 'bad' };
      const other: Yielded = { path: ['spec', 'list', 1], messageId: 'bad' };
      return object === oldObject ? [one] : [one, other, one];
    });
    const list = ['bad', 'bad'];
    expect(
      await found(rule, { name: '', old: { '/spec/list': list }, set: { '/metadata/labels': { a: 'b' } } }),
    ).toEqual(['spec.list[1]']);
  });
});

describe('status.code of a finding', () => {
  const code = async (rule: 403 | 422, row: RuleCase) =>
    (await judge(always('claim/x', { subresources: ['', 'status'] }, { code: rule }), row)).findings.map(
      (one) => one.code,
    );
  test.each<[string, RuleCase, number]>([
    ['on CREATE the rule’s own', { name: '' }, 422],
    ['on UPDATE 403, since tools delete on 422 what exists', { name: '', old: {} }, 403],
    ['on UPDATE of the status the rule’s own', { name: '', old: {}, subresource: 'status' }, 422],
    ['on DELETE the rule’s own', { name: '', operation: 'DELETE' }, 422],
  ])('%s', async (_, row, expected) => {
    const changed: RuleCase = row.operation === 'DELETE' ? row : { ...row, set: { '/spec/value': 'other' } };
    expect(await code(422, changed)).toEqual([expected]);
    expect(await code(403, changed)).toEqual([403]);
  });
});

describe('more faults than a rule is listened to', () => {
  const rule = ruleOf('claim/crowd', function* ({ object }): Iterable<Yielded> {
    const list = valueAt(object, ['spec', 'list']) as readonly Json[];
    for (const [index, item] of list.entries()) {
      if (valueAt(item, ['name']) !== 'ok') yield { path: ['spec', 'list', index, 'name'], messageId: 'bad' };
    }
  });
  const slow = ruleOf('claim/crowd', async function* (context): AsyncIterable<Yielded> {
    yield* rule.check?.(context) as Iterable<Yielded>;
  });
  const crowd = Array.from({ length: 40 }, (_, n) => ({ name: `bad${n}` }));
  const added = { name: 'added' };

  test.each([
    ['left alone', crowd, []],
    ['turned around', [...crowd].reverse(), []],
    ['some mended', crowd.slice(5), []],
    ['one more at the end', [...crowd, added], ['spec.list[40].name']],
    ['one more in front', [added, ...crowd], ['spec.list[0].name']],
    ['one more instead of some', [...crowd.slice(20), added], ['spec.list[20].name']],
  ])('%s', async (name, list, fields) => {
    const row = { name, old: { '/spec/list': crowd }, set: { '/spec/list': list, '/spec/note': 'new' } };
    expect(await found(rule, row)).toEqual(fields);
    expect(await found(slow, row)).toEqual(fields);
  });
  test('of the new ones, as many as of a new object', async () => {
    const row = { name: '', old: { '/spec/list': [] }, set: { '/spec/list': crowd } };
    expect(await found(rule, row)).toEqual(crowd.slice(0, 32).map((_, n) => `spec.list[${n}].name`));
  });
  test('all alike: as many as before pass', async () => {
    const alike = (length: number) => Array.from({ length }, () => ({ name: 'bad', a: null }));
    const row = { name: '', old: { '/spec/list': alike(5000) }, set: { '/spec/list': alike(5001) } };
    expect(await found(rule, row)).toHaveLength(1);
  });

  test('a large entry passes where it stands, and with what is beside its fault changed; elsewhere it counts as new', async () => {
    const members = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`m${n}`, n]));
    const large: Json = { name: members, note: 'old' };
    const row = (list: readonly Json[]) => ({ name: '', old: { '/spec/list': [large] }, set: { '/spec/list': list } });
    expect(await found(rule, row([{ name: members, note: 'new' }]))).toEqual([]);
    expect(await found(rule, row([{ name: { ...members, m7: 0 } }]))).toEqual(['spec.list[0].name']);
    expect(await found(rule, row([{ name: 'ok' }, large]))).toEqual(['spec.list[1].name']);
  });
});

describe('listening', () => {
  test('a rule may have no check at all', async () => {
    const rule: Rule = { id: 'claim/silent', concept: 'claim', on: ['CREATE'], meta: META };
    expect(await judge(rule, { name: '' })).toMatchObject({ outcome: 'allowed', findings: [] });
  });
  test('rules that need nobody else are all heard at once: nothing is awaited between them', async () => {
    let heard = false;
    const second = ruleOf('claim/second', () => {
      heard = true;
      return [];
    });
    const engine = createEngine({ point: 'webhook', catalogue: [dislikes(['spec', 'value']), second] });
    const verdict = engine.evaluate(subjectOf(custom, { name: '', set: { '/spec/value': 'bad' } }), viewOf([]));
    expect(heard).toBe(true);
    await verdict;
  });
  test('a message of a kind falls back to its general one, and to one that fits all', async () => {
    const say = (messageId: string) =>
      ruleOf('claim/says', () => [{ path: ['spec'], messageId, data: { value: 'v' } }]);
    const message = async (messageId: string) => (await judge(say(messageId), { name: '' })).findings[0]?.message;
    expect(await message('bad')).toBe('is bad, got "v"');
    expect(await message('bad:special')).toBe('is bad, got "v"');
    expect(await message('unheard:of')).toBe('is not as it must be, got "v"');
  });
});

describe('what passes says nothing else', () => {
  test('the whole verdict', async () => {
    const rule: Rule = { id: 'feature/x', concept: 'feature', on: ['CREATE'], meta: META };
    expect(await judge(rule, { name: '' })).toEqual({
      outcome: 'allowed',
      findings: [],
      indeterminate: [],
      crashes: [],
      silentUnknowns: [],
      passed: 'unjudged',
    });
  });
  test('an object on its way out may be deleted again, whatever else differs', async () => {
    const subject = subjectOf(custom, {
      name: '',
      operation: 'DELETE',
      old: { '/metadata/deletionTimestamp': '2026-01-01T00:00:00Z' },
    });
    const other = { ...subject, object: freeze({ spec: { value: 'another' } }) };
    const engine = createEngine({ point: 'webhook', catalogue: [dislikes(['spec', 'value'])] });
    expect((await engine.evaluate(other, viewOf([]))).passed).toBe('terminating');
  });
  test('a namespace is exempt by its own name alone', async () => {
    const { policy } = createEngine({ point: 'webhook' });
    const exemptions = { ...policy.exemptions, namespaces: new Set(['quiet']) };
    const engine = createEngine({ policy: { ...policy, exemptions }, point: 'webhook' });
    expect((await engine.evaluate(subjectOf(feature, { name: '' }), viewOf([]))).passed).toBeUndefined();
  });
});

describe('reading once', () => {
  test('a namespace tells two reads apart', async () => {
    const asked: string[] = [];
    const rule = ruleOf('claim/reads', async function* ({ view, dialect }): AsyncIterable<Yielded> {
      for (const namespace of ['a', 'b', 'a']) {
        await view.get({ dialect, name: 'x', namespace });
        await view.list(dialect, namespace);
      }
      await view.get({ dialect, name: 'x' });
      await view.list(dialect);
      yield* [];
    });
    const view = {
      get: async ({ namespace }: { namespace?: string }) => {
        asked.push(`get ${namespace}`);
        return { known: true, value: undefined } as const;
      },
      list: async (_: unknown, namespace?: string) => {
        asked.push(`list ${namespace}`);
        return { known: true, value: [] } as const;
      },
    };
    await createEngine({ point: 'webhook', catalogue: [rule] }).evaluate(subjectOf(custom, { name: '' }), view);
    expect(asked).toEqual(['get a', 'list a', 'get b', 'list b', 'get undefined', 'list undefined']);
  });

  test('a name and a dialect tell two reads apart, too', async () => {
    const asked: string[] = [];
    const rule = ruleOf('claim/reads', async function* ({ view, dialect }): AsyncIterable<Yielded> {
      for (const other of [dialect, clusterProperty, dialect]) {
        for (const name of ['x', 'y', 'x']) await view.get({ dialect: other, name });
        await view.list(other);
      }
      yield* [];
    });
    const view = {
      get: ({ dialect, name }: Reference) => {
        asked.push(`get ${dialect.name} ${name}`);
        return { known: true, value: undefined } as const;
      },
      list: (dialect: Dialect) => {
        asked.push(`list ${dialect.name}`);
        return { known: true, value: [] } as const;
      },
    };
    await createEngine({ point: 'webhook', catalogue: [rule] }).evaluate(subjectOf(custom, { name: '' }), view);
    expect(asked).toEqual(
      ['cluster-claim', 'cluster-property'].flatMap((kind) => [`get ${kind} x`, `get ${kind} y`, `list ${kind}`]),
    );
  });
});

describe('freeze', () => {
  test('all the way down, and what is frozen already is left', () => {
    const inner = { list: [{ deep: {} }] };
    const outer = freeze({ inner, text: 'x', nothing: null });
    expect(Object.isFrozen(outer) && Object.isFrozen(inner) && Object.isFrozen(inner.list[0]?.deep)).toBe(true);
    const half = Object.freeze({ open: {} });
    freeze(half);
    expect(Object.isFrozen(half.open)).toBe(false);
    expect(freeze(7)).toBe(7);
    expect(freeze(null)).toBe(null);
  });
});

/**
 * Lists with faults, edited by chance, against the rule in one sentence: of the problems of the new list, one is
 * dropped where the old list has it at the same path, or for the same entry wherever that is now; a further copy of an
 * entry is new.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { newProblems } from '../../../src/engine/new-problems.ts';
import type { Problem } from '../../../src/rules/rule.ts';

type List = readonly Json[];
const oneOf = (...values: Json[]) => fc.constantFrom(...values);

/** A member `x` is a fault unless it is "good". */
const entry: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ name: oneOf('a', 'b', 'c', 7, null), x: oneOf('good', 1, '1', [1]), note: oneOf(1, 2) }),
  },
  oneOf(null, 7, 'text', {}),
);
const lists = fc.array(entry, { maxLength: 6 });

const isRecord = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null;
const faultOf = (value: Json | undefined) => (isRecord(value) ? (value['x'] ?? 'good') : 'good');
const isFaulty = (value: Json | undefined) => faultOf(value) !== 'good';

function problemsIn(name: string, list: List): Problem[] {
  return list.flatMap((value, index) => (isFaulty(value) ? [{ path: [name, index, 'x'], messageId: 'bad' }] : []));
}

/** The indices of the entries whose problem is new. */
function newIn(name: string, before: List, now: List): number[] {
  const found = newProblems(problemsIn(name, now), { [name]: now }, problemsIn(name, before), { [name]: before });
  return found.map(({ path }) => path[1] as number);
}

/** What makes two faulty entries the same: the key and the fault, or all that an entry without its key holds. */
function identityOf(keyed: boolean, value: Json | undefined): string {
  const { name = null, note = null } = isRecord(value) ? value : {};
  return JSON.stringify(
    keyed && typeof name === 'string' ? [name, faultOf(value)] : ['whole', name, note, faultOf(value)],
  );
}

/** The further copies of each entry, but none that has its old fault at its old index. */
function expected(keyed: boolean, before: List, now: List): Map<string, number> {
  const counted = (list: List) => {
    const counts = new Map<string, number>();
    for (const value of list.filter(isFaulty)) {
      const identity = identityOf(keyed, value);
      counts.set(identity, (counts.get(identity) ?? 0) + 1);
    }
    return counts;
  };
  const isInPlace = (value: Json, index: number) =>
    isFaulty(before[index]) && JSON.stringify(faultOf(before[index])) === JSON.stringify(faultOf(value));
  const elsewhere = counted(now.filter((value, index) => !isInPlace(value, index)));
  const old = counted(before);
  const further = [...counted(now)].map(([identity, count]) => {
    const more = Math.max(0, count - (old.get(identity) ?? 0));
    return [identity, Math.min(more, elsewhere.get(identity) ?? 0)] as const;
  });
  return new Map(further.filter(([, count]) => count > 0));
}

const edit = fc.record({
  what: fc.constantFrom('move', 'replace', 'note', 'drop', 'add', 'copy'),
  from: fc.nat(7),
  to: fc.nat(7),
  entry,
});
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;

function edited(list: List, { what, from, to, entry: other }: Edit): List {
  if (what === 'add') return list.toSpliced(to, 0, other);
  const index = from % Math.max(1, list.length);
  const target = list[index];
  if (target === undefined) return list;
  if (what === 'move') return list.toSpliced(index, 1).toSpliced(to, 0, target);
  if (what === 'replace') return list.with(index, other);
  if (what === 'note') return list.with(index, isRecord(target) ? { ...target, note: to } : other);
  return what === 'drop' ? list.toSpliced(index, 1) : list.toSpliced(to, 0, target);
}

describe.each([
  ['properties', true],
  ['things', false],
] as const)('%s, with a key: %s', (name, keyed) => {
  test('edits yield what is new, and no more', () => {
    let dropped = 0;
    let kept = 0;
    fc.assert(
      fc.property(lists, fc.array(edit, { maxLength: 4 }), (before, edits) => {
        const now = edits.reduce(edited, before as List);
        const found = newIn(name, before, now);
        const counts = new Map<string, number>();
        for (const index of found) {
          const identity = identityOf(keyed, now[index]);
          counts.set(identity, (counts.get(identity) ?? 0) + 1);
        }
        expect(counts).toEqual(expected(keyed, before, now));
        dropped += problemsIn(name, now).length - found.length;
        kept += found.length;
      }),
      { numRuns: 3000 },
    );
    // Both happen often, or this shows nothing.
    expect(Math.min(dropped, kept)).toBeGreaterThan(500);
  });

  test('another order yields nothing', () => {
    const shuffled = lists.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(fc.property(shuffled, ([before, now]) => expect(newIn(name, before, structuredClone(now))).toEqual([])));
  });
});

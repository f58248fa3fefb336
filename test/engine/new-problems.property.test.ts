/**
 * An UPDATE is evaluated on what it changes: lists with faults, edited by chance, against what the rule catalogue says in one
 * sentence. Of the findings that the new list would have on its own, one is dropped where the old list has it at the same
 * path, or for the same entry wherever that stands now; a further copy of an entry is new.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createEngine, type Finding } from '../../src/engine/index.ts';
import { rule as shapeRule } from '../../src/rules/feature/shape.ts';
import { rule as providersRule } from '../../src/rules/inventory/access-providers.ts';
import { rule as conditionsRule } from '../../src/rules/inventory/conditions.ts';
import { rule as propertiesRule } from '../../src/rules/inventory/properties.ts';
import type { Json, JsonObject, Rule } from '../../src/rules/rule.ts';
import { feature, inventory, profile } from '../rules/bases.ts';
import { subjectOf, viewOf } from '../rules/rule-tester.ts';

type List = readonly Json[];

interface Subject {
  readonly rule: Rule;
  readonly base: JsonObject;
  /** The member of the status that holds the list, and what tells its entries apart. */
  readonly list: string;
  readonly keys: readonly string[];
  readonly entry: fc.Arbitrary<Json>;
}

const TIME = '2026-06-01T10:00:00Z';
const oneOf = <T extends Json>(...values: T[]) => fc.constantFrom<T>(...values);
const junk: fc.Arbitrary<Json> = oneOf<Json>(null, 7, 'text', {});

/** Entries of this kind, and now and then something else. */
const mostly = (arbitrary: fc.Arbitrary<Json>) => fc.oneof({ weight: 9, arbitrary }, junk);

const subjects: readonly Subject[] = [
  {
    rule: conditionsRule,
    base: inventory,
    list: 'conditions',
    keys: ['type'],
    entry: mostly(
      fc.record({
        type: oneOf<Json>('Joined', 'Healthy', 'Ready', 'no type', 7),
        status: oneOf<Json>('True', 'True', true, 'Maybe'),
        reason: oneOf<Json>('Probe', ''),
        message: oneOf<Json>('', 'note'),
        lastTransitionTime: oneOf<Json>(TIME, 'yesterday'),
      }),
    ),
  },
  {
    rule: propertiesRule,
    base: inventory,
    list: 'properties',
    keys: ['name'],
    entry: mostly(fc.record({ name: oneOf<Json>('a', 'b', 'c', '', 7, null), value: oneOf<Json>('x', 'y') })),
  },
  {
    rule: providersRule,
    base: profile,
    list: 'accessProviders',
    keys: ['name'],
    entry: mostly(
      fc.record({
        name: oneOf<Json>('a', 'b', 'c', 7),
        cluster: fc.record({
          server: oneOf<Json>('https://example.com', 'nowhere'),
          token: oneOf<Json>('', 'one', 'two'),
          note: oneOf<Json>('x', 'y'),
        }),
      }),
    ),
  },
  {
    rule: shapeRule,
    base: feature,
    list: 'uses',
    keys: ['version', 'enabled'],
    entry: mostly(
      fc.record({
        version: oneOf<Json>('1.30.0', '1.31.0', 7),
        enabled: oneOf<Json>('Enabled', 'Disabled', 'Maybe', true),
        reportTime: oneOf<Json>(TIME, 'yesterday', 5),
      }),
    ),
  },
];

const objectOf = ({ base, list }: Subject, entries: List): JsonObject => ({
  ...base,
  status: { ...(base['status'] as JsonObject), [list]: entries },
});

/** What the engine reports of a write of the status. */
async function reported(subject: Subject, before: List, now: List, rule = subject.rule): Promise<readonly Finding[]> {
  const template = subjectOf(subject.base, { name: '', subresource: 'status', old: {} });
  const object = objectOf(subject, now);
  const engine = createEngine({ point: 'webhook', catalogue: [rule] });
  const verdict = await engine.evaluate({ ...template, object, oldObject: objectOf(subject, before) }, viewOf([]));
  expect(verdict.crashes).toEqual([]);
  return verdict.findings;
}

/** A fault of a list that is judged on its own. */
interface Fault {
  /** Its place and its value. */
  readonly place: string;
  /** Its entry, where in the entry it stands, and its value. */
  readonly kind: string;
}

/** In one order; null is absent. */
const membersOf = (object: object): [string, unknown][] =>
  Object.entries(object)
    .filter(([, member]) => member !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** JSON with the members of objects in one order. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(membersOf(member))
      : member,
  ) ?? 'nothing';

function faultsOf({ keys }: Subject, list: List, findings: readonly Finding[]): Fault[] {
  return findings.map(({ path }) => {
    const [, , index, ...within] = path as [string, string, number, ...string[]];
    const entry = list[index];
    const member = (of: unknown, key: string): unknown => (of as Record<string, unknown> | null | undefined)?.[key];
    const own = keys.map((key) => member(entry, key));
    const identity = own.every((key) => typeof key === 'string') ? own : ['whole', text(entry)];
    const value = text(within.reduce<unknown>(member, entry) ?? undefined);
    return { place: text([path, value]), kind: text([identity, within, value]) };
  });
}

/** All the faults that a list has, none of them old. */
const allFaults = async (subject: Subject, list: List): Promise<Fault[]> =>
  faultsOf(subject, list, await reported(subject, [], list));

function counted(faults: readonly Fault[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of faults) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** How many findings of each kind are new: the copies that are more than there were, but none that stands where it stood. */
function expected(before: readonly Fault[], now: readonly Fault[]): Map<string, number> {
  const places = new Set(before.map(({ place }) => place));
  const old = counted(before);
  const elsewhere = counted(now.filter(({ place }) => !places.has(place)));
  const fresh = [...counted(now)].map(([kind, count]) => {
    const further = Math.max(0, count - (old.get(kind) ?? 0));
    return [kind, Math.min(further, elsewhere.get(kind) ?? 0)] as const;
  });
  return new Map(fresh.filter(([, count]) => count > 0));
}

interface Edit {
  readonly what: 'shuffle' | 'replace' | 'change' | 'move and change' | 'drop' | 'add' | 'copy';
  readonly from: number;
  readonly to: number;
  readonly entry: Json;
}

const editOf = (entry: fc.Arbitrary<Json>): fc.Arbitrary<Edit> =>
  fc.record({
    what: oneOf<Edit['what']>('shuffle', 'replace', 'change', 'move and change', 'drop', 'add', 'copy'),
    from: fc.nat(7),
    to: fc.nat(7),
    entry,
  });

/** One member of the entry taken from another. */
function changed(entry: Json, other: Json, which: number): Json {
  if (typeof entry !== 'object' || entry === null || typeof other !== 'object' || other === null) return other;
  const keys = Object.keys(other);
  const key = keys[which % Math.max(1, keys.length)];
  return key === undefined ? other : { ...entry, [key]: (other as JsonObject)[key] ?? null };
}

function edited(list: List, { what, from, to, entry }: Edit): List {
  const index = from % Math.max(1, list.length);
  const target = list[index];
  if (what === 'add') return list.toSpliced(to, 0, entry);
  if (target === undefined) return list;
  if (what === 'shuffle') return rotated(list, from, to);
  if (what === 'replace') return list.with(index, entry);
  if (what === 'change') return list.with(index, changed(target, entry, to));
  if (what === 'drop') return list.toSpliced(index, 1);
  if (what === 'copy') return list.toSpliced(to, 0, target);
  return list.toSpliced(index, 1).toSpliced(to, 0, changed(target, entry, from));
}

/** Another order, told by two numbers. */
function rotated(list: List, by: number, turn: number): List {
  const order = [...list.slice(by % list.length), ...list.slice(0, by % list.length)];
  return turn % 2 === 0 ? order : order.reverse();
}

const lists = (entry: fc.Arbitrary<Json>) => fc.array(entry, { maxLength: 6 });

describe.each(subjects.map((subject) => [subject.rule.id, subject] as const))('%s', (_, subject) => {
  test('edits by chance yield what is new, and no more', async () => {
    let dropped = 0;
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(
        lists(subject.entry),
        fc.array(editOf(subject.entry), { maxLength: 4 }),
        async (before, edits) => {
          const now = edits.reduce(edited, before as List);
          const findings = faultsOf(subject, now, await reported(subject, before, now));
          const [old, all] = [await allFaults(subject, before), await allFaults(subject, now)];
          // Beyond 32 the engine says no more.
          fc.pre(all.length < 32);
          expect(counted(findings)).toEqual(expected(old, all));
          for (const { place } of findings) expect(old.map((fault) => fault.place)).not.toContain(place);
          dropped += all.length - findings.length;
          kept += findings.length;
        },
      ),
      { numRuns: 300 },
    );
    // Both happen often, or this shows nothing.
    expect(Math.min(dropped, kept)).toBeGreaterThan(100);
  });

  test('what is unchanged yields nothing, nor does another order', async () => {
    await fc.assert(
      fc.asyncProperty(lists(subject.entry), fc.nat(7), fc.nat(7), async (list, by, turn) => {
        expect(await reported(subject, list, structuredClone(list))).toEqual([]);
        if (list.length > 0) expect(await reported(subject, list, rotated(list, by, turn))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('an entry that moves and is edited beside its fault keeps its old faults', async () => {
    const ofObject = subject.entry.filter(
      (entry) =>
        typeof entry === 'object' &&
        entry !== null &&
        subject.keys.every((key) => typeof (entry as JsonObject)[key] === 'string'),
    );
    const several = fc.array(ofObject, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(several, fc.nat(7), fc.nat(7), async (list, by, turn) => {
        const index = turn % list.length;
        const noted = list.with(index, { ...(list[index] as JsonObject), later: 'a field of a later version' });
        expect(await reported(subject, list, rotated(noted, by, turn))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

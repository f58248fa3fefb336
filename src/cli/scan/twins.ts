/**
 * What must not be shared: names and ids of inventory objects, each with who has it. Of an object nothing else is kept, so
 * that a fleet of any size fits; the rules that compare say the same of whole objects (a test holds the two together).
 */

import {
  ID_PROPERTIES,
  MANAGER_NAME,
  MEMBER_ID,
  MEMBERSHIP_PROPERTY,
  NAME,
  PROPERTIES,
  propertiesNamed,
} from '../../rules/inventory/reading.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject, Path, Problem } from '../../rules/rule.ts';

/** Whom an object is told of by: its place among the results, with its name there. */
export interface Named {
  readonly name: string;
  readonly namespace: string;
}

export interface Twins {
  /** Notes what the object must not share. `index` is its own. */
  add(index: number, named: Named, object: JsonObject): void;
  /** Who shares what, by rule: at most one problem a rule and object. */
  problems(nameOf: (index: number) => Named): ReadonlyMap<number, readonly Shared[]>;
}

export interface Shared {
  readonly ruleId: string;
  readonly problem: Problem;
}

/** An object has one id in one ClusterSet. One that lists hundreds is not compared by all of them. */
const MOST_KEYS = 64;

/** @param asked the rules that are not set to `ignore` for this kind */
export function createTwins(asked: ReadonlySet<string>): Twins {
  const groups: Groups = new Map();
  const note = (index: number, rule: RuleKey, parts: readonly string[], place = -1) => {
    const key = JSON.stringify([rule, ...parts]);
    const before = groups.get(key);
    const member = index * PLACES + place + 1;
    if (before === undefined) groups.set(key, member);
    else if (typeof before === 'number') groups.set(key, [before, member]);
    else before.push(member);
  };
  return {
    add(index, { name, namespace }, object) {
      if (asked.has(UNIQUE_NAME)) note(index, 'name', [name]);
      const memberId = asked.has(UNIQUE_MEMBER) ? textAt(object, MEMBER_ID) : undefined;
      if (memberId) note(index, 'member', [namespace, memberId]);
      if (!asked.has(UNIQUE_ID)) return;
      for (const { parts, place } of identitiesOf(object)) note(index, 'id', [namespace, ...parts], place);
    },
    problems: (nameOf) => problemsIn(groups, nameOf),
  };
}

const UNIQUE_ID = 'inventory/unique-cluster-id';
const UNIQUE_NAME = 'inventory/unique-name';
const UNIQUE_MEMBER = 'inventory/member-id-unique';

/** Short, for they stand in each key. */
const RULES = { id: UNIQUE_ID, name: UNIQUE_NAME, member: UNIQUE_MEMBER } as const;
type RuleKey = keyof typeof RULES;
type RuleId = (typeof RULES)[RuleKey];

/**
 * By rule and what is not to be shared, who has it: index and place (of the id among the properties, else -1) as one number.
 * Most have one member: of 100,000 objects, a list for each would be 15 MB more.
 */
type Groups = Map<string, number | number[]>;

/** More properties than an object can have. */
const PLACES = 2 ** 21;

function memberOf(member: number): { index: number; place: number } {
  return { index: Math.floor(member / PLACES), place: (member % PLACES) - 1 };
}

/** Manager, ClusterSet and id, for each id in each ClusterSet. An empty text names nothing. */
function identitiesOf(object: JsonObject): { parts: readonly string[]; place: number }[] {
  const manager = textAt(object, MANAGER_NAME);
  if (manager === undefined) return [];
  const named = (names: readonly string[]) => propertiesNamed(object, names).filter(({ value }) => value !== '');
  const sets = [...new Set(named([MEMBERSHIP_PROPERTY]).map(({ value }) => value))];
  const identities = named(ID_PROPERTIES).flatMap(({ path, value }) =>
    sets.map((set) => ({ parts: [manager, set, value], place: Number(path[2]) })),
  );
  return identities.slice(0, MOST_KEYS);
}

/** That an object shares something, with whom, and where it says so. */
interface Collision {
  readonly ruleId: RuleId;
  readonly value: string;
  readonly other: number;
  readonly place: number;
}

type NameOf = (index: number) => Named;

function problemsIn(groups: Groups, nameOf: NameOf): Map<number, readonly Shared[]> {
  const found = new Map<number, Map<string, Collision>>();
  for (const [key, members] of groups) {
    if (typeof members === 'number') continue;
    const all = members.map(memberOf);
    const { first, second } = twoOf(all, nameOf);
    if (first === undefined || second === undefined) continue;
    const [rule, ...parts] = JSON.parse(key) as [RuleKey, ...string[]];
    for (const { index, place } of all) {
      const other = isSame(nameOf(index), nameOf(first)) ? second : first;
      keepNearest(found, index, { ruleId: RULES[rule], value: parts.at(-1) ?? '', other, place });
    }
  }
  const shared = (collisions: ReadonlyMap<string, Collision>) =>
    [...collisions.values()].map((one) => tell(one, nameOf));
  return new Map([...found].map(([index, collisions]) => [index, shared(collisions)]));
}

/** The first member, and the first that is another object: each member is told of one of the two. */
function twoOf(members: readonly { readonly index: number }[], nameOf: NameOf): { first?: number; second?: number } {
  const first = members[0]?.index;
  if (first === undefined) return {};
  const second = members.find(({ index }) => !isSame(nameOf(first), nameOf(index)))?.index;
  return second === undefined ? { first } : { first, second };
}

/** An object given twice (in two files) is no twin of itself. */
function isSame(a: Named, b: Named): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}

/** One cause, one finding: of all that an object shares by one rule, what it shares with whom came first. */
function keepNearest(found: Map<number, Map<string, Collision>>, index: number, collision: Collision): void {
  const known = found.get(index) ?? new Map<string, Collision>();
  found.set(index, known);
  const before = known.get(collision.ruleId);
  const nearer = before === undefined || collision.other < before.other;
  // By several ids with the same one: the first of its own.
  if (nearer || (collision.other === before.other && collision.place < before.place))
    known.set(collision.ruleId, collision);
}

function tell({ ruleId, value, other, place }: Collision, nameOf: NameOf): Shared {
  const { name, namespace } = nameOf(other);
  const problem = (path: Path, data: Problem['data']): Shared => ({
    ruleId,
    problem: { path, messageId: 'taken', ...(data && { data }) },
  });
  if (ruleId === UNIQUE_NAME) return problem(NAME, { name: value, namespace });
  if (ruleId === UNIQUE_MEMBER) return problem(MEMBER_ID, { value, other: name });
  return problem([...PROPERTIES, place, 'value'], { value, other: name });
}

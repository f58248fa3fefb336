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
  const groups = new Map<string, Group>();
  const note = (index: number, ruleId: Group['ruleId'], parts: readonly string[], place = -1) => {
    const key = JSON.stringify([ruleId, ...parts]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ruleId, members: [index, place] });
    else group.members.push(index, place);
  };
  return {
    add(index, { name, namespace }, object) {
      if (asked.has(UNIQUE_NAME)) note(index, UNIQUE_NAME, [name]);
      const memberId = asked.has(UNIQUE_MEMBER) ? textAt(object, MEMBER_ID) : undefined;
      if (memberId) note(index, UNIQUE_MEMBER, [namespace, memberId]);
      if (!asked.has(UNIQUE_ID)) return;
      for (const { parts, place } of identitiesOf(object)) note(index, UNIQUE_ID, [namespace, ...parts], place);
    },
    problems: (nameOf) => problemsIn(groups, nameOf),
  };
}

const UNIQUE_ID = 'inventory/unique-cluster-id';
const UNIQUE_NAME = 'inventory/unique-name';
const UNIQUE_MEMBER = 'inventory/member-id-unique';

interface Group {
  readonly ruleId: typeof UNIQUE_ID | typeof UNIQUE_NAME | typeof UNIQUE_MEMBER;
  /** Index and place (of the id among the properties, else -1) of each, flat: most groups have one member. */
  readonly members: number[];
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
  readonly ruleId: Group['ruleId'];
  readonly value: string;
  readonly other: number;
  readonly place: number;
}

type NameOf = (index: number) => Named;

function problemsIn(groups: ReadonlyMap<string, Group>, nameOf: NameOf): Map<number, readonly Shared[]> {
  const found = new Map<number, Map<string, Collision>>();
  for (const [key, { ruleId, members }] of groups) {
    const { first, second } = twoOf(members, nameOf);
    if (first === undefined || second === undefined) continue;
    const value = String((JSON.parse(key) as string[]).at(-1));
    for (let at = 0; at < members.length; at += 2) {
      const index = members[at] ?? 0;
      const other = isSame(nameOf(index), nameOf(first)) ? second : first;
      keepNearest(found, index, { ruleId, value, other, place: members[at + 1] ?? -1 });
    }
  }
  const shared = (collisions: ReadonlyMap<string, Collision>) =>
    [...collisions.values()].map((one) => tell(one, nameOf));
  return new Map([...found].map(([index, collisions]) => [index, shared(collisions)]));
}

/** The first member, and the first that is another object: each member is told of one of the two. */
function twoOf(members: readonly number[], nameOf: NameOf): { first?: number; second?: number } {
  const [first] = members;
  if (first === undefined) return {};
  for (let at = 2; at < members.length; at += 2) {
    const second = members[at] ?? 0;
    if (!isSame(nameOf(first), nameOf(second))) return { first, second };
  }
  return { first };
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

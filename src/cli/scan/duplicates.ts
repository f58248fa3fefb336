/** Finds stored objects that share what must be unique. Of an object only its keys are kept, so that a fleet of any size fits. */
import { taken } from '../../rules/inventory/unique.ts';
import type { JsonObject, Path, Problem, Rule, UniqueKey } from '../../rules/rule.ts';

/** The name under which an object is reported. An object without a namespace has the empty one. */
export interface ObjectName {
  readonly name: string;
  readonly namespace: string;
}

export interface Duplicates {
  /** Notes the keys of an object; `index` is that of its result. */
  add(index: number, object: JsonObject): void;
  /** The problems of each object that shares a key, by its index: at most one for each rule. */
  problems(): ReadonlyMap<number, ReadonlyMap<string, Problem>>;
}

/** @param rules those with keys that apply to the kind; @param nameOf the name of an object by its index */
export function createDuplicates(rules: readonly Rule[], nameOf: (index: number) => ObjectName): Duplicates {
  const paths = createPaths();
  const holders = new Map(rules.map(({ id }) => [id, new Map<string, number | number[]>()]));
  return {
    add(index, object) {
      for (const { id, unique } of rules) {
        const scope = unique?.within === 'namespace' ? nameOf(index).namespace : '';
        unique?.keysOf(object).forEach(({ parts, path }, rank) => {
          const holder = (index * MOST_KEYS + rank) * MOST_PATHS + paths.idOf(path);
          addTo(holders.get(id), JSON.stringify([scope, ...parts]), holder);
        });
      }
    },
    problems() {
      const found = new Map<number, Map<string, Problem>>();
      for (const [ruleId, ofRule] of holders) {
        for (const [index, { key, other }] of collisionsIn(ofRule, nameOf, paths.pathOf)) {
          const problems = found.get(index) ?? new Map<string, Problem>();
          found.set(index, problems.set(ruleId, taken(key, nameOf(other))));
        }
      }
      return found;
    },
  };
}

/** A holder of a key is a number made of the object's index, the rank of the key in it, and the path: 100,000 lists would be 15 MB more. */
const MOST_KEYS = 64;
/** More than an object can have properties. */
const MOST_PATHS = 2 ** 21;

function addTo(holders: Map<string, number | number[]> | undefined, key: string, holder: number): void {
  const before = holders?.get(key);
  if (Array.isArray(before)) before.push(holder);
  else holders?.set(key, before === undefined ? holder : [before, holder]);
}

interface Collision {
  readonly key: UniqueKey;
  /** The index of the other object. */
  readonly other: number;
  readonly rank: number;
}

/** Of all that an object shares, what it shares with the object that came first: one cause, one finding. */
function collisionsIn(
  holders: ReadonlyMap<string, number | number[]>,
  nameOf: (index: number) => ObjectName,
  pathOf: (id: number) => Path,
): ReadonlyMap<number, Collision> {
  const found = new Map<number, Collision>();
  for (const [key, packed] of holders) {
    if (typeof packed === 'number') continue;
    const all = packed.map((holder) => ({
      index: Math.floor(holder / MOST_PATHS / MOST_KEYS),
      rank: Math.floor(holder / MOST_PATHS) % MOST_KEYS,
      path: pathOf(holder % MOST_PATHS),
    }));
    const isOther = (a: number, b: number) => !isSame(nameOf(a), nameOf(b));
    const parts = (JSON.parse(key) as string[]).slice(1);
    for (const { index, rank, path } of all) {
      const other = all.find((one) => isOther(one.index, index))?.index;
      if (other === undefined) break;
      const before = found.get(index);
      const isNearer = !before || other < before.other || (other === before.other && rank < before.rank);
      if (isNearer) found.set(index, { key: { parts, path }, other, rank });
    }
  }
  return found;
}

/** An object that two files hold is one object. */
function isSame(a: ObjectName, b: ObjectName): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}

/** Equal paths as one small number. */
function createPaths() {
  const ids = new Map<string, number>();
  const paths: Path[] = [];
  return {
    idOf(path: Path): number {
      const text = JSON.stringify(path);
      const id = ids.get(text) ?? paths.push(path) - 1;
      ids.set(text, id);
      return id;
    },
    pathOf: (id: number): Path => paths[id] ?? [],
  };
}

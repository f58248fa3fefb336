/** Finds stored objects that share what must be unique. Of an object only its keys are kept, so that a fleet of any size fits. */
import { taken } from '../../rules/inventory/unique.ts';
import type { JsonObject, Path, Problem, Rule } from '../../rules/rule.ts';
import type { Entry } from './results.ts';

export type Duplicates = ReturnType<typeof createDuplicates>;

/** An object that has a key. */
interface Holder {
  readonly entry: Entry;
  /** The position of the object among all. */
  readonly index: number;
  /** The position of the key among those of the object. */
  readonly rank: number;
  readonly path: Path;
}

/** Returns a collector of keys. @param rules those with keys that apply to the kind */
export function createDuplicates(rules: readonly Rule[]) {
  const kept = rules.flatMap(({ id, unique }) =>
    unique ? [{ id, unique, holders: new Map<string, Holder[]>() }] : [],
  );
  // Each path once: of 100,000 objects most have their keys at the same paths.
  const paths = new Map<string, Path>();
  let count = 0;
  return {
    /** Adds the keys of an object. */
    add(entry: Entry, object: JsonObject): void {
      const index = count++;
      for (const { unique, holders } of kept) {
        const scope = unique.within === 'namespace' ? entry.result.namespace : '';
        unique.keysOf(object).forEach(({ parts, path }, rank) => {
          const text = JSON.stringify(path);
          if (!paths.has(text)) paths.set(text, path);
          const holder = { entry, index, rank, path: paths.get(text) ?? path };
          const key = JSON.stringify([scope, ...parts]);
          const sharing = holders.get(key);
          if (sharing === undefined) holders.set(key, [holder]);
          else sharing.push(holder);
        });
      }
    },
    /** Returns the problems of each object that shares a key, by rule: at most one for each rule. */
    problems(): ReadonlyMap<Entry, ReadonlyMap<string, Problem>> {
      const found = new Map<Entry, Map<string, Problem>>();
      for (const { id, holders } of kept) {
        for (const [entry, { key, holder, other }] of collisionsIn(holders)) {
          const [, ...parts] = JSON.parse(key) as string[];
          const problems = found.get(entry) ?? new Map<string, Problem>();
          found.set(entry, problems.set(id, taken({ parts, path: holder.path }, other.entry.result)));
        }
      }
      return found;
    },
  };
}

/** Of all that an object shares, what it shares with the object that came first: one cause, one finding. */
function collisionsIn(holders: ReadonlyMap<string, readonly Holder[]>) {
  const found = new Map<Entry, { readonly key: string; readonly holder: Holder; readonly other: Holder }>();
  for (const [key, sharing] of holders) {
    for (const holder of sharing) {
      const other = sharing.find(({ entry }) => !isSame(entry, holder.entry));
      if (other === undefined) break;
      const before = found.get(holder.entry);
      const distance = before ? other.index - before.other.index || holder.rank - before.holder.rank : -1;
      if (distance < 0) found.set(holder.entry, { key, holder, other });
    }
  }
  return found;
}

/** An object that two files hold is one object. */
function isSame({ result: a }: Entry, { result: b }: Entry): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}

/**
 * An UPDATE is judged on what it changes: what judging the stored object alone would yield too (same rule, place and
 * value) is dropped, so that objects older than the webhook stay editable.
 */
import { at, isObject } from '../rules/json.ts';
import type { Json, Path, Problem } from '../rules/rule.ts';

/** The problems that are new; each of the stored object absorbs one that is like it. */
export function newProblems(
  problems: readonly Problem[],
  object: Json,
  before: readonly Problem[],
  oldObject: Json,
): Problem[] {
  const older = new Older(before, oldObject);
  // The same entry first, so that one which merely took its place does not use up what was said of it.
  const others = problems.filter(({ path }) => !older.absorbs(entryKey(path, object)));
  return others.filter(({ path }) => !older.absorbs(placeKey(path, object)));
}

/** Problems by what they are like: lists are long, and comparing each with each takes too long. */
class Older {
  private readonly left = new Map<string, number[]>();
  private readonly used = new Set<number>();

  constructor(problems: readonly Problem[], object: Json) {
    for (const [index, { path }] of problems.entries()) {
      this.add(entryKey(path, object), index);
      this.add(placeKey(path, object), index);
    }
  }

  absorbs(key: string): boolean {
    const twins = this.left.get(key) ?? [];
    for (let twin = twins.pop(); twin !== undefined; twin = twins.pop()) {
      if (this.used.has(twin)) continue;
      this.used.add(twin);
      return true;
    }
    return false;
  }

  private add(key: string, index: number): void {
    const twins = this.left.get(key);
    if (twins === undefined) this.left.set(key, [index]);
    else twins.push(index);
  }
}

/**
 * An entry of a list is the same wherever in the list it stands now. A missing or equal member says little there: the whole
 * entry must be the same.
 */
function entryKey(path: Path, object: Json): string {
  const index = path.findLastIndex((step) => typeof step === 'number');
  const place = path.map((step) => (typeof step === 'number' ? 0 : step));
  return `entry ${canonical([place, at(object, path), index < 0 ? undefined : at(object, path.slice(0, index + 1))])}`;
}

/** An entry that stays where it is may change beside its fault. */
function placeKey(path: Path, object: Json): string {
  return `place ${canonical([path, at(object, path)])}`;
}

/** A text that two values share exactly where `same` finds them equal: members in one order, none that is null. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (!isObject(member)) return member;
    const kept = Object.entries(member).filter(([, inner]) => inner !== null);
    return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

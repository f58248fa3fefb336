/**
 * An UPDATE is judged on what it changes: what judging the stored object alone would yield too (same rule, place and
 * value) is dropped, so that objects older than the webhook stay editable.
 */
import { at, isObject, same } from '../rules/json.ts';
import type { Json, Path, Problem } from '../rules/rule.ts';

/** Values that an entry, or what a problem is about, may hold to be written out for a comparison. No real one comes near. */
const LARGE = 1000;

/** The problems that are new; each of the stored object absorbs one that is like it. */
export function newProblems(
  problems: readonly Problem[],
  object: Json,
  before: readonly Problem[],
  oldObject: Json,
): Problem[] {
  const likeness = new Likeness();
  const older = new Older(before, likeness, oldObject, object);
  // The same entry first, so that one which merely took its place does not use up what was said of it.
  const others = problems.filter(({ path }) => !older.absorbs(likeness.entryKey(path, object)));
  return others.filter(({ path }) => !older.absorbs(likeness.placeKey(path, object, oldObject)));
}

/** Problems by what they are like: lists are long, and comparing each with each takes too long. */
class Older {
  private readonly left = new Map<string, number[]>();
  private readonly used = new Set<number>();

  constructor(problems: readonly Problem[], likeness: Likeness, object: Json, newObject: Json) {
    for (const [index, { path }] of problems.entries()) {
      this.add(likeness.entryKey(path, object), index);
      this.add(likeness.placeKey(path, object, newObject), index);
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

/** Keys of problems, short ones: a value is written out once, however many problems it has, and then goes by a number. */
class Likeness {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<Json, string>();
  private unlike = 0;

  /**
   * An entry of a list is the same wherever in the list it stands now. A missing or equal member says little there: the
   * whole entry must be the same. Of a large one it is not asked whether it moved.
   */
  entryKey(path: Path, object: Json): string {
    const index = path.findLastIndex((step) => typeof step === 'number');
    const place = path.map((step) => (typeof step === 'number' ? 0 : step));
    const entry = index < 0 ? undefined : at(object, path.slice(0, index + 1));
    return `entry ${JSON.stringify(place)} ${this.nameOf(at(object, path))} ${this.nameOf(entry)}`;
  }

  /** An entry that stays where it is may change beside its fault. */
  placeKey(path: Path, object: Json, other: Json): string {
    const value = at(object, path);
    const name = isLarge(value) && same(value, at(other, path)) ? 'stays' : this.nameOf(value);
    return `place ${JSON.stringify(path)} ${name}`;
  }

  /** A name that two values share exactly where `same` finds them equal; a large value shares its name with none. */
  private nameOf(value: Json | undefined): string {
    if (value === undefined) return '-';
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const name = isLarge(value) ? `unlike ${this.unlike++}` : this.numbered(canonical(value));
    this.known.set(value, name);
    return name;
  }

  private numbered(text: string): string {
    const number = this.numbers.get(text) ?? this.numbers.size;
    this.numbers.set(text, number);
    return String(number);
  }
}

/** Whether a value holds so many others that writing it out takes long. */
function isLarge(value: Json | undefined): boolean {
  const waiting: unknown[] = [value];
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen + waiting.length > LARGE) return true;
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members = Array.isArray(next) ? next : Object.values(next);
    if (members.length > LARGE) return true;
    waiting.push(...members);
  }
  return false;
}

/** A text that two values share exactly where `same` finds them equal: members in one order, none that is null. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join()}]`;
  if (!isObject(value)) return typeof value === 'string' ? `"${value.length}:${value}` : String(value);
  const keys = Object.keys(value).filter((key) => value[key] !== null);
  return `{${keys
    .sort()
    .map((key) => `${key.length}:${key}=${canonical(value[key] ?? null)}`)
    .join()}}`;
}

/**
 * An UPDATE is judged on what it changes: what judging the stored object alone would yield too (same rule, place and
 * value) is dropped, so that objects older than the webhook stay editable.
 */
import { comparing, type Steps } from '../rules/comparing.ts';
import { at, isObject } from '../rules/json.ts';
import { INTERRUPTIBLE, type Json, type Path, type Problem } from '../rules/rule.ts';

/** Values that an entry, or what a problem is about, may hold to be written out for a comparison. No real one comes near. */
const LARGE = 1000;

/** The problems that are new; each of the stored object absorbs one that is like it. Yields where it may be interrupted. */
export function* newProblems(
  problems: readonly Problem[],
  object: Json,
  before: readonly Problem[],
  oldObject: Json,
): Steps<Problem[]> {
  const likeness = new Likeness();
  const older = new Older();
  for (const [index, { path }] of before.entries()) {
    older.add(likeness.entryKey(path, oldObject), index);
    older.add(yield* likeness.placeKey(path, oldObject, object), index);
    yield INTERRUPTIBLE;
  }
  // The same entry first, so that one which merely took its place does not use up what was said of it.
  const others: Problem[] = [];
  for (const problem of problems) {
    if (!older.absorbs(likeness.entryKey(problem.path, object))) others.push(problem);
    yield INTERRUPTIBLE;
  }
  const news: Problem[] = [];
  for (const problem of others) {
    if (!older.absorbs(yield* likeness.placeKey(problem.path, object, oldObject))) news.push(problem);
    yield INTERRUPTIBLE;
  }
  return news;
}

/** Problems by what they are like: lists are long, and comparing each with each takes too long. */
class Older {
  private readonly left = new Map<string, number[]>();
  private readonly used = new Set<number>();

  absorbs(key: string): boolean {
    const twins = this.left.get(key) ?? [];
    for (let twin = twins.pop(); twin !== undefined; twin = twins.pop()) {
      if (this.used.has(twin)) continue;
      this.used.add(twin);
      return true;
    }
    return false;
  }

  add(key: string, index: number): void {
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
  *placeKey(path: Path, object: Json, other: Json): Steps<string> {
    const value = at(object, path);
    const name = isLarge(value) && (yield* comparing(value, at(other, path))) ? 'stays' : this.nameOf(value);
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
    // The keys of a large map first: its values take three times as long.
    if ((Array.isArray(next) ? next : Object.keys(next)).length > LARGE) return true;
    waiting.push(...Object.values(next));
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

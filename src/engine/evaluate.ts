/** Asks one rule about one request: its shapes, then its check. A rule that throws is a crash, never a passing. */
import { at, same } from '../rules/json.ts';
import type { Context, Json, Path, Problem, Rule, Unknown, Yielded } from '../rules/rule.ts';
import { shapeProblems } from './shapes.ts';

export interface Evaluation {
  readonly problems: readonly Problem[];
  readonly unknowns: readonly Unknown[];
}

/** The most a rule is listened to: enough to mend by, and bounded. */
const MOST_YIELDED = 32;
const NOTHING: Evaluation = { problems: [], unknowns: [] };

/** What the rule says of the request; at once where the rule needs no other object. Throws what the rule throws. */
export function evaluate(rule: Rule, context: Context): Evaluation | Promise<Evaluation> {
  const found = listen(rule, context);
  if (found instanceof Promise) return found.then((yielded) => settle(rule, context, yielded));
  return settle(rule, context, found);
}

function listen(rule: Rule, context: Context): Yielded[] | Promise<Yielded[]> {
  const yielded: Yielded[] = [];
  if (rule.shapes) take(yielded, shapeProblems(rule, context));
  const more = rule.check?.(context);
  if (more === undefined) return yielded;
  if (Symbol.iterator in more) return take(yielded, more);
  return takeAsync(yielded, more);
}

function take(into: Yielded[], from: Iterable<Yielded>): Yielded[] {
  for (const item of from) {
    into.push(item);
    if (into.length >= MOST_YIELDED) break;
  }
  return into;
}

async function takeAsync(into: Yielded[], from: AsyncIterable<Yielded>): Promise<Yielded[]> {
  for await (const item of from) {
    into.push(item);
    if (into.length >= MOST_YIELDED) break;
  }
  return into;
}

function settle(rule: Rule, context: Context, yielded: readonly Yielded[]): Evaluation | Promise<Evaluation> {
  if (yielded.length === 0) return NOTHING;
  const problems = yielded.filter((item): item is Problem => 'messageId' in item);
  const unknowns = yielded.filter((item): item is Unknown => 'unknown' in item);
  const { oldObject } = context;
  if (problems.length === 0 || context.operation !== 'UPDATE' || oldObject === undefined) return { problems, unknowns };
  const before = listen(rule, { ...context, object: oldObject });
  const withoutOlder = (old: readonly Yielded[]): Evaluation => ({
    problems: added(problems, context.object, old, oldObject),
    unknowns,
  });
  return before instanceof Promise ? before.then(withoutOlder) : withoutOlder(before);
}

/**
 * An UPDATE is judged on what it changes: what judging the stored object alone would yield too (same rule, place and
 * value) is dropped. An entry of a list is the same wherever in the list it stands now; each old finding absorbs one.
 */
function added(problems: readonly Problem[], object: Json, before: readonly Yielded[], oldObject: Json): Problem[] {
  const older = before.filter((item): item is Problem => 'messageId' in item);
  return problems.filter((problem) => {
    const twin = older.findIndex(
      (old) =>
        samePlace(old.path, problem.path) &&
        same(at(oldObject, old.path), at(object, problem.path)) &&
        sameEntry(old.path, oldObject, problem.path, object),
    );
    if (twin >= 0) older.splice(twin, 1);
    return twin < 0;
  });
}

function samePlace(a: Path, b: Path): boolean {
  return (
    a.length === b.length &&
    a.every((step, index) => step === b[index] || (typeof step === 'number' && typeof b[index] === 'number'))
  );
}

/** Within a list, a missing or equal member says little; the whole entry must be the same. */
function sameEntry(oldPath: Path, oldObject: Json, path: Path, object: Json): boolean {
  const index = path.findLastIndex((step) => typeof step === 'number');
  if (index < 0) return true;
  return (
    same(at(oldObject, oldPath.slice(0, index + 1)), at(object, path.slice(0, index + 1))) ||
    oldPath[index] === path[index]
  );
}

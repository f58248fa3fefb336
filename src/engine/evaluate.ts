/** Asks one rule about one request: its shapes, then its check. A rule that throws is a crash, never a passing. */
import type { Context, Problem, Rule, Unknown, Yielded } from '../rules/rule.ts';
import { newProblems } from './ratchet.ts';
import { shapeProblems } from './shapes.ts';

export interface Evaluation {
  readonly problems: readonly Problem[];
  readonly unknowns: readonly Unknown[];
}

/** The most a rule is listened to: enough to mend by, and bounded. */
const MOST_YIELDED = 32;
/** What two objects are compared by: with less, new problems could hide behind as many old ones. */
const MOST_COMPARED = 10_000;
const NOTHING: Evaluation = { problems: [], unknowns: [] };

/** What the rule says of the request; at once where the rule needs no other object. Throws what the rule throws. */
export function evaluate(rule: Rule, context: Context): Evaluation | Promise<Evaluation> {
  const found = listen(rule, context, MOST_YIELDED);
  if (found instanceof Promise) return found.then((yielded) => settle(rule, context, yielded));
  return settle(rule, context, found);
}

function listen(rule: Rule, context: Context, most: number): Yielded[] | Promise<Yielded[]> {
  const yielded: Yielded[] = [];
  if (rule.shapes) take(yielded, shapeProblems(rule, context), most);
  const more = rule.check?.(context);
  if (more === undefined) return yielded;
  if (Symbol.iterator in more) return take(yielded, more, most);
  return takeAsync(yielded, more, most);
}

function take(into: Yielded[], from: Iterable<Yielded>, most: number): Yielded[] {
  for (const item of from) {
    into.push(item);
    if (into.length >= most) break;
  }
  return into;
}

async function takeAsync(into: Yielded[], from: AsyncIterable<Yielded>, most: number): Promise<Yielded[]> {
  for await (const item of from) {
    into.push(item);
    if (into.length >= most) break;
  }
  return into;
}

function settle(rule: Rule, context: Context, yielded: readonly Yielded[]): Evaluation | Promise<Evaluation> {
  if (yielded.length === 0) return NOTHING;
  const problems = yielded.filter(isProblem);
  const unknowns = yielded.filter((item): item is Unknown => 'unknown' in item);
  const { oldObject } = context;
  if (problems.length === 0 || context.operation !== 'UPDATE' || oldObject === undefined) return { problems, unknowns };
  const before = listen(rule, { ...context, object: oldObject }, MOST_COMPARED);
  if (before instanceof Promise) return before.then((old) => added(rule, context, yielded, old));
  return added(rule, context, yielded, before);
}

/** What the stored object would not have yielded, too. Where it yields nothing, all there is was heard already. */
function added(
  rule: Rule,
  context: Context,
  yielded: readonly Yielded[],
  before: readonly Yielded[],
): Evaluation | Promise<Evaluation> {
  const old = before.filter(isProblem);
  const unknowns = yielded.filter((item): item is Unknown => 'unknown' in item);
  if (old.length === 0) return { problems: yielded.filter(isProblem), unknowns };
  const all = yielded.length < MOST_YIELDED ? yielded : listen(rule, context, MOST_COMPARED);
  const fresh = (now: readonly Yielded[]): Evaluation => {
    const news = newProblems(now.filter(isProblem), context.object, old, context.oldObject ?? null);
    return { problems: news.slice(0, MOST_YIELDED), unknowns };
  };
  return all instanceof Promise ? all.then(fresh) : fresh(all);
}

function isProblem(item: Yielded): item is Problem {
  return 'messageId' in item;
}

/** Asks one rule about one request: its shapes, then its check. A rule that throws is a crash, never a passing. */
import {
  type Context,
  INTERRUPTIBLE,
  type Interruptible,
  NOTHING,
  type Problem,
  type Unknown,
  type Yielded,
} from '../rules/rule.ts';
import { newProblems } from './new-problems.ts';
import { hurry, type Pace, stroll } from './pace.ts';
import type { Planned } from './plan.ts';
import { shapeProblems } from './shapes.ts';

export interface Evaluation {
  readonly problems: readonly Problem[];
  readonly unknowns: readonly Unknown[];
}
/** A rule with those of its shapes that hold on the request. */
type Asked = Pick<Planned, 'check' | 'shapes'>;

/** The most a rule is listened to: enough to mend by, and bounded. */
const MOST_YIELDED = 32;
/** What two objects are compared by: with less, new problems could hide behind as many old ones. */
const MOST_COMPARED = 10_000;
/** The evaluation of a rule that says nothing. */
export const SILENCE: Evaluation = { problems: [], unknowns: [] };

/**
 * What the rule says of the request; at once where the rule needs no other object. Throws (or rejects with) what the rule throws.
 * @param pace for what is large: the answer is then a promise, and the same
 */
export function evaluate(asked: Asked, context: Context, pace?: Pace): Evaluation | Promise<Evaluation> {
  const found = listen(asked, context, MOST_YIELDED, pace);
  if (found === NOTHING) return SILENCE;
  return found instanceof Promise ? settleLater(asked, context, found, pace) : settle(asked, context, found, pace);
}

/** Apart: a closure in `evaluate` would take room at every call, whether it is made or not. */
function settleLater(asked: Asked, context: Context, found: Promise<Heard>, pace?: Pace): Promise<Evaluation> {
  return found.then((yielded) => settle(asked, context, yielded, pace));
}

type Heard = readonly Yielded[];

function listen(asked: Asked, context: Context, most: number, pace?: Pace): Heard | Promise<Heard> {
  if (pace !== undefined) return listenPaced(asked, context, most, pace);
  const shaped = shapeProblems(asked.shapes, context.object);
  const yielded = shaped === NOTHING ? undefined : take([], shaped, most);
  const more = asked.check?.(context);
  if (more === undefined || more === NOTHING) return yielded ?? NOTHING;
  if (more instanceof Promise) return takeLater(yielded ?? [], more, most);
  return Symbol.iterator in more ? take(yielded ?? [], more, most) : takeAsync(yielded ?? [], more, most);
}

function takeLater(into: Yielded[], from: Promise<Iterable<Yielded | Interruptible>>, most: number): Promise<Heard> {
  return from.then((all) => take(into, all, most));
}

async function listenPaced({ check, shapes }: Asked, context: Context, most: number, pace: Pace): Promise<Heard> {
  const yielded: Yielded[] = [];
  if (pace.due) await pace.rest();
  await takePaced(yielded, shapeProblems(shapes, context.object), most, pace);
  const more = await check?.(context);
  if (more === undefined) return yielded;
  return Symbol.iterator in more ? takePaced(yielded, more, most, pace) : takeAsync(yielded, more, most);
}

function take(into: Yielded[], from: Iterable<Yielded | Interruptible>, most: number): Yielded[] {
  for (const item of from) {
    if (item === INTERRUPTIBLE) continue;
    into.push(item);
    if (into.length >= most) break;
  }
  return into;
}

async function takePaced(
  into: Yielded[],
  from: Iterable<Yielded | Interruptible>,
  most: number,
  pace: Pace,
): Promise<Yielded[]> {
  for (const item of from) {
    if (item !== INTERRUPTIBLE) into.push(item);
    if (into.length >= most) break;
    if (pace.due) await pace.rest();
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

function settle(asked: Asked, context: Context, yielded: Heard, pace?: Pace): Evaluation | Promise<Evaluation> {
  if (yielded.length === 0) return SILENCE;
  const said = { problems: yielded.filter(isProblem), unknowns: yielded.filter(isUnknown) };
  const { operation, oldObject } = context;
  if (said.problems.length === 0 || operation !== 'UPDATE' || oldObject === undefined) return said;
  const before = listen(asked, { ...context, object: oldObject }, MOST_COMPARED, pace);
  if (before === NOTHING) return said;
  if (before instanceof Promise) return before.then((old) => added(asked, context, yielded, old, pace));
  return added(asked, context, yielded, before, pace);
}

/** What the stored object would not have yielded, too. Where it yields nothing, all there is was heard already. */
function added(
  asked: Asked,
  context: Context,
  yielded: Heard,
  before: Heard,
  pace?: Pace,
): Evaluation | Promise<Evaluation> {
  const old = before.filter(isProblem);
  const unknowns = yielded.filter(isUnknown);
  if (old.length === 0) return { problems: yielded.filter(isProblem), unknowns };
  const all = yielded.length < MOST_YIELDED ? yielded : listen(asked, context, MOST_COMPARED, pace);
  const fresh = (now: Heard) => newProblems(now.filter(isProblem), context.object, old, context.oldObject ?? null);
  const told = (news: readonly Problem[]): Evaluation => ({ problems: news.slice(0, MOST_YIELDED), unknowns });
  if (all instanceof Promise || pace !== undefined)
    return Promise.resolve(all).then(async (now) => told(pace ? await stroll(fresh(now), pace) : hurry(fresh(now))));
  return told(hurry(fresh(all)));
}

function isProblem(item: Yielded): item is Problem {
  return 'messageId' in item;
}

function isUnknown(item: Yielded): item is Unknown {
  return 'unknown' in item;
}

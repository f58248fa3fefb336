/** Walks every state that allowed writes reach, tries every write from each, and holds each answer against the norm. */

/** What is answered to a write. */
export interface Answer {
  readonly allowed: boolean;
  /** How many warnings an allowed write comes with; undefined where they are not asked for. */
  readonly warnings?: number;
}

export interface TransitionSystem<S> {
  readonly initial: readonly S[];
  /** Equal for states that are the same up to renaming. */
  keyOf(state: S): string;
  /** What happens without a write of the status: the clock passes, the user's wish changes. */
  drift(state: S): Iterable<S>;
  /** Every write the system knows, the one that changes nothing included. */
  candidates(state: S): Iterable<S>;
  judge(from: S, to: S): Answer | Promise<Answer>;
  /** The sentences of the norm that the write breaks. */
  broken(from: S, to: S): readonly string[];
  /** The recommendations of the norm that the write does not follow. */
  unheeded(from: S, to: S): readonly string[];
  /** The sentences of the norm that the state itself breaks. */
  brokenState(state: S): readonly string[];
}

/**
 * An answer that is not the norm's: allowed though a sentence is broken, refused though none is, or with other
 * warnings.
 */
interface Wrong<S> extends Answer {
  readonly broken: readonly string[];
  readonly unheeded: readonly string[];
  readonly from: S;
  readonly to: S;
}

interface Explored<S> {
  readonly states: readonly S[];
  readonly tried: number;
  readonly allowed: number;
  /** The first few. */
  readonly wrong: readonly Wrong<S>[];
  /** States from which no state of the goal can be reached. */
  deadEnds(goal: (state: S) => boolean): S[];
}

/** Explores until all is seen, or until so many answers are wrong. */
export async function explore<S>(system: TransitionSystem<S>, enough = 5): Promise<Explored<S>> {
  const graph = new Graph<S>(system.keyOf);
  const wrong: Wrong<S>[] = [];
  let tried = 0;
  let allowed = 0;
  for (const state of system.initial) graph.add(state);
  for (let index = 0; index < graph.states.length && wrong.length < enough; index++) {
    const from = graph.states[index] as S;
    for (const next of system.drift(from)) graph.link(index, next);
    for (const to of system.candidates(from)) {
      if (wrong.length >= enough) break;
      tried++;
      const given = system.judge(from, to);
      const answer = given instanceof Promise ? await given : given;
      const broken = system.broken(from, to);
      const unheeded = broken.length === 0 ? system.unheeded(from, to) : [];
      if (!isOf(answer, broken, unheeded)) wrong.push({ ...answer, broken, unheeded, from, to });
      if (!answer.allowed) continue;
      allowed++;
      graph.link(index, to);
    }
    const broken = system.brokenState(from);
    if (broken.length > 0) wrong.push({ allowed: true, broken, unheeded: [], from, to: from });
  }
  return { states: graph.states, tried, allowed, wrong, deadEnds: (goal) => graph.cutOffFrom(goal) };
}

/** Whether an answer is the one to a write that breaks and does not heed these. */
function isOf({ allowed, warnings }: Answer, broken: readonly string[], unheeded: readonly string[]): boolean {
  if (broken.length > 0) return !allowed;
  return allowed && (warnings ?? unheeded.length) === unheeded.length;
}

/** States by their key, and for each from where it is reached. */
class Graph<S> {
  readonly states: S[] = [];
  private readonly keyOf: (state: S) => string;
  private readonly indices = new Map<string, number>();
  private readonly before: Set<number>[] = [];

  constructor(keyOf: (state: S) => string) {
    this.keyOf = keyOf;
  }

  add(state: S): number {
    const key = this.keyOf(state);
    const known = this.indices.get(key);
    if (known !== undefined) return known;
    const index = this.states.push(state) - 1;
    this.indices.set(key, index);
    this.before.push(new Set());
    return index;
  }

  link(from: number, to: S): void {
    this.before[this.add(to)]?.add(from);
  }

  cutOffFrom(goal: (state: S) => boolean): S[] {
    const reaches = new Set<number>();
    const open = this.states.flatMap((state, index) => (goal(state) ? [index] : []));
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (reaches.has(index)) continue;
      reaches.add(index);
      open.push(...(this.before[index] ?? []));
    }
    return this.states.filter((_, index) => !reaches.has(index));
  }
}

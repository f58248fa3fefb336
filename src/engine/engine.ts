/** One assembly of catalogue, policy and clock; `serve`, `check` and `scan` share it. */
import type { Answer, ClusterView, Context, EnforcementPoint, Operation, Rule } from '../rules/rule.ts';
import type { Dialect } from '../schemas/dialects.ts';
import { effectiveAction, findingOf, indeterminateOf, outcomeOf } from './decide.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { Pace, type Pause } from './pace.ts';
import { isCollecting, isExempt, onlyLetsGo } from './pass.ts';
import { OPERATIONS, type Plan, type Planned, planOf } from './plan.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import type { Subject } from './subject.ts';
import type { Crash, Finding, Indeterminate, Verdict } from './verdict.ts';

export interface EngineOptions {
  /** Default: what holds without a configuration. */
  readonly policy?: Policy;
  readonly point: EnforcementPoint;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: () => number;
  /** Other objects are read one by one from a cluster: rules that compare many are left to `scan`, and silent here. */
  readonly live?: boolean;
  /** Default: all of ours. For tests of the engine itself. */
  readonly catalogue?: readonly Rule[];
}

export interface Engine {
  readonly policy: Policy;
  /**
   * Judges one write. Never rejects: what breaks inside is a crash in the verdict.
   * @param pause given for a large object: awaited every few milliseconds, so that others are served in between
   */
  judge(subject: Subject, view: ClusterView, pause?: Pause): Promise<Verdict>;
  /**
   * The rule for whose sake writes of this dialect that change what others read must not race: one that looks at other
   * objects and may deny; where there are several, one that speaks on the operation. Undefined: a race would refuse nobody.
   */
  guardOf(dialect: Dialect, operation: Operation): Guard | undefined;
}

export type Guard = Pick<Indeterminate, 'ruleId' | 'level'>;

/** An engine for one policy; a new policy takes a new engine. */
export function createEngine(options: EngineOptions): Engine {
  const policy = options.policy ?? defaultPolicy;
  const plan = planOf(policy, options.point, options.catalogue, options.live);
  const clock = options.clock ?? Date.now;
  return {
    policy,
    guardOf: (dialect, operation) => guardIn(plan, dialect, operation),
    async judge(subject, view, pause) {
      if (isExempt(subject, policy)) return passed('exempt');
      if (onlyLetsGo(subject)) return passed('terminating');
      const speaking = plan(subject.dialect, subject.operation, subject.subresource);
      if (speaking.length === 0) return passed('unjudged');
      const { version: _, ...request } = subject;
      const settled = { point: options.point, now: clock(), settings: policy.settings, view: readOnce(view) };
      const pace = pause && new Pace(pause);
      return judgeAll(speaking, { ...request, ...settled }, policy, isCollecting(subject), pace);
    },
  };
}

function guardIn(plan: Plan, dialect: Dialect, operation: Operation): Guard | undefined {
  const speaking = [operation, ...OPERATIONS].flatMap((each) => plan(dialect, each, ''));
  const guard = speaking.find(({ rule, action }) => action === 'deny' && rule.meta.needs.includes('cluster'));
  return guard && { ruleId: guard.rule.id, level: guard.rule.meta.level };
}

async function judgeAll(
  speaking: readonly Planned[],
  context: Context,
  policy: Policy,
  forCollector: boolean,
  pace: Pace | undefined,
): Promise<Verdict> {
  const findings: Finding[] = [];
  const indeterminate: Indeterminate[] = [];
  const crashes: Crash[] = [];
  const silentUnknowns: string[] = [];
  for (const planned of speaking) {
    const action = effectiveAction(planned, context, policy, forCollector);
    try {
      const said = evaluate(planned.rule, context, pace);
      const { problems, unknowns }: Evaluation = said instanceof Promise ? await said : said;
      for (const problem of problems) findings.push(findingOf(planned, problem, action));
      if (action === 'deny') for (const unknown of unknowns) indeterminate.push(indeterminateOf(planned, unknown));
      else if (unknowns.length > 0) silentUnknowns.push(planned.rule.id);
    } catch (error) {
      crashes.push({ ruleId: planned.rule.id, reference: reference(), error, denies: action === 'deny' });
    }
  }
  return { outcome: outcomeOf(findings, indeterminate, crashes), findings, indeterminate, crashes, silentUnknowns };
}

function passed(why: 'exempt' | 'terminating' | 'unjudged'): Verdict {
  return { outcome: 'allowed', findings: [], indeterminate: [], crashes: [], silentUnknowns: [], passed: why };
}

/** Two rules that read one object within a request see the same. */
function readOnce(view: ClusterView): ClusterView {
  const gets = new Map<string, ReturnType<ClusterView['get']>>();
  const lists = new Map<string, ReturnType<ClusterView['list']>>();
  return {
    get: (of) => remember(gets, `${of.dialect.name} ${of.namespace ?? ''} ${of.name}`, () => view.get(of)),
    list: (dialect, namespace) =>
      remember(lists, `${dialect.name} ${namespace ?? ''}`, () => view.list(dialect, namespace)),
  };
}

function remember<T>(
  known: Map<string, Promise<Answer<T>>>,
  key: string,
  read: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const answer = known.get(key) ?? read();
  known.set(key, answer);
  return answer;
}

/** Short enough to be read out, long enough to be found in a day's log. */
function reference(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0');
}

/** One assembly of catalogue, policy and clock; `serve`, `check` and `scan` share it. */

import type { Dialect } from '../api/dialects.ts';
import type { ClusterView, Context, EnforcementPoint, Operation, Rule } from '../rules/rule.ts';
import { Hearing } from './hearing.ts';
import { Pace, type Pause } from './pace.ts';
import { isExempt, onlyLetsGo } from './pass.ts';
import { mayDeny, OPERATIONS, type Plan, planOf } from './plan.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import { ReadOnce } from './read-once.ts';
import type { Subject } from './subject.ts';
import { type Indeterminate, PASSED, type Verdict } from './verdict.ts';

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
   * Judges one write: at once, or with a promise where rules look at other objects; `await` takes both. Never rejects: what breaks
   * inside is a crash in the verdict.
   * @param pause given for a large object: awaited every few milliseconds, so that others are served in between
   */
  evaluate(subject: Subject, view: ClusterView, pause?: Pause): Verdict | Promise<Verdict>;
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
    evaluate(subject, view, pause) {
      if (isExempt(subject, policy)) return PASSED.exempt;
      if (onlyLetsGo(subject)) return PASSED.terminating;
      const speaking = plan(subject.dialect, subject.operation, subject.subresource);
      if (speaking.length === 0) return PASSED.unjudged;
      const context = contextOf(subject, options.point, clock(), policy, new ReadOnce(view));
      return new Hearing(context, policy, pause && new Pace(pause)).hear(speaking, 0);
    },
  };
}

function contextOf(
  subject: Subject,
  point: EnforcementPoint,
  now: number,
  { settings }: Policy,
  view: ClusterView,
): Context {
  const { operation, subresource, dialect, object, oldObject, name, namespace, identity, dryRun } = subject;
  return {
    operation,
    subresource,
    dialect,
    object,
    oldObject,
    name,
    namespace,
    identity,
    dryRun,
    point,
    now,
    settings,
    view,
  };
}

function guardIn(plan: Plan, dialect: Dialect, operation: Operation): Guard | undefined {
  const speaking = [operation, ...OPERATIONS].flatMap((each) => plan(dialect, each, ''));
  const guard = speaking.find((planned) => mayDeny(planned) && planned.rule.meta.needs.includes('cluster'));
  return guard && { ruleId: guard.rule.id, level: guard.level };
}

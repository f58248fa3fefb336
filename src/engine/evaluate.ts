/**
 * The engine: evaluates the rules that apply to a write, and makes one verdict of what they report. `serve`, `check`, `scan`, `test` and
 * the library share it.
 */

import type { Dialect } from '../api/dialects.ts';
import { isTerminating } from '../rules/object.ts';
import { changesMetadataOnly } from '../rules/ownership.ts';
import type {
  Answer,
  ClusterView,
  Context,
  EnforcementPoint,
  JsonObject,
  MaybePromise,
  Operation,
  Problem,
  Rule,
  RuleResult,
} from '../rules/rule.ts';
import { newProblems } from './new-problems.ts';
import { mayDeny, OPERATIONS, type Plan, type PlannedRule, planOf } from './plan.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import type { Subject } from './review.ts';
import { shapeProblems } from './shapes.ts';
import { type Evaluation, type Indeterminate, SKIPPED, type Verdict, verdictOf } from './verdict.ts';

export interface EngineOptions {
  /** Default: what holds without a configuration. */
  readonly policy?: Policy;
  readonly point: EnforcementPoint;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: () => number;
  /** Other objects are read one by one from a cluster: rules that compare many are left to `scan`. */
  readonly live?: boolean;
  /** Default: all of ours. For tests of the engine itself. */
  readonly catalogue?: readonly Rule[];
}

export interface Engine {
  readonly policy: Policy;
  /**
   * Evaluates one write: at once, or with a promise where rules look at other objects; `await` takes both. Never rejects: a rule that
   * throws is a crash in the verdict.
   */
  evaluate(subject: Subject, view: ClusterView): MaybePromise<Verdict>;
  /**
   * The rule that makes writes of this dialect need a lock: it reads other objects and may deny. Where there are several, one that
   * applies to the operation. Undefined: no lock is needed, as a race would deny nothing.
   */
  guardOf(dialect: Dialect, operation: Operation): Guard | undefined;
}

export type Guard = Pick<Indeterminate, 'ruleId' | 'level'>;

/** Creates an engine for one policy; a new policy takes a new engine. */
export function createEngine(options: EngineOptions): Engine {
  const { point, policy = defaultPolicy, clock = Date.now } = options;
  const plan = planOf(policy, point, options.catalogue, options.live);
  return {
    policy,
    guardOf: (dialect, operation) => guardIn(plan, dialect, operation),
    evaluate(subject, view) {
      if (isExempt(subject, policy)) return SKIPPED.exempt;
      if (onlyFinishesDeletion(subject)) return SKIPPED.terminating;
      const rules = plan(subject.dialect, subject.operation, subject.subresource);
      if (rules.length === 0) return SKIPPED.skipped;
      const { settings } = policy;
      const context: Context = { ...subject, point, now: clock(), settings, view: new ReadOnceView(view) };
      const evaluations = rules.map((rule) => evaluateRule(rule, context));
      if (evaluations.every(isDone)) return verdictOf(evaluations, context, policy);
      return Promise.all(evaluations).then((all) => verdictOf(all, context, policy));
    },
  };
}

function guardIn(plan: Plan, dialect: Dialect, operation: Operation): Guard | undefined {
  const applying = [operation, ...OPERATIONS].flatMap((each) => plan(dialect, each, ''));
  const guard = applying.find((planned) => mayDeny(planned) && planned.rule.meta.needs.includes('cluster'));
  return guard && { ruleId: guard.rule.id, level: guard.level };
}

/** Whether the configuration exempts the caller or the namespace. */
function isExempt({ identity, namespace }: Subject, { exemptions }: Policy): boolean {
  if (namespace !== undefined && exemptions.namespaces.has(namespace)) return true;
  if (identity === undefined) return false;
  const { username, groups } = identity;
  if (exemptions.users.has(username) || exemptions.serviceAccounts.has(username)) return true;
  return groups.some((group) => exemptions.groups.has(group));
}

/** A finalizer must always be removable: a request on an object being deleted that leaves spec and status alone is allowed. */
function onlyFinishesDeletion(subject: Subject): boolean {
  return isTerminating(subject.oldObject) && (subject.operation === 'DELETE' || changesMetadataOnly(subject));
}

/** The most results of one rule that are reported: enough to fix the object, and bounded. */
const MOST_REPORTED = 32;
/** The most that are compared with those of the stored object: more than the lists of our CRDs can hold (4,096). */
const MOST_COMPARED = 5000;

/** What one rule reports: at once where it reads no other object and finds nothing to compare. Never throws or rejects. */
function evaluateRule(planned: PlannedRule, context: Context): MaybePromise<Evaluation> {
  try {
    const results = run(planned, context, context.object);
    if (Array.isArray(results) && results.length === 0) return { planned, results };
    return report(planned, context, results);
  } catch (error) {
    return { planned, results: [], thrown: { error } };
  }
}

async function report(
  planned: PlannedRule,
  context: Context,
  pending: MaybePromise<readonly RuleResult[]>,
): Promise<Evaluation> {
  try {
    const results = oneForEachCause(await pending);
    return { planned, results: (await withoutStored(planned, context, results)).slice(0, MOST_REPORTED) };
  } catch (error) {
    return { planned, results: [], thrown: { error } };
  }
}

/** The shapes of a rule that apply here, then its check. */
function run({ rule, shapes }: PlannedRule, context: Context, object: JsonObject): MaybePromise<readonly RuleResult[]> {
  const problems = shapeProblems(shapes, object);
  const results = rule.check?.(object === context.object ? context : { ...context, object }) ?? [];
  if (problems.length === 0) return results;
  return Array.isArray(results)
    ? [...problems, ...results]
    : Promise.resolve(results).then((more) => [...problems, ...more]);
}

/**
 * Makes one finding of several with one cause. Within a rule, results at the same path have one cause: the first is reported, or
 * the one with the allowed values, since a value of the wrong type is none of them. Between rules, the catalogue sees to it: a rule whose input another rule already refuses reports nothing
 * (`claim/id-mcs-form` on what is no DNS name), and the rules on a feature's life report the first step that is broken
 * (`feature/machine.ts`). `scan` evaluates an object as several writes and merges what they share (`cli/scan`).
 */
function oneForEachCause(results: readonly RuleResult[]): readonly RuleResult[] {
  if (results.length < 2) return results;
  const causes = new Map<string, RuleResult>();
  for (const result of results.slice(0, MOST_COMPARED)) {
    const cause = JSON.stringify(result.path);
    if (!causes.has(cause) || isAboutEnum(result)) causes.set(cause, result);
  }
  return [...causes.values()];
}

/** Ratcheting: without the problems that the stored object has already. See `check` in rules/rule.ts. */
async function withoutStored(
  planned: PlannedRule,
  context: Context,
  results: readonly RuleResult[],
): Promise<readonly RuleResult[]> {
  const { operation, object, oldObject } = context;
  const problems = results.filter(isProblem);
  if (problems.length === 0 || operation !== 'UPDATE' || oldObject === undefined) return results;
  if (planned.rule.meta.needs.includes('oldObject')) return results;
  const before = oneForEachCause(await run(planned, context, oldObject)).filter(isProblem);
  if (before.length === 0) return results;
  return [...newProblems(problems, object, before, oldObject), ...results.filter((result) => !isProblem(result))];
}

function isProblem(result: RuleResult): result is Problem {
  return 'messageId' in result;
}

function isAboutEnum(result: RuleResult): boolean {
  return isProblem(result) && result.messageId.startsWith('enum');
}

function isDone(evaluation: MaybePromise<Evaluation>): evaluation is Evaluation {
  return 'planned' in evaluation;
}

/** The view that the rules of one request share: each object is read once, so that all rules see the same. */
class ReadOnceView implements ClusterView {
  readonly #view: ClusterView;
  readonly #gets = new Map<string, MaybePromise<Answer<JsonObject | undefined>>>();
  readonly #lists = new Map<string, MaybePromise<Answer<readonly JsonObject[]>>>();

  constructor(view: ClusterView) {
    this.#view = view;
  }

  get: ClusterView['get'] = (reference) => {
    const { dialect, namespace, name } = reference;
    return once(this.#gets, `${dialect.name} ${namespace ?? ''}/${name}`, () => this.#view.get(reference));
  };

  list: ClusterView['list'] = (dialect, namespace) =>
    once(this.#lists, `${dialect.name} ${namespace ?? ''}`, () => this.#view.list(dialect, namespace));
}

function once<T>(known: Map<string, T>, key: string, read: () => T): T {
  const earlier = known.get(key);
  if (earlier !== undefined) return earlier;
  const answer = read();
  known.set(key, answer);
  return answer;
}

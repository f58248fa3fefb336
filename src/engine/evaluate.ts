/**
 * The engine: evaluates the rules that apply to a write, and combines their results into one verdict. `serve`, `check`,
 * `scan`, `test` and the library share it.
 */

import type { Dialect } from '../api/dialects.ts';
import { at, type Json, type JsonObject, type Path } from '../base/json.ts';
import { changesMetadataOnly, isTerminating } from '../base/object.ts';
import { isPromise, type MaybePromise, whenDone } from '../base/promise.ts';
import {
  type Action,
  type ClusterView,
  type Context,
  ENFORCEMENT_POINTS,
  type EnforcementPoint,
  OPERATIONS,
  type Operation,
  type Problem,
  type Rule,
  type RuleResult,
  type Subject,
} from '../rules/rule.ts';
import { newProblems } from './new-problems.ts';
import { type CompiledShape, mayDeny, type PlannedRule, planRules, type RulePlan } from './plan.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import { duplicateEntry, notAList, schemaProblems } from './shapes.ts';
import {
  ALLOWED,
  actionFor,
  type Indeterminate,
  makeVerdict,
  type RuleEvaluation,
  SKIPPED,
  type Verdict,
} from './verdict.ts';

/** What an engine is made for. */
export interface EngineOptions {
  /** Default: the policy without a configuration. */
  readonly policy?: Policy | undefined;
  readonly point: EnforcementPoint;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** Whether other objects are read one by one from a cluster. Then rules that list objects are left to `scan`. */
  readonly live?: boolean;
  /** Default: all rules. */
  readonly catalogue?: readonly Rule[];
}

/** Evaluates writes under one policy. */
export interface Engine {
  readonly policy: Policy;
  /**
   * Evaluates one write. Returns a promise if a rule that applies reads other objects. Never throws or
   * rejects where a rule's `check` throws: the verdict then has a crash.
   */
  evaluate(subject: Subject, view: ClusterView): MaybePromise<Verdict>;
  /** Whether a rule applies to such a write. */
  applies(subject: Pick<Subject, 'dialect' | 'operation' | 'subresource'>): boolean;
  /**
   * Returns the rule because of which identity writes of this dialect need a lock: one with `locks: true` that may
   * deny, preferably one that applies to the operation. Undefined if no lock is needed.
   */
  guardOf(dialect: Dialect, operation: Operation): Guard | undefined;
  /** Returns what a problem of the rule leads to on this write: `ignore` if the rule is not evaluated. */
  actionOn(ruleId: string, subject: Subject): Action;
}

export type Guard = Pick<Indeterminate, 'ruleId' | 'level'>;

/**
 * Creates an engine for one policy. A changed policy needs a new engine.
 * @throws TypeError for an unknown point, or a value that is not a policy
 */
export function createEngine(options: EngineOptions): Engine {
  const { point, policy = defaultPolicy, clock = Date.now } = options;
  if (!ENFORCEMENT_POINTS.includes(point)) throw new TypeError(`point: give one of ${ENFORCEMENT_POINTS.join(', ')}`);
  if (policy.settings === undefined) throw new TypeError('policy: give the `policy` of what policyOf returns');
  const { settings } = policy;
  const plan = planRules(policy, point, options.catalogue, options.live);
  const rulesFor = ({ dialect, operation, subresource }: Pick<Subject, 'dialect' | 'operation' | 'subresource'>) =>
    plan[dialect.name][operation][subresource];
  return {
    policy,
    applies: (write) => rulesFor(write).length > 0,
    guardOf: (dialect, operation) => guardIn(plan, dialect, operation),
    actionOn(ruleId, subject) {
      if (isExempt(subject, policy) || onlyFinishesDeletion(subject)) return 'ignore';
      const planned = rulesFor(subject).find(({ rule }) => rule.id === ruleId);
      if (planned === undefined) return 'ignore';
      return actionFor(planned, { ...subject, point, now: clock(), settings, view: nothingKnown }, policy);
    },
    evaluate(subject, view) {
      if (isExempt(subject, policy)) return SKIPPED.exempt;
      if (onlyFinishesDeletion(subject)) return SKIPPED.terminating;
      const rules = rulesFor(subject);
      if (rules.length === 0) return SKIPPED.skipped;
      const context = { ...subject, point, now: clock(), settings, view };
      const evaluations: MaybePromise<RuleEvaluation>[] = [];
      for (const rule of rules) {
        const evaluation = evaluateRule(rule, context);
        if (evaluation !== undefined) evaluations.push(evaluation);
      }
      if (evaluations.length === 0) return ALLOWED;
      const conclude = (all: readonly RuleEvaluation[]) =>
        all.every(isEmpty) ? ALLOWED : makeVerdict(all, context, policy);
      return evaluations.every(isDone) ? conclude(evaluations) : Promise.all(evaluations).then(conclude);
    },
  };
}

/** A view that can read nothing: findings with it follow from the write alone. */
export const nothingKnown: ClusterView = {
  get: () => ({ known: false, reason: 'not read' }),
  list: () => ({ known: false, reason: 'not read' }),
};

/** Returns a cluster state (cluster-state.ts) that reads from a view, without locks. */
export function stateFromView(view: ClusterView) {
  return { evaluate: (subject: Subject, engine: Engine) => engine.evaluate(subject, view) };
}

function guardIn(plan: RulePlan, { name }: Dialect, operation: Operation): Guard | undefined {
  const applying = [operation, ...OPERATIONS].flatMap((each) => plan[name][each]['']);
  const guards = applying.filter((planned) => mayDeny(planned) && planned.rule.locks === true);
  // The answer to the loser of a race names the guard. It has nothing to do with the hub, so a rule on that comes last.
  const guard = guards.find(({ rule }) => rule.meta.inertUntil === undefined) ?? guards[0];
  return guard && { ruleId: guard.rule.id, level: guard.level };
}

/** Whether the configuration exempts the caller or the namespace. */
export function isExempt(
  { identity, namespace }: Pick<Subject, 'identity' | 'namespace'>,
  { exemptions }: Policy,
): boolean {
  if (namespace !== undefined && exemptions.namespaces.has(namespace)) return true;
  if (identity === undefined) return false;
  const { username, groups } = identity;
  if (exemptions.users.has(username) || exemptions.serviceAccounts.has(username)) return true;
  return exemptions.groups.size > 0 && groups.some((group) => exemptions.groups.has(group));
}

/**
 * Whether a request only finishes a deletion: the object is being deleted, and spec and status do not change. It is
 * always allowed, so that finalizers can be removed.
 */
function onlyFinishesDeletion(subject: Subject): boolean {
  return isTerminating(subject.oldObject) && (subject.operation === 'DELETE' || changesMetadataOnly(subject));
}

/** The most results of one rule that are reported: enough to fix the object. */
export const MOST_REPORTED = 32;
/** The most results that are compared with those of the stored object: more than a list of our CRDs has (4,096). */
const MOST_COMPARED = 5000;

/** Evaluates one rule; undefined if it reports nothing. Never throws or rejects. */
function evaluateRule(planned: PlannedRule, context: Context): MaybePromise<RuleEvaluation> | undefined {
  try {
    const results = run(planned, context, context.object);
    if (!isPromise(results) && results.length === 0) return undefined;
    const evaluation = whenDone(results, (all) => keepNewProblems(planned, context, all));
    return isPromise(evaluation) ? evaluation.catch((error) => crashOf(planned, error)) : evaluation;
  } catch (error) {
    return crashOf(planned, error);
  }
}

function crashOf(planned: PlannedRule, error: unknown): RuleEvaluation {
  return { planned, results: [], thrown: { error } };
}

/** Returns the problems of the rule's shapes, then the results of its check. */
function run({ rule, shapes }: PlannedRule, context: Context, object: JsonObject): MaybePromise<readonly RuleResult[]> {
  const results = rule.check?.(object === context.object ? context : { ...context, object }) ?? NOTHING;
  if (shapes.length === 0) return results;
  const problems = shapes.flatMap((shape) => problemsOf(shape, object));
  return problems.length === 0 ? results : whenDone(results, (more) => [...problems, ...more]);
}

const NOTHING: readonly RuleResult[] = [];

/** Returns the problems that a shape finds in the object. */
function problemsOf({ at: path, keys, validate }: CompiledShape, object: JsonObject): readonly Problem[] {
  const value = at(object, path);
  if (value === undefined) return [];
  if (keys === undefined) return validate(value) ? [] : schemaProblems(validate, path, value);
  if (!Array.isArray(value)) return [notAList(path, value)];
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, entry] of value.entries()) {
    // A list may have tens of thousands of bad entries, whose problems would take longer than reading it.
    if (problems.length >= MOST_COMPARED) break;
    if (!validate(entry)) problems.push(...schemaProblems(validate, [...path, index], entry));
    problems.push(...repeated([...path, index], keys, entry, seen));
  }
  return problems;
}

/** Reports an entry whose keys are those of an earlier entry, also if one of the two has other problems. */
function repeated(path: Path, keys: readonly Path[], entry: Json, seen: Set<string>): readonly Problem[] {
  const values = keys.map((key) => at(entry, key));
  // A key that is missing, or no text, is a problem of its own.
  if (values.length === 0 || !values.every((value) => typeof value === 'string')) return [];
  const key = JSON.stringify(values);
  if (seen.has(key)) return [duplicateEntry([...path, ...(keys[0] ?? [])], values)];
  seen.add(key);
  return [];
}

/** On UPDATE, drops the problems that the stored object has already; see `check` in rules/rule.ts. */
function keepNewProblems(
  planned: PlannedRule,
  context: Context,
  all: readonly RuleResult[],
): MaybePromise<RuleEvaluation> {
  const results = oneForEachCause(all);
  const { operation, object, oldObject } = context;
  const problems = results.filter(isProblem);
  const ratchets = planned.rule.ratchets !== false && operation === 'UPDATE' && oldObject !== undefined;
  if (problems.length === 0 || !ratchets) {
    return { planned, results: results.slice(0, MOST_REPORTED) };
  }
  return whenDone(run(planned, context, oldObject), (stored) => {
    const before = oneForEachCause(stored).filter(isProblem);
    const kept = [
      ...newProblems(problems, object, before, oldObject),
      ...results.filter((result) => !isProblem(result)),
    ];
    return { planned, results: kept.slice(0, MOST_REPORTED) };
  });
}

/**
 * Keeps one result for each path: the first, or the one that lists the allowed values, which helps more than one on the
 * type. Across rules, no filter is needed, since the rules avoid two findings with one cause: a rule reports nothing if
 * another rule refuses its input (`claim/id-mcs-form` on an invalid DNS name), and the rules on a feature's status
 * report only the first violation (`feature/state-machine.ts`).
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

function isProblem(result: RuleResult): result is Problem {
  return 'messageId' in result;
}

function isAboutEnum(result: RuleResult): boolean {
  return isProblem(result) && result.messageId.startsWith('enum');
}

function isEmpty({ results, thrown }: RuleEvaluation): boolean {
  return results.length === 0 && thrown === undefined;
}

function isDone(evaluation: MaybePromise<RuleEvaluation>): evaluation is RuleEvaluation {
  return !isPromise(evaluation);
}

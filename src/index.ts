/**
 * muster as a library: evaluate objects in your own code. No I/O, no Kubernetes client, nothing of Node; it runs in a
 * browser under a strict content security policy, since schemas are compiled ahead.
 *
 * ```ts
 * import { createEngine, subjectOf, viewOf } from 'kube-muster';
 * const subject = subjectOf(object);
 * const verdict = subject && (await createEngine({ point: 'check' }).evaluate(subject, viewOf([])));
 * ```
 */

export { type Dialect, dialectOf, dialects } from './api/dialects.ts';
export type { JsonObject } from './base/json.ts';
export { type PolicyReading, policyOf } from './config/policy.ts';
export {
  type Crash,
  createEngine,
  defaultPolicy,
  type Engine,
  type EngineOptions,
  type Exception,
  type Exemptions,
  type Finding,
  freeze,
  type Indeterminate,
  type Mode,
  type Outcome,
  type Policy,
  type Verdict,
} from './engine/index.ts';
export { type ParsedReview, readAdmissionReview } from './engine/review.ts';
export { type SubjectOptions, subjectOf, unknownView, viewOf } from './library.ts';
export { type RuleId, ruleIds, rules } from './rules/index.ts';
export type {
  Action,
  Answer,
  ClusterView,
  EnforcementPoint,
  Identity,
  Level,
  Operation,
  Principal,
  Reference,
  Rule,
  RuleMeta,
  RuleSettings,
  Subject,
  Subresource,
} from './rules/rule.ts';
export type { ConfigProblem } from './schema/reporter.ts';

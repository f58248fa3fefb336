/** The public parts of the engine. */
export {
  type ComparedVerdict,
  type Comparison,
  type ComparisonOptions,
  type ComparisonPart,
  createComparison,
  type Unread,
  unreadIn,
} from './comparison.ts';
export { createEngine, type Engine, type EngineOptions, type Guard } from './evaluate.ts';
export { defaultPolicy, type Exception, type Exemptions, type Mode, type Policy, SOON_DAYS } from './policy.ts';
export { freeze } from './review.ts';
export {
  ALLOWED,
  type Crash,
  type Finding,
  type Indeterminate,
  newReference,
  type Outcome,
  type Verdict,
  WOULD_BE_DENIED,
} from './verdict.ts';

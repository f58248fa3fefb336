/** The engine's door: `createEngine`, and the types that go in and come out. */
export { type Engine, type EngineOptions, createEngine } from './engine.ts';
export { type Exception, type Exemptions, type Mode, type Policy, defaultPolicy } from './policy.ts';
export { type Subject, freeze } from './subject.ts';
export type { Crash, Finding, Indeterminate, Outcome, Verdict } from './verdict.ts';

/** The engine's door: `createEngine`, and the types that go in and come out. */
export { createEngine, type Engine, type EngineOptions, type Guard } from './engine.ts';
export type { Pause } from './pace.ts';
export { defaultPolicy, type Exception, type Exemptions, type Mode, type Policy } from './policy.ts';
export { freeze, type Subject } from './subject.ts';
export type { Crash, Finding, Indeterminate, Outcome, Verdict } from './verdict.ts';

/** One assembly of catalogue, policy and clock; `serve`, `check` and `scan` share it. */
import type { ClusterView, EnforcementPoint } from '../rules/rule.ts';
import type { Policy } from './policy.ts';
import type { Subject } from './subject.ts';
import type { Verdict } from './verdict.ts';

export interface EngineOptions {
  readonly policy?: Policy;
  readonly point: EnforcementPoint;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export interface Engine {
  /** Judges one write. Never throws: what breaks inside is a crash in the verdict. */
  judge(subject: Subject, view: ClusterView): Promise<Verdict>;
}

export function createEngine(_options: EngineOptions): Engine {
  throw new Error('not yet');
}

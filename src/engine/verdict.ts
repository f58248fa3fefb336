/** What comes out of the engine. Three outcomes never blur: a finding, an unknown, a crash. */
import type { Action, Level, Path } from '../rules/rule.ts';
import { freeze } from './subject.ts';

/** The user's fault, as one rule saw it. */
export interface Finding {
  readonly ruleId: string;
  readonly level: Level;
  /** What it leads to here, after configuration, mode and caps. */
  readonly action: Exclude<Action, 'ignore'>;
  readonly path: Path;
  /** The path as a person reads it: `spec.value`, `status.uses[2].enabled`, `metadata.labels[x-k8s.io/cluster-manager]`. */
  readonly field: string;
  /** One line, free of control characters: the offending value (shortened) and the remedy. Holds neither rule id nor field. */
  readonly message: string;
  /** `status.code` where this finding denies. 409 only: what the API server itself would answer, the object exists already. */
  readonly code: 403 | 409 | 422;
}

/** A rule that would deny, could it only tell. */
export interface Indeterminate {
  readonly ruleId: string;
  readonly level: Level;
  readonly field: string;
  readonly message: string;
}

/** Our bug: a rule threw. */
export interface Crash {
  readonly ruleId: string;
  /** Stands in the answer and in the log, so that the two can be laid side by side. */
  readonly reference: string;
  readonly error: unknown;
  /** Whether the rule could have denied; only then the request is refused for it. */
  readonly denies: boolean;
}

export type Outcome = 'allowed' | 'denied' | 'indeterminate' | 'crashed';

export interface Verdict {
  readonly outcome: Outcome;
  /** In catalogue order; those of action `audit` too. */
  readonly findings: readonly Finding[];
  readonly indeterminate: readonly Indeterminate[];
  readonly crashes: readonly Crash[];
  /** Rules that could not tell but would not have denied: silence, counted. */
  readonly silentUnknowns: readonly string[];
  /** Why nothing was judged: `user`, `group`, `serviceAccount`, `namespace`, `terminating`, or a kind or subresource of no rule. */
  readonly passed?: 'exempt' | 'terminating' | 'unjudged';
}

/** Nothing was found; the verdict of most requests, and one for all of them. */
export const ALLOWED: Verdict = freeze({
  outcome: 'allowed',
  findings: [],
  indeterminate: [],
  crashes: [],
  silentUnknowns: [],
});

/** Nothing was judged; again one verdict for all such requests. */
export const PASSED: Readonly<Record<NonNullable<Verdict['passed']>, Verdict>> = freeze({
  exempt: { ...ALLOWED, passed: 'exempt' },
  terminating: { ...ALLOWED, passed: 'terminating' },
  unjudged: { ...ALLOWED, passed: 'unjudged' },
});

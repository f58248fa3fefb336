/** A suite as it is run: everything resolved, so that a case holds all that it is judged by. */

import type { Position } from '../../documents/index.ts';
import type { Policy, Subject } from '../../engine/index.ts';
import type { EnforcementPoint, JsonObject } from '../../rules/rule.ts';

export const API_VERSION = 'muster/v1alpha1';
export const KIND = 'MusterTest';
/** How the files are called that a folder is searched for. */
export const SUFFIXES = ['.muster-test.yaml', '.muster-test.yml', '.muster-test.json'];

export const VERDICTS = ['allowed', 'denied', 'indeterminate'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Rule ids: all of them, or some that have to be there and some that must not. */
export type ExpectedRules =
  | { readonly exactly: readonly string[] }
  | { readonly include: readonly string[]; readonly exclude: readonly string[] };

/** Undefined: anything will do. */
export interface Expectation {
  readonly verdict: Verdict;
  /** Those for whose sake it is denied or indeterminate. */
  readonly rules: ExpectedRules | undefined;
  readonly warnings: ExpectedRules | undefined;
  readonly audits: ExpectedRules | undefined;
  /** `status.code` of the refusal. */
  readonly code: number | undefined;
  /** A regular expression for what the requester is told. */
  readonly message: string | undefined;
}

export type ExpectationKey = keyof Expectation;

/** One write and what should become of it. */
export interface Case {
  readonly file: string;
  readonly name: string;
  readonly place: Position;
  readonly point: EnforcementPoint;
  /** Whether rules that compare many objects are left to scan, as by the webhook in a cluster. */
  readonly live: boolean;
  /** Milliseconds since the epoch; undefined: the time of the run. */
  readonly now: number | undefined;
  /** Undefined: what holds without a configuration. */
  readonly policy: Policy | undefined;
  readonly subject: Subject;
  /** All that exists; undefined: nothing is known of other objects. */
  readonly world: readonly JsonObject[] | undefined;
  readonly expect: Expectation;
  /** Where an expectation stands in the file. */
  readonly placeOf: (key: ExpectationKey) => Position;
}

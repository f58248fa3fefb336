/** The CheckReport: what `check` found, in the form that scripts hold on to. */
import type { Level } from '../../rules/rule.ts';

export type CheckOutcome = 'allowed' | 'denied' | 'indeterminate';
export const FAIL_ON = ['denied', 'indeterminate', 'warning'] as const;
export type FailOn = (typeof FAIL_ON)[number];

export interface CheckFinding {
  readonly ruleId: string;
  readonly level: Level;
  readonly action: 'deny' | 'warn' | 'audit';
  /** Only where the rule could not tell; the message then says what to give. */
  readonly outcome?: 'indeterminate';
  readonly field: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** Where the value or key ends (exclusive), if it is a single one. */
  readonly endLine?: number;
  readonly endColumn?: number;
}

export interface CheckResult {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly operation: string;
  readonly subresource: string;
  readonly outcome: CheckOutcome;
  readonly findings: readonly CheckFinding[];
  /** A line of the file, for excerpts, where there are findings and a file. A function, so no part of the JSON. */
  readonly sourceLine?: (line: number) => string;
}

export interface CheckError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Summary {
  /** Writes judged; an object with a status counts twice. The sum of the three after it. */
  readonly judged: number;
  readonly allowed: number;
  readonly denied: number;
  readonly indeterminate: number;
  /** Findings of action `warn`. */
  readonly warnings: number;
  /** Objects and documents of kinds muster does not judge. */
  readonly skipped: number;
  readonly errors: number;
}

export interface CheckReport {
  readonly apiVersion: 'muster/v1alpha1';
  readonly kind: 'CheckReport';
  readonly summary: Summary;
  readonly results: readonly CheckResult[];
  readonly errors: readonly CheckError[];
}

/** What a run came to, before it is counted. */
export interface Gathered {
  readonly results: readonly CheckResult[];
  readonly errors: readonly CheckError[];
  readonly skipped: number;
}

/** Counts and completes. */
export function reportOf({ results, errors, skipped }: Gathered): CheckReport {
  const count = (outcome: CheckOutcome) => results.filter((result) => result.outcome === outcome).length;
  const warnings = results.flatMap(({ findings }) => findings).filter(({ action }) => action === 'warn').length;
  const summary: Summary = {
    judged: results.length,
    allowed: count('allowed'),
    denied: count('denied'),
    indeterminate: count('indeterminate'),
    warnings,
    skipped,
    errors: errors.length,
  };
  return { apiVersion: 'muster/v1alpha1', kind: 'CheckReport', summary, results, errors };
}

/** Whether a result is one that `failOn` names; each of its words stands for those before it, too. */
export function fails({ outcome, findings }: CheckResult, failOn: FailOn): boolean {
  if (outcome === 'denied') return true;
  if (outcome === 'indeterminate' && failOn !== 'denied') return true;
  return failOn === 'warning' && findings.some(({ action }) => action === 'warn');
}

/** 0: nothing that `failOn` names; 1: something; 2: part of the input could not be judged, whatever else was found. */
export function exitCodeOf({ summary }: CheckReport, failOn: FailOn): 0 | 1 | 2 {
  if (summary.errors > 0) return 2;
  // Each stands for those before it, too.
  const counts = [summary.denied, summary.indeterminate, summary.warnings];
  return counts.slice(0, FAIL_ON.indexOf(failOn) + 1).some((count) => count > 0) ? 1 : 0;
}

/** What could not be read, as the report has it. */
export function errorOf(error: Omit<CheckError, 'file'> & { readonly source: string }): CheckError {
  const { source, line, column, message } = error;
  return { file: source, line, column, message };
}

/** The TestReport: what `muster test` found, in the form that scripts hold on to. */
import type { CheckError } from '../output/report.ts';
import type { Difference } from './compare.ts';
import type { Decided } from './decide.ts';

export interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly outcome: 'passed' | 'failed';
  /** What was decided. */
  readonly got: Decided;
  /** Empty where the test passed. */
  readonly differences: readonly Difference[];
}

export interface TestReport {
  readonly apiVersion: 'muster/v1alpha1';
  readonly kind: 'TestReport';
  readonly summary: {
    /** Files of suites. */
    readonly suites: number;
    readonly tests: number;
    readonly passed: number;
    readonly failed: number;
    /** Left out by --filter. */
    readonly skipped: number;
    readonly errors: number;
  };
  readonly results: readonly TestResult[];
  /** Suites that can't be read or that nothing could pass, and rules that broke. */
  readonly errors: readonly CheckError[];
}

export interface Gathered {
  readonly suites: number;
  readonly skipped: number;
  readonly results: readonly TestResult[];
  readonly errors: readonly CheckError[];
}

/** Counts and completes. */
export function reportOf({ suites, skipped, results, errors }: Gathered): TestReport {
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  const failed = results.length - passed;
  const summary = { suites, tests: results.length, passed, failed, skipped, errors: errors.length };
  return { apiVersion: 'muster/v1alpha1', kind: 'TestReport', summary, results, errors };
}

/** 0: all passed; 1: some failed; 2: some could not be run, whatever else was found. */
export function exitCodeOf({ summary }: TestReport): 0 | 1 | 2 {
  if (summary.errors > 0) return 2;
  return summary.failed > 0 ? 1 : 0;
}

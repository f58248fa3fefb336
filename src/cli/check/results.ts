/** Converts an evaluated operation to a result of the report. */
import type { CheckResult } from '../output/report.ts';
import { findingsOf } from '../output/verdict.ts';
import type { Evaluated } from './operations.ts';

/** Returns the result of one operation. */
export function resultOf(evaluated: Evaluated): CheckResult {
  const { input, at, subject, verdict } = evaluated;
  const { line, column } = input.start;
  const findings = findingsOf(verdict, input.start, (path) => input.locate([...at, ...path]));
  return {
    file: input.source,
    line,
    column,
    apiVersion: `${subject.dialect.group}/${subject.version}`,
    kind: subject.dialect.kind,
    namespace: subject.namespace ?? '',
    name: subject.name,
    operation: subject.operation,
    subresource: subject.subresource,
    // A crash is reported as an error; the operation itself is undecided.
    outcome: verdict.outcome === 'crashed' ? 'indeterminate' : verdict.outcome,
    findings,
    // Without findings the text need not be kept.
    ...(findings.length > 0 && { sourceLine: input.sourceLine }),
  };
}

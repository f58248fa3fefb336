/** Converts verdicts to results of the report, with the location of each finding in its file. */
import type { CheckError, CheckFinding, CheckResult } from '../output/report.ts';
import type { Evaluated } from './operations.ts';

/** Returns the result of one operation. */
export function resultOf(evaluated: Evaluated): CheckResult {
  const { input, subject, verdict } = evaluated;
  const { line, column } = input.start;
  const findings = [...findingsOf(evaluated), ...undecidedOf(evaluated)];
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

/** Returns an error for each rule that threw: a bug of ours. */
export function crashesOf({ input, verdict }: Evaluated): readonly CheckError[] {
  const { line, column } = input.start;
  return verdict.crashes.map(({ ruleId, reference, error }) => {
    const problem = error instanceof Error ? error.message : error;
    const message = `[${ruleId}] broke (a bug in muster, reference ${reference}): ${problem}`;
    return { file: input.source, line, column, message };
  });
}

function findingsOf({ input, at, verdict }: Evaluated): CheckFinding[] {
  return verdict.findings.map(({ ruleId, level, action, path, field, message }) => {
    const { line, column, endLine, endColumn } = input.locate([...at, ...path]);
    const end = endLine === undefined || endColumn === undefined ? {} : { endLine, endColumn };
    return { ruleId, level, action, field, message, line, column, ...end };
  });
}

function undecidedOf({ input, verdict }: Evaluated): CheckFinding[] {
  const { line, column } = input.start;
  return verdict.indeterminate.map(({ ruleId, level, field, message }) => {
    return { ruleId, level, action: 'deny', outcome: 'indeterminate', field, message, line, column };
  });
}

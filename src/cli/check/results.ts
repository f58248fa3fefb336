/** From a verdict to a result of the report: where each finding stands in its file. */
import type { Path } from '../../rules/rule.ts';
import type { CheckError, CheckFinding, CheckOutcome, CheckResult } from '../output/report.ts';
import type { Judged } from './operations.ts';

/** The result of one write. */
export function resultOf(judged: Judged): CheckResult {
  const { given, subject } = judged;
  const { line, column } = given.start;
  return {
    file: given.source,
    line,
    column,
    apiVersion: `${subject.dialect.group}/${subject.version}`,
    kind: subject.dialect.kind,
    namespace: subject.namespace ?? '',
    name: subject.name,
    operation: subject.operation,
    subresource: subject.subresource,
    outcome: outcomeOf(judged),
    ...foundIn(judged),
  };
}

/** A result without findings holds on to no text. */
function foundIn(judged: Judged): Pick<CheckResult, 'findings' | 'sourceLine'> {
  const findings = [...findingsOf(judged), ...unknownsOf(judged)];
  return findings.length === 0 ? { findings } : { findings, sourceLine: judged.given.sourceLine };
}

/** Rules that broke: our own bugs, which make a run fail as one that could not be judged. */
export function crashesOf({ given, verdict }: Judged): readonly CheckError[] {
  return verdict.crashes.map(({ ruleId, reference, error }) => ({
    file: given.source,
    line: given.start.line,
    column: given.start.column,
    message: `[${ruleId}] broke (a bug in muster, reference ${reference}): ${error instanceof Error ? error.message : error}`,
  }));
}

/** A crash is reported as an error; that leaves the write itself undecided. */
function outcomeOf({ verdict }: Judged): CheckOutcome {
  return verdict.outcome === 'crashed' ? 'indeterminate' : verdict.outcome;
}

function findingsOf({ given, at, verdict }: Judged): CheckFinding[] {
  return verdict.findings.map(({ ruleId, level, action, path, field, message }) => {
    const { line, column, endLine, endColumn } = given.locate([...at, ...path] satisfies Path);
    const end = endLine === undefined || endColumn === undefined ? {} : { endLine, endColumn };
    return { ruleId, level, action, field, message, line, column, ...end };
  });
}

function unknownsOf({ given, verdict }: Judged): CheckFinding[] {
  const { line, column } = given.start;
  return verdict.indeterminate.map(({ ruleId, level, field, message }) => {
    return { ruleId, level, action: 'deny', outcome: 'indeterminate', field, message, line, column };
  });
}

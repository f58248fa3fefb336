/** Converts verdicts of the engine to findings and errors of the report. */
import type { Location } from '../../documents/index.ts';
import type { Verdict } from '../../engine/index.ts';
import type { Path } from '../../rules/rule.ts';
import type { CheckError, CheckFinding } from './report.ts';

/** Returns the findings of a verdict, then what no rule could decide, at the position of the object. */
export function findingsOf(
  verdict: Verdict,
  { line, column }: Pick<Location, 'line' | 'column'>,
  locate: (path: Path) => Location,
): readonly CheckFinding[] {
  const found = verdict.findings.map(({ ruleId, level, action, path, field, message }): CheckFinding => {
    const { endLine, endColumn, ...start } = locate(path);
    const end = endLine === undefined || endColumn === undefined ? {} : { endLine, endColumn };
    return { ruleId, level, action, field, message, line: start.line, column: start.column, ...end };
  });
  const undecided = verdict.indeterminate.map(({ ruleId, level, field, message }): CheckFinding => {
    return { ruleId, level, action: 'deny', outcome: 'indeterminate', field, message, line, column };
  });
  return [...found, ...undecided];
}

/** Returns an error for each rule that threw: a bug of ours. */
export function crashesOf({ crashes }: Verdict, { file, line, column }: Omit<CheckError, 'message'>): CheckError[] {
  return crashes.map(({ ruleId, reference, error }) => {
    const reason = error instanceof Error ? error.message : error;
    return { file, line, column, message: `[${ruleId}] broke (a bug in muster, reference ${reference}): ${reason}` };
  });
}

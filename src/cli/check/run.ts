/** Checks manifests: reads the input and the previous state, evaluates all operations in order, and collects the report. */
import { createFilesView, dialectOfObject, type InputObject, readObjects } from '../../cluster/files/index.ts';
import { createEngine, type Policy } from '../../engine/index.ts';
import { plain } from '../../engine/text.ts';
import type { Identity } from '../../rules/rule.ts';
import {
  type CheckError,
  type CheckReport,
  type CheckResult,
  crashesOf,
  errorOf,
  findingsOf,
  reportOf,
} from '../output/report.ts';
import { createSession, type Evaluated } from './operations.ts';
import { type PreviousState, readPreviousState, type StateRequest } from './previous-state.ts';
import { createSkipLog, unknownVersion } from './skipped.ts';

export interface CheckRun extends StateRequest {
  /** By default the policy without a configuration. */
  readonly policy?: Policy | undefined;
  readonly identity: Identity | undefined;
  readonly subresource: 'none' | 'status' | undefined;
  readonly failOnNoMatch: boolean;
  /** Called with a line for each file, document and object that is skipped. */
  readonly listSkipped?: ((line: string) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface Checked {
  readonly report: CheckReport;
  /** What was changed before the evaluation, and other facts for people. */
  readonly notes: readonly string[];
}

/** Runs the check. What can't be read is among the errors of the report, and the rest is evaluated. */
export async function runCheck(run: CheckRun): Promise<Checked> {
  const { baseRef, live } = run;
  // With a base, a path may be gone. readPreviousState reports one that was not there either.
  const paths = baseRef === undefined ? run.paths : run.paths.filter((await import('./git/repository.ts')).isThere);
  const skipLog = createSkipLog(run.listSkipped);
  const reading = { ...run, ...skipLog };
  const documents = await readObjects(paths, reading);
  const deleted = await readObjects(run.deleted, reading);
  const unread = documents.errors.map(errorOf);
  const input = { documents: documents.objects, deletions: deleted.objects, errors: unread };
  const previous = await readPreviousState(reading, input);
  const outcome = await evaluateAll(run, previous);
  const errors = [...previous.errors, ...unread, ...deleted.errors.map(errorOf), ...(live?.errors() ?? [])];
  errors.push(...outcome.errors);
  if (run.failOnNoMatch && outcome.results.length === 0) {
    const message = 'nothing of a kind that muster evaluates was found (--fail-on-no-match)';
    errors.push({ file: [...run.paths, ...run.deleted][0] ?? '', line: 1, column: 1, message });
  }
  const skipped = documents.skipped + deleted.skipped + outcome.skipped;
  const warnings = [...skipLog.warnings(), ...documents.objects.flatMap((one) => unknownVersion(one) ?? [])];
  const notes = [...skipLog.notes(), ...previous.notes, ...(live?.notes() ?? []), ...outcome.notes];
  return { report: reportOf({ results: outcome.results, errors, warnings, skipped }), notes };
}

interface Outcome {
  readonly results: CheckResult[];
  readonly errors: CheckError[];
  readonly notes: string[];
  skipped: number;
}

/**
 * Evaluates deletions first and, if something is denied, also last; the order with fewer denials counts. Deploy tools prune
 * before or after they apply: leaving a ClusterSet to change the id needs the one, replacing an id by its newer name the other.
 */
async function evaluateAll(run: CheckRun, previous: PreviousState): Promise<Outcome> {
  const { documents, deletions } = previous;
  const deletionsFirst = await evaluateInOrder(run, previous, ['remove', deletions], ['apply', documents]);
  const denied = deniedIn(deletionsFirst);
  if (denied === 0 || deletions.length === 0 || documents.length === 0) return deletionsFirst;
  const deletionsLast = await evaluateInOrder(run, previous, ['apply', documents], ['remove', deletions]);
  return deniedIn(deletionsLast) < denied ? deletionsLast : deletionsFirst;
}

function deniedIn({ results }: Outcome): number {
  return results.filter(({ outcome }) => outcome === 'denied').length;
}

type Step = readonly ['apply' | 'remove', readonly InputObject[]];

async function evaluateInOrder(run: CheckRun, previous: PreviousState, ...steps: readonly Step[]): Promise<Outcome> {
  const { policy, clock } = run;
  const known = previous.documents.flatMap(({ object }) => dialectOfObject(object) ?? []);
  const view = createFilesView({ ...previous.view, known });
  const engine = createEngine({ point: 'check', clock, ...(policy && { policy }) });
  const session = createSession({ ...run, engine, view, live: run.live !== undefined });
  const outcome: Outcome = { results: [], errors: [], notes: [], skipped: 0 };
  for (const [step, objects] of steps) {
    for (const input of objects) {
      const evaluation = await session[step](input);
      if ('problem' in evaluation) {
        const { line, column } = input.locate(evaluation.at);
        outcome.errors.push({ file: input.source, line, column, message: evaluation.problem });
      } else if (evaluation.length === 0) outcome.skipped++;
      else for (const evaluated of evaluation) collect(evaluated, outcome);
    }
  }
  return outcome;
}

/** Adds the result of one operation. */
function collect({ input, at, subject, verdict, note }: Evaluated, { results, errors, notes }: Outcome): void {
  const { source: file, start, sourceLine } = input;
  const { line, column } = start;
  const findings = findingsOf(verdict, start, (path) => input.locate([...at, ...path]));
  results.push({
    file,
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
    ...(findings.length > 0 && { sourceLine }),
  });
  errors.push(...crashesOf(verdict, { file, line, column }));
  if (note) notes.push(plain(`${file}:${line}:${column}: note: ${note}`));
}

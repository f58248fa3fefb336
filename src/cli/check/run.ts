/** One `muster check`: reads what it was given, judges it in order, and reports. */

import type { Dialect } from '../../api/dialects.ts';
import { createFilesView, type GivenObject, type Reading, readObjects } from '../../cluster/files/index.ts';
import { createEngine, type Policy } from '../../engine/index.ts';
import { plain } from '../../engine/text.ts';
import type { Identity } from '../../rules/rule.ts';
import { type CheckError, type CheckReport, type CheckResult, errorOf, reportOf } from '../output/report.ts';
import { type Live, liveErrors, liveNotes } from './live.ts';
import { createSession, dialectOfInput, type Told } from './operations.ts';
import { type PreviousState, readPreviousState } from './previous-state.ts';
import { crashesOf, resultOf } from './results.ts';

export interface CheckRun {
  /** What to judge; `-` is standard input. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  /** What exists before; undefined: not said. */
  readonly state: readonly string[] | undefined;
  /** The git revision that the paths are compared with. */
  readonly baseRef?: string | undefined;
  /** The cluster that says what exists before; not together with `state`. */
  readonly live?: Live | undefined;
  /** Default: what holds without a configuration. */
  readonly policy?: Policy | undefined;
  readonly identity: Identity | undefined;
  readonly subresource: 'none' | 'status' | undefined;
  readonly failOnNoMatch: boolean;
  /** Asked at most once: `-` stands in one place only. */
  readonly stdin: () => Promise<Uint8Array>;
  /** Told how far the reading is, file by file. */
  readonly reading?: ((reading: Reading) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface Checked {
  readonly report: CheckReport;
  /** What was changed before judging, for people. */
  readonly notes: readonly string[];
}

/** Judges all of it. What can't be read is in the report's errors, and the rest is judged. */
export async function runCheck(run: CheckRun): Promise<Checked> {
  const { baseRef, live } = run;
  // With a base a path may name what is gone; it is missed only where it was not there either.
  const paths = baseRef === undefined ? run.paths : run.paths.filter((await import('./git/repository.ts')).isThere);
  const documents = await readInput(paths, run);
  const deletions = await readInput(run.deleted, run);
  const given = { documents: documents.objects, deletions: deletions.objects, errors: documents.errors };
  const before = await readPreviousState(run, given);
  const outcome = await judgeAll(run, before);
  const unread = [...before.errors, ...documents.errors, ...deletions.errors, ...(live ? liveErrors(live) : [])];
  const errors = [...unread, ...outcome.errors];
  const notes = [...before.notes, ...(live ? liveNotes(live) : []), ...outcome.notes];
  const skipped = documents.skipped + deletions.skipped + outcome.skipped;
  if (run.failOnNoMatch && outcome.results.length === 0) errors.push(noMatch(run));
  return { report: reportOf({ results: outcome.results, errors, skipped }), notes };
}

async function readInput(paths: readonly string[], { stdin, reading }: CheckRun) {
  const { objects, errors, skipped } = await readObjects(paths, { stdin, reading });
  return { objects, errors: errors.map(errorOf), skipped };
}

interface Outcome {
  readonly results: readonly CheckResult[];
  readonly errors: readonly CheckError[];
  readonly notes: readonly string[];
  readonly skipped: number;
}

/**
 * Whether a deploy tool prunes before or after it applies is not for us to know (leaving a ClusterSet to change the id needs
 * the one, replacing an id by its newer name the other). So deletions come first, and only where something is denied then
 * they are tried last; the better order counts. Within documents and within deletions the order is as given.
 */
async function judgeAll(run: CheckRun, before: PreviousState): Promise<Outcome> {
  const { documents, deletions } = before;
  const deletionsFirst = await judgeInOrder(run, before, ['remove', deletions], ['apply', documents]);
  const denied = deniedIn(deletionsFirst);
  if (denied === 0 || deletions.length === 0 || documents.length === 0) return deletionsFirst;
  const deletionsLast = await judgeInOrder(run, before, ['apply', documents], ['remove', deletions]);
  return deniedIn(deletionsLast) < denied ? deletionsLast : deletionsFirst;
}

function deniedIn({ results }: Outcome): number {
  return results.filter(({ outcome }) => outcome === 'denied').length;
}

type Step = readonly ['apply' | 'remove', readonly GivenObject[]];

async function judgeInOrder(run: CheckRun, before: PreviousState, ...steps: readonly Step[]): Promise<Outcome> {
  const { policy, identity, subresource, clock } = run;
  const view = createFilesView({ ...before.view, known: kindsOf(before.documents) });
  const engine = createEngine({ point: 'check', clock, ...(policy && { policy }) });
  const session = createSession({ engine, view, identity, subresource, clock, live: run.live !== undefined });
  const gathered: Gathering = { results: [], errors: [], notes: [], skipped: 0 };
  for (const [deed, objects] of steps) {
    for (const given of objects) gather(given, await session[deed](given), gathered);
  }
  return gathered;
}

function kindsOf(documents: readonly GivenObject[]): Set<Dialect> {
  return new Set(documents.map(dialectOfInput).filter((dialect) => dialect !== undefined));
}

interface Gathering {
  readonly results: CheckResult[];
  readonly errors: CheckError[];
  readonly notes: string[];
  skipped: number;
}

function gather(given: GivenObject, told: Told, into: Gathering): void {
  if (told === 'skipped' || ('length' in told && told.length === 0)) {
    into.skipped++;
  } else if ('problem' in told) {
    const { line, column } = given.locate(told.at);
    into.errors.push({ file: given.source, line, column, message: told.problem });
  } else {
    for (const judged of told) {
      into.results.push(resultOf(judged));
      for (const crash of crashesOf(judged)) into.errors.push(crash);
      if (judged.note)
        into.notes.push(plain(`${given.source}:${given.start.line}:${given.start.column}: note: ${judged.note}`));
    }
  }
}

function noMatch({ paths, deleted }: CheckRun): CheckError {
  const message = 'nothing of a kind that muster judges was found (--fail-on-no-match)';
  return { file: [...paths, ...deleted][0] ?? '', line: 1, column: 1, message };
}

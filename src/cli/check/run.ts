/** One `muster check`: reads what it was given, judges it in order, and reports. */
import {
  createFilesView,
  type GivenObject,
  objectsIn,
  readSources,
  readState,
  type State,
} from '../../cluster/files/index.ts';
import { createEngine, type Policy } from '../../engine/index.ts';
import type { Identity } from '../../rules/rule.ts';
import type { Dialect } from '../../schemas/dialects.ts';
import { type CheckError, type CheckReport, type CheckResult, reportOf } from './report.ts';
import { crashesOf, resultOf } from './results.ts';
import { createSession, dialectOfGiven, type Told } from './session.ts';

export interface CheckRun {
  /** What to judge; `-` is standard input. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  /** What exists before; undefined: not said. */
  readonly state: readonly string[] | undefined;
  /** Default: what holds without a configuration. */
  readonly policy?: Policy | undefined;
  readonly identity: Identity | undefined;
  readonly subresource: 'none' | 'status' | undefined;
  readonly failOnNoMatch: boolean;
  /** Asked at most once: `-` stands in one place only. */
  readonly stdin: () => Promise<Uint8Array>;
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
  const { stdin } = run;
  const state = run.state && (await readState(run.state, { stdin }));
  const documents = await readObjects(run.paths, stdin);
  const deletions = await readObjects(run.deleted, stdin);
  const outcome = await judgeAll(run, state, documents.objects, deletions.objects);
  const errors = [...(state?.errors ?? []).map(errorOf), ...documents.errors, ...deletions.errors, ...outcome.errors];
  const skipped = documents.foreign + deletions.foreign + outcome.skipped;
  if (run.failOnNoMatch && outcome.results.length === 0) errors.push(noMatch(run));
  return { report: reportOf({ results: outcome.results, errors, skipped }), notes: outcome.notes };
}

interface Input {
  readonly objects: readonly GivenObject[];
  readonly errors: readonly CheckError[];
  readonly foreign: number;
}

interface Outcome {
  readonly results: readonly CheckResult[];
  readonly errors: readonly CheckError[];
  readonly notes: readonly string[];
  readonly skipped: number;
}

async function readObjects(paths: readonly string[], stdin: () => Promise<Uint8Array>): Promise<Input> {
  const { documents, errors } = await readSources(paths, { stdin });
  const found = documents.map(objectsIn);
  return {
    objects: found.flatMap(({ objects }) => objects),
    errors: [...errors, ...found.flatMap((one) => one.errors)].map(errorOf),
    foreign: found.reduce((sum, { foreign }) => sum + foreign, 0),
  };
}

/**
 * Whether a deploy tool prunes before or after it applies is not for us to know (leaving a ClusterSet to change the id needs
 * the one, replacing an id by its newer name the other). So deletions come first, and only where something is denied then
 * they are tried last; the better order counts. Within documents and within deletions the order is as given.
 */
async function judgeAll(
  run: CheckRun,
  state: State | undefined,
  documents: readonly GivenObject[],
  deletions: readonly GivenObject[],
): Promise<Outcome> {
  const known = new Set(documents.map(dialectOfGiven).filter((dialect) => dialect !== undefined));
  const deletionsFirst = await judgeInOrder(run, state, known, ['remove', deletions], ['apply', documents]);
  const denied = deniedIn(deletionsFirst);
  if (denied === 0 || deletions.length === 0 || documents.length === 0) return deletionsFirst;
  const deletionsLast = await judgeInOrder(run, state, known, ['apply', documents], ['remove', deletions]);
  return deniedIn(deletionsLast) < denied ? deletionsLast : deletionsFirst;
}

function deniedIn({ results }: Outcome): number {
  return results.filter(({ outcome }) => outcome === 'denied').length;
}

type Step = readonly ['apply' | 'remove', readonly GivenObject[]];

async function judgeInOrder(
  { policy, identity, subresource, clock }: CheckRun,
  state: State | undefined,
  known: Iterable<Dialect>,
  ...steps: readonly Step[]
): Promise<Outcome> {
  const view = createFilesView({ state: state?.objects, incomplete: (state?.errors.length ?? 0) > 0, known });
  const engine = createEngine({ point: 'check', clock, ...(policy && { policy }) });
  const session = createSession({ engine, view, identity, subresource, clock });
  const gathered: Gathering = { results: [], errors: [], notes: [], skipped: 0 };
  for (const [deed, objects] of steps) {
    for (const given of objects) gather(given, await session[deed](given), gathered);
  }
  return gathered;
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
    into.errors.push({ file: given.source, ...given.locate(told.at), message: told.problem });
  } else {
    for (const judged of told) {
      into.results.push(resultOf(judged));
      into.errors.push(...crashesOf(judged));
      if (judged.note)
        into.notes.push(`${given.source}:${given.start.line}:${given.start.column}: note: ${judged.note}`);
    }
  }
}

function errorOf({ source, line, column, message }: { source: string; line: number; column: number; message: string }) {
  return { file: source, line, column, message };
}

function noMatch({ paths, deleted }: CheckRun): CheckError {
  const message = 'nothing of a kind that muster judges was found (--fail-on-no-match)';
  return { file: [...paths, ...deleted][0] ?? '', line: 1, column: 1, message };
}

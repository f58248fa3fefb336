/** Evaluates one cluster of a check, a world of its own: the documents and deletions in order, against what exists before. */
import type { Dialect } from '../../api/dialects.ts';
import type { JsonObject } from '../../base/json.ts';
import { plain } from '../../base/text.ts';
import {
  createFilesView,
  dialectOfObject,
  type FilesView,
  type InputObject,
  keyOf,
  type SourcesOptions,
} from '../../cluster/files/index.ts';
import { atEnd, mayEnd } from '../../engine/end-of-run.ts';
import type { Engine, Verdict } from '../../engine/index.ts';
import { withFindings } from '../output/compared.ts';
import { type CheckError, type CheckResult, crashesOf, findingsOf, placeIn } from '../output/report.ts';
import { ofCluster, type ReadCluster } from './clusters/inputs.ts';
import { readMembership, readSlices } from './clusters/members.ts';
import { sameObjectErrors } from './clusters/same-object.ts';
import type { BaseState } from './git/revision.ts';
import { createSession, type Evaluated, type SessionOptions } from './operations.ts';
import { type PreviousState, readPreviousState, type StatePlaces } from './previous-state.ts';

/** What is the same for all clusters of a run. */
export interface ClusterRun extends SourcesOptions, Pick<SessionOptions, 'identity' | 'subresource' | 'clock'> {
  readonly engine: Engine;
  /** Evaluates the deferred rules, when all objects are known. */
  readonly finalEngine: Engine;
  /** The names of the dialects that some rule on changes applies to. */
  readonly changeable: ReadonlySet<string>;
  /** The APIs whose claims are compared between clusters. */
  readonly compared: readonly Dialect[];
}

export interface Outcome {
  readonly results: CheckResult[];
  /** Whether an object was applied of which rules on changes may report something. */
  hasChangeRules: boolean;
  readonly errors: CheckError[];
  readonly notes: string[];
  skipped: number;
  /** What was evaluated last of each object, by its key. */
  readonly last: Map<string, LastResult>;
  /** What is stored in the end. */
  readonly view: FilesView;
}

export interface LastResult extends Pick<Evaluated, 'input' | 'at'> {
  /** The position among the results. */
  readonly index: number;
}

export interface ClusterOutcome extends Outcome {
  /** What existed before, as far as it is known. */
  readonly before: readonly JsonObject[];
  /** Where the objects of `--state` are. */
  readonly places: StatePlaces;
  /** Whether rules on changes would apply, and no previous state was given. */
  readonly isFirst: boolean;
}

/**
 * Checks a cluster.
 * @param base what it had at `--base-ref REF`
 */
export async function checkCluster(
  run: ClusterRun,
  cluster: ReadCluster,
  base: (BaseState & { readonly ref: string }) | undefined,
): Promise<ClusterOutcome> {
  const { live } = cluster;
  const previous = await readPreviousState(cluster, base, run);
  const unclear = cluster.name === undefined ? sameObjectErrors(previous.documents, cluster.named) : [];
  const nothing = outcomeOf(createFilesView());
  // Evaluated in any order, one of two clusters would be taken for an update of the other.
  const outcome = unclear.length > 0 ? nothing : await evaluateAll({ ...run, live }, previous);
  const unchanged = live ? await readCompared(outcome, cluster, run.compared) : [];
  const errors = [
    ...previous.errors,
    ...cluster.errors,
    ...cluster.deletedErrors,
    ...(live?.errors() ?? []),
    ...unclear,
  ];
  const { name } = cluster;
  return {
    ...outcome,
    before: [...(previous.view.state ?? []), ...unchanged],
    places: previous.places,
    isFirst: outcome.hasChangeRules && !live && !cluster.state && base === undefined,
    errors: [...errors, ...outcome.errors].map((error) => ofCluster(error, name)),
    notes: [...(live?.notes() ?? []), ...outcome.notes],
    skipped: cluster.skipped + outcome.skipped,
  };
}

/** Reads from an API server what is compared with the objects of the run, and returns what the run did not change. */
async function readCompared({ view, last }: Outcome, { name }: ReadCluster, claims: readonly Dialect[]) {
  const membership = name === undefined ? [] : await readMembership(view, claims);
  return [...membership, ...(await readSlices(view, last.keys()))];
}

type Evaluation = ClusterRun & Pick<ReadCluster, 'live'>;

/**
 * Evaluates deletions first and, if something is denied, also last; the order with fewer denials counts. Deploy tools prune
 * before or after they apply: leaving a ClusterSet to change the id needs the one, replacing an id by its newer name the other.
 */
async function evaluateAll(run: Evaluation, previous: PreviousState): Promise<Outcome> {
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

async function evaluateInOrder(run: Evaluation, previous: PreviousState, ...steps: readonly Step[]): Promise<Outcome> {
  const known = previous.documents.flatMap(({ object }) => dialectOfObject(object) ?? []);
  const view = createFilesView({ ...previous.view, known });
  const session = createSession({ ...run, view, live: run.live !== undefined });
  const outcome = outcomeOf(view);
  const deferred: { readonly evaluated: Evaluated; readonly index: number }[] = [];
  const open: { readonly index: number; readonly evaluated: Evaluated }[] = [];
  for (const [step, objects] of steps) {
    for (const input of objects) {
      const evaluation = await session[step](input);
      if ('problem' in evaluation) {
        const { line, column } = input.locate(evaluation.at);
        outcome.errors.push({ ...placeIn(input, { line, column }), message: evaluation.problem });
      } else if (evaluation.length === 0) outcome.skipped++;
      for (const evaluated of 'problem' in evaluation ? [] : evaluation) {
        const index = outcome.results.length;
        if (run.finalEngine.applies(evaluated.subject)) deferred.push({ evaluated, index });
        // An AdmissionReview is evaluated as given, whatever follows.
        if (evaluated.at.length === 0) {
          outcome.hasChangeRules ||= run.changeable.has(evaluated.subject.dialect.name);
          if (mayEnd(evaluated.verdict)) open.push({ evaluated, index });
        }
        collect(evaluated, outcome);
      }
    }
  }
  for (const { evaluated, index } of open) {
    const verdict = await atEnd(run.engine, evaluated, view);
    outcome.results[index] = resultOf({ ...evaluated, verdict });
  }
  for (const { evaluated, index } of deferred) {
    const verdict = await run.finalEngine.evaluate(evaluated.subject, view);
    addVerdict(evaluated, verdict, index, outcome);
  }
  return outcome;
}

function outcomeOf(view: FilesView): Outcome {
  return { results: [], hasChangeRules: false, errors: [], notes: [], skipped: 0, last: new Map(), view };
}

/** Adds what the deferred rules found to the result of an operation. */
function addVerdict({ input, at }: Evaluated, verdict: Verdict, index: number, { results, errors }: Outcome): void {
  const result = results[index];
  if (result === undefined) return;
  const added = findingsOf(verdict, input.start, (path) => input.locate([...at, ...path]));
  const { sourceLine } = input;
  const found = withFindings(result, added, [verdict.outcome]);
  results[index] = added.length > 0 ? { ...found, sourceLine } : found;
  errors.push(...crashesOf(verdict, placeIn(input, input.start)));
}

/** Adds the result of one operation. */
function collect(evaluated: Evaluated, { results, errors, notes, last }: Outcome): void {
  const { input, at, subject, verdict, note } = evaluated;
  const { dialect, name, namespace = '' } = subject;
  // The object of an AdmissionReview is within it, and not stored.
  if (at.length === 0) last.set(keyOf({ dialect, name, namespace }), { input, at, index: results.length });
  results.push(resultOf(evaluated));
  const { source: file, start } = input;
  const { line, column } = start;
  errors.push(...crashesOf(verdict, placeIn(input, start)));
  if (note) notes.push(plain(`${file}:${line}:${column}: note: ${note}`));
}

function resultOf({ input, at, subject, verdict }: Evaluated): CheckResult {
  const { start, sourceLine } = input;
  const findings = findingsOf(verdict, start, (path) => input.locate([...at, ...path]));
  return {
    ...(input.cluster !== undefined && { cluster: input.cluster }),
    ...placeIn(input, start),
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
  };
}

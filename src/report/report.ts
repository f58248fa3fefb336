/** The CheckReport, the data of every output of `check` and `scan`, and the exit code that follows from it. */
import { pathIn } from '../documents/files.ts';
import type { LineReader, Location } from '../documents/index.ts';
import type { Finding, Outcome } from '../engine/index.ts';
import { withCluster } from '../input/objects.ts';
import type { Optional, Place, PlacedMessage } from '../input/place.ts';

/** A crash of a rule is an error of the report; its result is indeterminate. */
export type CheckOutcome = Exclude<Outcome, 'crashed'>;
/** The values of `--fail-on`; each includes those before it. */
export const FAIL_ON = ['none', 'denied', 'indeterminate', 'warning'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** A further place that a finding is about, such as the same id in another cluster. */
export interface RelatedPlace extends Place {
  /** A few words on what is at the place. */
  readonly message: string;
}

/** A finding, with the location of the value or of the nearest key. An object that is in no file has no location. */
export interface CheckFinding extends Optional<Location>, Omit<Finding, 'path' | 'code'> {
  /** Set if the finding is in another file than the object, such as that of the exported Service. */
  readonly file?: string;
  /** Set if the rule could not decide; the message then says what information is missing. */
  readonly outcome?: 'indeterminate';
  /** The page of the rule. */
  readonly url: string;
  readonly related?: readonly RelatedPlace[];
  /** Returns a line of the file that the finding is in, for excerpts. The JSON leaves functions out. */
  readonly sourceLine?: LineReader | undefined;
}

export interface CheckResult extends Omit<Place, 'about'> {
  /** The kubeconfig context; set for an object of the only API server of a run. */
  readonly context?: string | undefined;
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly operation: string;
  readonly subresource: string;
  readonly outcome: CheckOutcome;
  readonly findings: readonly CheckFinding[];
  /**
   * Set if a rule broke that could have denied: without its findings, the object is undecided, and not allowed. A
   * function, as `sourceLine` is, since the JSON leaves functions out.
   */
  readonly hasCrash?: () => true;
}

interface Summary {
  /** Evaluated writes: the sum of the next three. An object with a status counts twice. */
  readonly evaluated: number;
  readonly allowed: number;
  readonly denied: number;
  readonly indeterminate: number;
  /** Findings of action `warn`, and warnings about the input. */
  readonly warnings: number;
  /** Objects of other kinds, and documents that are no Kubernetes objects. */
  readonly skipped: number;
  /** Parts that name a kind muster reads, and could not be evaluated: a chart that was not rendered, for example. */
  readonly unevaluated: number;
  readonly errors: number;
}

export interface CheckReport {
  readonly apiVersion: 'muster/v1alpha1';
  readonly kind: 'CheckReport';
  readonly summary: Summary;
  /** The summary of each cluster in a run of several, in their order. */
  readonly clusters?: readonly { readonly name: string; readonly summary: Summary }[];
  readonly results: readonly CheckResult[];
  readonly errors: readonly PlacedMessage[];
  /** Warnings about the input that no rule covers, if there are any. */
  readonly warnings?: readonly PlacedMessage[];
  /** Parts that `unevaluated` counts, and charts and kustomizations that were not rendered, if there are any. */
  readonly notes?: readonly Note[];
}

export interface Note extends PlacedMessage {
  /** Set for a part that the summary counts. */
  readonly unevaluated?: true;
}

/** What a part of a run found: one of its clusters, the comparison of all, or a step beside them. */
export interface RunPart {
  /** The name of the cluster, in a run of several. */
  readonly cluster?: string | undefined;
  readonly entries?: readonly { readonly result: CheckResult }[];
  readonly errors?: readonly PlacedMessage[];
  readonly warnings?: readonly PlacedMessage[];
  readonly placedNotes?: readonly Note[];
  /** Notes for people, one line each, which the report leaves out. */
  readonly notes?: readonly string[];
  /** How much was skipped. Set for each cluster. */
  readonly skipped?: number;
}

/** Returns all results of a run. */
export function resultsIn(parts: readonly RunPart[]): readonly CheckResult[] {
  return parts.flatMap(({ entries = [] }) => entries.map(({ result }) => result));
}

/**
 * Returns the report of a run.
 * @param results those of the parts, or some of them
 */
export function reportOf(parts: readonly RunPart[], results = resultsIn(parts)): CheckReport {
  const errors = parts.flatMap((part) => part.errors ?? []);
  const warnings = parts.flatMap((part) => part.warnings ?? []);
  const notes = parts.flatMap((part) => part.placedNotes ?? []);
  const inCluster = Map.groupBy(results, ({ cluster }) => cluster);
  const clusters = parts.flatMap(({ cluster, skipped }) => {
    if (cluster === undefined || skipped === undefined) return [];
    const own = <Of extends Place>(of: readonly Of[]) => of.filter((one) => one.cluster === cluster);
    const messages = { errors: own(errors), warnings: own(warnings), notes: own(notes) };
    return { name: cluster, summary: summaryOf({ results: inCluster.get(cluster) ?? [], ...messages, skipped }) };
  });
  const skipped = parts.reduce((sum, part) => sum + (part.skipped ?? 0), 0);
  return {
    apiVersion: 'muster/v1alpha1',
    kind: 'CheckReport',
    summary: summaryOf({ results, errors, warnings, notes, skipped }),
    ...(clusters.length > 0 && { clusters }),
    results,
    errors,
    ...(warnings.length > 0 && { warnings }),
    ...(notes.length > 0 && { notes }),
  };
}

interface Counted extends Required<Pick<CheckReport, 'results' | 'errors' | 'warnings' | 'notes'>> {
  readonly skipped: number;
}

/** Counts results without building lists: there may be 100,000 of them. */
function summaryOf({ results, errors, warnings: noticed, notes, skipped }: Counted): Summary {
  const counts = { allowed: 0, denied: 0, indeterminate: 0 };
  let warnings = noticed.length;
  for (const { outcome, findings } of results) {
    counts[outcome] += 1;
    for (const { action } of findings) if (action === 'warn') warnings += 1;
  }
  const unevaluated = notes.filter((note) => note.unevaluated).length;
  return { evaluated: results.length, ...counts, warnings, skipped, unevaluated, errors: errors.length };
}

/** Returns whether `--fail-on` covers denials, what is indeterminate, or warnings. */
export function covers(failOn: FailOn, what: Exclude<FailOn, 'none'>): boolean {
  return FAIL_ON.indexOf(what) <= FAIL_ON.indexOf(failOn);
}

/** Returns whether `--fail-on` covers a result. */
export function fails({ outcome, findings }: CheckResult, failOn: FailOn): boolean {
  if (outcome !== 'allowed' && covers(failOn, outcome)) return true;
  return covers(failOn, 'warning') && findings.some(({ action }) => action === 'warn');
}

/** Returns whether `--fail-on` covers a note: that of a part that names a kind muster reads, and was not evaluated. */
export function failsForNote({ unevaluated }: Note, failOn: FailOn): boolean {
  return unevaluated === true && covers(failOn, 'indeterminate');
}

/**
 * Returns the exit code: 0 if `--fail-on` covers no result, 1 if it covers one, 2 if part of the input was not
 * evaluated.
 */
export function exitCodeOf({ summary }: CheckReport, failOn: FailOn): 0 | 1 | 2 {
  if (summary.errors > 0) return 2;
  const { denied, indeterminate, unevaluated, warnings } = summary;
  const counts = { denied, indeterminate: indeterminate + unevaluated, warning: warnings };
  return (['denied', 'indeterminate', 'warning'] as const).some((what) => counts[what] > 0 && covers(failOn, what))
    ? 1
    : 0;
}

/** Returns the place of an object: its position in a file, or its kind and name if it is in no file. */
export function placeOf(result: CheckResult): Place {
  const { cluster, file, line, column, pathNow } = result;
  if (file === undefined || line === undefined || column === undefined)
    return withCluster(cluster, { about: objectName(result) });
  return withCluster(cluster, { file, line, column, pathNow });
}

/** Returns `Kind namespace/name`. */
export function objectName(object: {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}): string {
  const { kind, namespace = '', name } = object;
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** Returns the place of a finding: in the file of its object, or in another file. */
export function findingPlace(result: CheckResult, finding: CheckFinding): Place {
  const { pathNow, ...place } = placeOf(result);
  return { ...place, ...(finding.file === undefined && pathNow && { pathNow }), ...finding };
}

/** What a renderer needs besides the report. */
export interface ReportContext {
  /** `muster check` or `muster scan`: the name of the test run in JUnit. */
  readonly command: string;
  readonly failOn: FailOn;
  readonly exitCode: number;
  /** The folder that paths are relative to. */
  readonly root: string;
}

/** Returns the path of a file in the working tree; undefined if there is none, as for standard input. */
export function workingPath({ file, pathNow }: Place): string | undefined {
  if (file === undefined || /^<\w+>$/.test(file)) return undefined;
  return pathNow?.() ?? file;
}

/**
 * Returns the root of the sources: the workspace that GitHub names, if the current folder lies in it, else the current
 * folder.
 */
export function sourceRoot(environment: Readonly<Record<string, string | undefined>>, current: string): string {
  const workspace = environment['GITHUB_WORKSPACE'];
  return workspace && pathIn(workspace, current) !== undefined ? workspace : current;
}

/** The store of results of `check`, `scan` and suites. Each write has an entry, in the order of reading. */
import type { Resource } from '../api/dialects.ts';
import type { Path } from '../base/json.ts';
import { errorMessage } from '../base/text.ts';
import type { LineReader, Location } from '../documents/index.ts';
import type { ComparedVerdict, Comparison, Verdict } from '../engine/index.ts';
import { type InputObject, placeIn, withCluster } from '../input/objects.ts';
import type { Optional, Place, PlacedMessage } from '../input/place.ts';
import { type CheckFinding, type CheckOutcome, type CheckResult, objectName, placeOf } from '../report/report.ts';
import { ruleUrl } from '../rules/documentation.ts';
import { rules } from '../rules/index.ts';
import type { Reference, Subject } from '../rules/rule.ts';

/** A write among the results; adding findings replaces its result. */
export interface Entry {
  result: CheckResult;
  readonly position: ObjectPosition;
  /** Undefined unless it was asked for. */
  readonly uid?: string | undefined;
  /** What was decided, if verdicts are kept. */
  readonly verdicts?: Verdict[];
}

/** The positions of an object's values in its file. An object of a cluster has neither positions nor lines. */
interface ObjectPosition {
  locate(path: Path): Optional<Location>;
  readonly sourceLine?: LineReader | undefined;
}

/** The position of an object that is in no file. It is shared by up to 100,000 objects. */
export const NOWHERE: ObjectPosition = { locate: () => ({}) };

/** The write that a result is about. */
export interface EntryOptions extends Reference, Pick<Subject, 'version' | 'subresource'> {
  /** `SCAN`: the object was found stored, not in a request. */
  readonly operation: Subject['operation'] | 'SCAN';
  readonly place: Place;
  readonly position: ObjectPosition;
  readonly uid?: string | undefined;
}

interface StoreOptions {
  /** The kubeconfig context of the only API server of a run. */
  readonly context?: string | undefined;
  /** Whether verdicts are kept, for the answers of a server. */
  readonly keepsVerdicts?: boolean | undefined;
}

/** The place of a compared object that has no result of its own. */
export interface KnownObject {
  readonly place: Place;
  locate(path: Path): Optional<Location>;
  /** The write of the run that caused the conflict, such as a new membership beside an id that does not change. */
  readonly causedBy?: Entry | undefined;
  /** Opens a result for this object. An export whose Service changed needs one, since a Service has no result. */
  readonly open?: (() => Entry) | undefined;
}

/** The handle of a compared object: its result, or only its place. */
export type PlacedObject = Entry | KnownObject;

/** Returns the place of an object in a file. @param cluster undefined: the only one of a run */
export function knownInFile(input: InputObject, cluster: string | undefined): KnownObject {
  return { place: withCluster(cluster, placeIn(input)), locate: input.locate };
}

/** Returns the place of an object that is in no file. @param cluster undefined: the only one of a run */
export function knownInCluster(
  { dialect: { kind }, namespace, name }: Reference<Resource>,
  cluster: string | undefined,
): KnownObject {
  return { place: withCluster(cluster, { about: objectName({ kind, namespace, name }) }), ...NOWHERE };
}

export interface ResultStore {
  readonly entries: readonly Entry[];
  /** Internal errors of rules; also errors of reading, which `scan` and the evaluation add. */
  readonly errors: PlacedMessage[];
  /** Adds a write without findings. */
  open(options: EntryOptions): Entry;
  /** Adds the findings of these verdicts. */
  add(entry: Entry, verdicts: readonly Verdict[]): void;
}

/** Orders outcomes; the worst is the greatest. */
export const SEVERITY: Readonly<Record<CheckOutcome, number>> = { allowed: 0, indeterminate: 1, denied: 2 };
const RANK: ReadonlyMap<string, number> = new Map(rules.map(({ id }, index) => [id, index]));
const NONE: readonly CheckFinding[] = [];
/** The most texts that are shared. Where there are more, sharing them gains nothing. */
const MOST_SHARED = 1000;

/** Returns an empty store. */
export function createResultStore({ context, keepsVerdicts = false }: StoreOptions = {}): ResultStore {
  const entries: Entry[] = [];
  const errors: PlacedMessage[] = [];
  const texts = new Map<string, string>();
  /** Returns one string for equal texts: most of 100,000 objects share a few namespaces, versions and messages. */
  const shared = (text: string) => {
    const known = texts.get(text);
    if (known === undefined && texts.size < MOST_SHARED) texts.set(text, text);
    return known ?? text;
  };
  return {
    entries,
    errors,
    open({ dialect, version, name, namespace = '', operation, subresource, place, position, uid }) {
      const { cluster, file, line, column, pathNow } = place;
      // One literal takes half the memory of spread objects, since V8 then keeps its properties in the object itself.
      const result: CheckResult = {
        cluster,
        context,
        file,
        line,
        column,
        apiVersion: shared(`${dialect.group}/${version}`),
        kind: dialect.kind,
        namespace: shared(namespace),
        name,
        operation,
        subresource,
        outcome: 'allowed',
        findings: NONE,
      };
      const own = pathNow ? { ...result, pathNow } : result;
      const entry = keepsVerdicts ? { result: own, uid, position, verdicts: [] } : { result: own, uid, position };
      entries.push(entry);
      return entry;
    },
    add(entry, verdicts) {
      entry.verdicts?.push(...verdicts);
      if (verdicts.every(isClean)) return;
      const { result, position } = entry;
      const found = verdicts.flatMap((verdict) => findingsOf(verdict, result, position));
      const added = found.map((one) => ({ ...one, field: shared(one.field), message: shared(one.message) }));
      addFindings(entry, added, verdicts);
      errors.push(...verdicts.flatMap((verdict) => crashesOf(verdict, placeOf(entry.result))));
    },
  };
}

/** Returns the findings of a verdict, then one for each rule that could not decide, at the position of the object. */
function findingsOf(
  verdict: Verdict,
  { line, column }: Pick<CheckResult, 'line' | 'column'>,
  { locate, sourceLine }: ObjectPosition,
): readonly CheckFinding[] {
  const found = verdict.findings.map(({ path, code: _, ...finding }): CheckFinding => {
    return { ...finding, url: ruleUrl(finding.ruleId), ...locate(path), sourceLine };
  });
  const undecided = verdict.indeterminate.map(({ ruleId, level, field, message }): CheckFinding => {
    const url = ruleUrl(ruleId);
    return { ruleId, level, action: 'deny', outcome: 'indeterminate', field, message, url, line, column, sourceLine };
  });
  return [...found, ...undecided];
}

/** Returns an error for each rule that threw: a bug of ours. */
function crashesOf({ crashes }: Verdict, place: Place): PlacedMessage[] {
  return crashes.map(({ ruleId, reference, error }) => {
    return { ...place, message: `[${ruleId}] broke (a bug in muster, reference ${reference}): ${errorMessage(error)}` };
  });
}

/** What a comparison added to the report besides findings. */
export interface ComparisonResults {
  /** Results that were opened for it. */
  readonly entries: readonly Entry[];
  /** Internal errors of rules. */
  readonly errors: readonly PlacedMessage[];
}

/**
 * Adds the findings of a comparison of all objects to the results, each with the places of the other objects.
 * @param before a comparison of what existed before; its findings are left out
 */
export function addCompared(
  comparison: Comparison<PlacedObject>,
  before: Comparison<PlacedObject> | undefined,
): ComparisonResults {
  const errors: PlacedMessage[] = [];
  const opened = new Map<KnownObject, Entry>();
  for (const compared of comparison.finish(before)) {
    const { handle, verdict } = compared;
    const entry = 'result' in handle ? handle : (handle.causedBy ?? opened.get(handle) ?? handle.open?.());
    // An object without a result is left out: the objects that it conflicts with report the problem.
    if (entry === undefined) continue;
    if (!('result' in handle) && handle.causedBy === undefined) opened.set(handle, entry);
    entry.verdicts?.push(verdict);
    addFindings(entry, comparedFindings(entry, compared), [verdict]);
    errors.push(...crashesOf(verdict, placeOf(entry.result)));
  }
  return { entries: [...opened.values()], errors };
}

function comparedFindings(
  { result, position }: Entry,
  { handle: object, verdict, related, places }: ComparedVerdict<PlacedObject>,
): readonly CheckFinding[] {
  const { line, column } = result;
  // An object that is not in the input has no position; the place of its result counts.
  const { sourceLine } = position;
  const locator = 'result' in object ? position : { locate: () => ({ line, column }), sourceLine };
  return findingsOf(verdict, result, locator).map((finding, index): CheckFinding => {
    const found = verdict.findings[index];
    if (found === undefined) return finding;
    const others = (related.get(found) ?? []).map(({ handle, path, message }) => {
      const { place, locate } = placedObject(handle);
      return { ...place, ...locate(path), message };
    });
    const own = places.get(found);
    const placed = own === undefined ? finding : inOtherObject(finding, found.path, result, own);
    return others.length === 0 ? placed : { ...placed, related: others };
  });
}

/**
 * Returns a finding with its place in another object, such as a Service, of which no line is shown; at the evaluated
 * object if the other is in no file.
 */
function inOtherObject(
  finding: CheckFinding,
  path: Path,
  { file, line, column }: CheckResult,
  other: PlacedObject,
): CheckFinding {
  const { endLine: _, endColumn: __, line: ___, column: ____, sourceLine, ...rest } = finding;
  const { place, locate } = placedObject(other);
  if (place.file === undefined) return { ...rest, line, column, sourceLine };
  return { ...rest, ...(place.file !== file && { file: place.file }), ...locate(path) };
}

function placedObject(object: PlacedObject): KnownObject {
  return 'result' in object ? { place: placeOf(object.result), locate: object.position.locate } : object;
}

/** Adds findings to a result, sorted in the order of the catalogue. The result keeps the worst outcome. */
export function addFindings(
  entry: Entry,
  added: readonly CheckFinding[],
  verdicts: readonly Pick<Verdict, 'outcome' | 'crashes'>[],
): void {
  const { result } = entry;
  const rankOf = ({ ruleId }: CheckFinding) => RANK.get(ruleId) ?? RANK.size;
  const isOnly = result.findings.length === 0 && verdicts.length === 1;
  const findings = isOnly ? added : [...result.findings, ...added].toSorted((a, b) => rankOf(a) - rankOf(b));
  // A crash is reported as an error; the object itself is undecided.
  const all = verdicts.map(({ outcome }) => (outcome === 'crashed' ? 'indeterminate' : outcome));
  const [outcome = 'allowed'] = [result.outcome, ...all].sort((a, b) => SEVERITY[b] - SEVERITY[a]);
  const hasCrash = verdicts.some(({ crashes }) => crashes.some(({ denies }) => denies));
  entry.result = { ...result, findings, outcome, ...(hasCrash && { hasCrash: () => true }) };
}

function isClean({ findings, indeterminate, crashes }: Verdict): boolean {
  return findings.length + indeterminate.length + crashes.length === 0;
}

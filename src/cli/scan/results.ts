/** Collects the results of a scan in the order in which objects are read, with what reports and Events need of each. */
import type { Dialect } from '../../api/dialects.ts';
import { type JsonObject, type Path, textAt } from '../../base/json.ts';
import { type InputObject, referenceTo } from '../../cluster/files/index.ts';
import type { Location } from '../../documents/index.ts';
import type { Comparison, Policy, Verdict } from '../../engine/index.ts';
import { type ObjectPlace, withCompared, withFindings } from '../output/compared.ts';
import {
  type CheckError,
  type CheckFinding,
  type CheckResult,
  crashesOf,
  findingsOf,
  placeOf,
} from '../output/report.ts';

/** What every scan takes. */
export interface Scan {
  /** The name of the cluster, where there are several. */
  readonly cluster?: string | undefined;
  /** Default: the policy without a configuration. */
  readonly policy?: Policy | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Compares the objects of all clusters when they are read. */
  readonly comparison: Comparison<Entry>;
  /** Called with the kind that is read, how many of its objects are evaluated, and how many remain if that is known. */
  readonly onProgress?: ((kind: string, count: number, remaining: number | undefined) => void) | undefined;
}

/** What a scan found. */
export interface Findings {
  readonly objects: readonly ScannedObject[];
  /** What could not be read or evaluated. */
  readonly errors: readonly CheckError[];
  /** For people. */
  readonly notes: readonly string[];
  /** The number of objects of kinds that muster does not evaluate. */
  readonly skipped: number;
}

/** A stored object with its result. */
export interface ScannedObject {
  readonly result: CheckResult;
  /** Undefined unless it was asked for. */
  readonly uid: string | undefined;
}

/** A stored object, and where it was found. */
export interface Stored {
  readonly dialect: Dialect;
  readonly version: string;
  readonly object: JsonObject;
  /** The file; undefined for an object of a cluster. */
  readonly source?: string;
  readonly position: Position;
}

/** The lines of an object in a file; an object of a cluster has none. */
interface Position extends Partial<Pick<InputObject, 'sourceLine'>> {
  readonly start: Partial<InputObject['start']>;
  locate(path: Path): Partial<Location>;
}

/** The position of what has no line. Shared: of 100,000 objects each has one. */
export const NOWHERE: Position = { start: {}, locate: () => ({}) };

/** An object among the results; adding findings replaces its result. */
export interface Entry extends ScannedObject {
  result: CheckResult;
  readonly position: Position;
}

export interface StoreOptions extends Pick<Scan, 'cluster'> {
  /** Whether uids are needed; of 100,000 objects they take 6 MB. */
  readonly withUids?: boolean;
  /** That of the only API server of a run. */
  readonly context?: string | undefined;
}

export type ResultStore = ReturnType<typeof createResultStore>;

/** Returns an empty store. */
export function createResultStore({ withUids = false, ...where }: StoreOptions = {}) {
  const objects: Entry[] = [];
  const texts = new Map<string, string>();
  /** Of 100,000 objects most have the same few namespaces, versions and messages: one text of each is kept. */
  const shared: Shared = (text) => {
    const known = texts.get(text);
    if (known === undefined && texts.size < MOST_SHARED) texts.set(text, text);
    return known ?? text;
  };
  const errors: CheckError[] = [];
  return {
    objects: objects as readonly ScannedObject[],
    errors,
    /** Adds an object without findings. */
    open(stored: Stored): Entry {
      const uid = withUids ? textAt(stored.object, ['metadata', 'uid']) : undefined;
      const entry = { result: resultOf(stored, where, shared), uid, position: stored.position };
      objects.push(entry);
      return entry;
    },
    /** Adds the findings of these verdicts. */
    add(entry: Entry, verdicts: readonly Verdict[]): void {
      if (verdicts.every(isClean)) return;
      const { result, position } = entry;
      const found = verdicts.flatMap((verdict) => findingsOf(verdict, result, position.locate));
      const added = found.map(({ ruleId, level, action, field, message, ...rest }): CheckFinding => {
        return { ruleId, level, action, field: shared(field), message: shared(message), ...rest };
      });
      const outcomes = verdicts.map(({ outcome }) => outcome);
      entry.result = withSource(entry, withFindings(result, added, outcomes));
      errors.push(...verdicts.flatMap((verdict) => crashesOf(verdict, placeOf(entry.result))));
    },
  };
}

type Shared = (text: string) => string;

/** Adds to the results what the comparison found. Returns what broke. */
export async function addCompared(comparison: Comparison<Entry>): Promise<readonly CheckError[]> {
  const errors: CheckError[] = [];
  for (const compared of await comparison.finish()) {
    const { handle: entry, verdict } = compared;
    entry.result = withSource(entry, withCompared(entry.result, compared, objectPlaceOf));
    errors.push(...crashesOf(verdict, placeOf(entry.result)));
  }
  return errors;
}

function objectPlaceOf({ result, position }: Entry): ObjectPlace {
  return { place: placeOf(result), locate: position.locate };
}

const NONE: readonly CheckFinding[] = [];
/** Beyond that many different texts, sharing gains nothing. */
const MOST_SHARED = 1000;

function resultOf(
  { dialect, version, object, source, position }: Stored,
  { cluster, context }: Pick<StoreOptions, 'cluster' | 'context'>,
  shared: Shared,
): CheckResult {
  const { name, namespace = '' } = referenceTo(dialect, object);
  // One literal, whose properties V8 keeps in the object itself: half of the memory of spread ones.
  return {
    // Undefined is no part of the JSON.
    cluster: cluster as string,
    context: context as string,
    file: source as string,
    line: position.start.line as number,
    column: position.start.column as number,
    apiVersion: shared(`${dialect.group}/${version}`),
    kind: dialect.kind,
    namespace: shared(namespace),
    name,
    // The object was found stored, not in a request.
    operation: 'SCAN',
    subresource: '',
    outcome: 'allowed',
    findings: NONE,
  };
}

function isClean({ findings, indeterminate, crashes }: Verdict): boolean {
  return findings.length + indeterminate.length + crashes.length === 0;
}

/** Lines of the file are for excerpts of findings. */
function withSource({ position: { sourceLine } }: Entry, result: CheckResult): CheckResult {
  return sourceLine && result.findings.length > 0 ? { ...result, sourceLine } : result;
}

/** Collects the results of a scan in the order in which objects are read, with what reports and Events need of each. */
import type { Dialect } from '../../api/dialects.ts';
import { type InputObject, referenceTo } from '../../cluster/files/index.ts';
import type { Policy, Verdict } from '../../engine/index.ts';
import { rules } from '../../rules/index.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import {
  type CheckError,
  type CheckFinding,
  type CheckOutcome,
  type CheckResult,
  crashesOf,
  findingsOf,
} from '../output/report.ts';

/** What every scan takes. */
export interface Scan {
  /** The name of the cluster, where there are several. */
  readonly cluster?: string | undefined;
  /** Default: the policy without a configuration. */
  readonly policy?: Policy | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
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
  /** A file, or for an object of a cluster `PLURAL.GROUP/[NAMESPACE/]NAME`. */
  readonly source: string;
  readonly position: Position;
}

/** The lines of an object in a file; an object of a cluster has none. */
type Position = Pick<InputObject, 'start' | 'locate'> & Partial<Pick<InputObject, 'sourceLine'>>;

/** The position of what has no line. Shared: of 100,000 objects each has one. */
export const NOWHERE: Position = { start: { line: 1, column: 1 }, locate: () => ({ line: 1, column: 1 }) };

/** An object among the results; adding findings replaces its result. */
export interface Entry extends ScannedObject {
  result: CheckResult;
  readonly position: Position;
}

export interface StoreOptions extends Pick<Scan, 'cluster'> {
  /** Whether uids are needed; of 100,000 objects they take 6 MB. */
  readonly withUids?: boolean;
}

export type ResultStore = ReturnType<typeof createResultStore>;

/** Returns an empty store. */
export function createResultStore({ withUids = false, cluster }: StoreOptions = {}) {
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
      const entry = { result: resultOf(stored, cluster, shared), uid, position: stored.position };
      objects.push(entry);
      return entry;
    },
    /** Adds the findings of these verdicts. */
    add(entry: Entry, verdicts: readonly Verdict[]): void {
      if (verdicts.every(isClean)) return;
      entry.result = withFindings(entry, verdicts, shared);
      errors.push(...verdicts.flatMap((verdict) => crashesOf(verdict, entry.result)));
    },
  };
}

type Shared = (text: string) => string;

/** Orders outcomes; the worst is the greatest. */
export const SEVERITY: Readonly<Record<CheckOutcome, number>> = { allowed: 0, indeterminate: 1, denied: 2 };
const RANK: ReadonlyMap<string, number> = new Map(rules.map(({ id }, index) => [id, index]));
const NONE: readonly CheckFinding[] = [];
/** Beyond that many different texts, sharing gains nothing. */
const MOST_SHARED = 1000;

function resultOf(
  { dialect, version, object, source, position }: Stored,
  cluster: string | undefined,
  shared: Shared,
): CheckResult {
  const { name, namespace = '' } = referenceTo(dialect, object);
  // One literal, whose properties V8 keeps in the object itself: half of the memory of spread ones.
  return {
    // Undefined is no part of the JSON.
    cluster: cluster as string,
    file: source,
    line: position.start.line,
    column: position.start.column,
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

/** Findings are in the order of the catalogue, whichever verdict they are from. */
function withFindings({ result, position }: Entry, verdicts: readonly Verdict[], shared: Shared): CheckResult {
  const found = verdicts.flatMap((verdict) => findingsOf(verdict, result, position.locate));
  const added = found.map(({ ruleId, level, action, field, message, line, column, ...rest }): CheckFinding => {
    return { ruleId, level, action, field: shared(field), message: shared(message), line, column, ...rest };
  });
  const rankOf = ({ ruleId }: CheckFinding) => RANK.get(ruleId) ?? RANK.size;
  const findings = [...result.findings, ...added].toSorted((a, b) => rankOf(a) - rankOf(b));
  const outcomes = verdicts.map(({ outcome }) => (outcome === 'crashed' ? 'indeterminate' : outcome));
  const [outcome = 'allowed'] = [result.outcome, ...outcomes].sort((a, b) => SEVERITY[b] - SEVERITY[a]);
  const { sourceLine } = position;
  return { ...result, findings, outcome, ...(sourceLine && { sourceLine }) };
}

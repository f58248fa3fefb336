/** Holds the results of a scan in the order in which objects were read, with what reports and Events need of each. */
import type { Dialect } from '../../api/dialects.ts';
import { referenceTo } from '../../cluster/files/reference.ts';
import type { Location } from '../../documents/index.ts';
import type { Policy, Verdict } from '../../engine/index.ts';
import { rules } from '../../rules/index.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject, Path } from '../../rules/rule.ts';
import type { CheckError, CheckFinding, CheckOutcome, CheckResult } from '../output/report.ts';
import { crashesOf, findingsOf } from '../output/verdict.ts';
import type { ObjectName } from './duplicates.ts';

/** What every scan takes. */
export interface Scan {
  /** Default: the policy without a configuration. */
  readonly policy?: Policy | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called with the kind that is read, how many of its objects are evaluated, and how many remain if that is known. */
  readonly onProgress?: ((kind: string, count: number, remaining: number | undefined) => void) | undefined;
}

export interface Findings {
  readonly results: readonly CheckResult[];
  readonly errors: readonly CheckError[];
  /** By index of the result, where they were asked for. */
  readonly uids: readonly (string | undefined)[];
  /** For people. */
  readonly notes: readonly string[];
  /** The number of objects of kinds that muster does not evaluate. */
  readonly skipped: number;
}

/** A stored object, and where it was found. */
export interface Stored {
  readonly dialect: Dialect;
  readonly version: string;
  readonly object: JsonObject;
  /** A file, or for an object of a cluster `PLURAL.GROUP/[NAMESPACE/]NAME`. */
  readonly source: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly locate: Locate;
  readonly sourceLine?: (line: number) => string;
}

export type Locate = (path: Path) => Location;

export interface ResultStore {
  readonly results: readonly CheckResult[];
  readonly errors: readonly CheckError[];
  /** The objects' uids by the index of their result, where they were asked for. */
  readonly uids: readonly (string | undefined)[];
  /** Adds a result without findings; returns its index. */
  open(stored: Stored): number;
  /** Adds the findings of these verdicts. */
  add(index: number, locate: Locate, verdicts: readonly Verdict[]): void;
  nameOf(index: number): ObjectName;
  locateOf(index: number): Locate;
  fail(error: CheckError): void;
}

/** The operation in the report: the object was found stored, not in a request. */
export const OPERATION = 'SCAN';
/** The location of what has no line. */
export const NOWHERE: Locate = () => ({ line: 1, column: 1 });
const NONE: readonly CheckFinding[] = [];
const RANK: ReadonlyMap<string, number> = new Map(rules.map(({ id }, index) => [id, index]));

/** @param withUids whether uids are needed; of 100,000 objects they take 6 MB */
export function createResultStore({ withUids = false }: { readonly withUids?: boolean } = {}): ResultStore {
  const one = interning();
  const results: CheckResult[] = [];
  const errors: CheckError[] = [];
  const uids: (string | undefined)[] = [];
  // Of files only: objects of a cluster have no line, and a large cluster must not be held in memory.
  const located = new Map<number, Stored>();
  return {
    results,
    errors,
    uids,
    open(stored) {
      const index = results.push(resultOf(stored, one)) - 1;
      if (stored.sourceLine) located.set(index, stored);
      if (withUids) uids.push(textAt(stored.object, ['metadata', 'uid']));
      return index;
    },
    add(index, locate, verdicts) {
      const result = results[index];
      if (result === undefined || verdicts.every(isClean)) return;
      const { sourceLine } = located.get(index) ?? {};
      results[index] = { ...withFindings(result, verdicts, locate), ...(sourceLine && { sourceLine }) };
      errors.push(...verdicts.flatMap((verdict) => crashesOf(verdict, result)));
    },
    nameOf: (index) => results[index] ?? { name: '', namespace: '' },
    locateOf: (index) => located.get(index)?.locate ?? NOWHERE,
    fail: (error) => void errors.push(error),
  };
}

/** The name, and the namespace of a namespaced kind. */
export function nameOfStored({ dialect, object }: Pick<Stored, 'dialect' | 'object'>) {
  const { name, namespace } = referenceTo(dialect, object);
  return { name, namespace };
}

function resultOf(stored: Stored, one: (text: string) => string): CheckResult {
  const { dialect, version, source, start } = stored;
  const { name, namespace = '' } = nameOfStored(stored);
  return {
    ...{ file: source, line: start.line, column: start.column },
    ...{ apiVersion: one(`${dialect.group}/${version}`), kind: dialect.kind, namespace: one(namespace), name },
    ...{ operation: OPERATION, subresource: '', outcome: 'allowed', findings: NONE },
  };
}

/** Keeps equal texts once: each page brings its own. */
function interning(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before === undefined) known.set(text, text);
    return before ?? text;
  };
}

function isClean({ findings, indeterminate, crashes }: Verdict): boolean {
  return findings.length + indeterminate.length + crashes.length === 0;
}

/** Findings are in the order of the catalogue, whichever verdict they are from. */
function withFindings(result: CheckResult, verdicts: readonly Verdict[], locate: Locate): CheckResult {
  const added = verdicts.flatMap((verdict) => findingsOf(verdict, result, locate));
  const findings = [...result.findings, ...added].sort((a, b) => rankOf(a) - rankOf(b));
  return { ...result, findings, outcome: outcomeOf(findings, verdicts) };
}

function rankOf({ ruleId }: CheckFinding): number {
  return RANK.get(ruleId) ?? RANK.size;
}

function outcomeOf(findings: readonly CheckFinding[], verdicts: readonly Verdict[]): CheckOutcome {
  if (findings.some(({ action, outcome }) => action === 'deny' && outcome === undefined)) return 'denied';
  const unsettled = findings.some(({ outcome }) => outcome !== undefined);
  return unsettled || verdicts.some(({ outcome }) => outcome === 'crashed') ? 'indeterminate' : 'allowed';
}

/** What a scan found, object by object: results in the order met, and beside them what reports and Events need of each. */

import type { Dialect } from '../../api/dialects.ts';
import { referenceTo } from '../../cluster/files/view.ts';
import type { Place } from '../../documents/index.ts';
import type { Verdict } from '../../engine/index.ts';
import { rules } from '../../rules/index.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject, Path } from '../../rules/rule.ts';
import type { CheckError, CheckFinding, CheckOutcome, CheckResult } from '../output/report.ts';
import type { Named } from './twins.ts';

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

export type Locate = (path: Path) => Place;

export interface Ledger {
  readonly results: readonly CheckResult[];
  readonly errors: readonly CheckError[];
  /** The objects' uids, by the index of their result, where they were asked for. */
  readonly uids: readonly (string | undefined)[];
  /** A new result, without findings yet; returns its index. */
  open(stored: Stored): number;
  /** Adds what was found. */
  tell(index: number, locate: Locate, verdicts: readonly Verdict[]): void;
  nameOf(index: number): Named;
  locateOf(index: number): Locate;
  fail(error: CheckError): void;
}

/** What the report says an object was judged at: it was met in store, in no request. */
export const OPERATION = 'SCAN';
const NONE: readonly CheckFinding[] = [];
const RANK: ReadonlyMap<string, number> = new Map(rules.map(({ id }, index) => [id, index]));
export const NOWHERE: Locate = () => ({ line: 1, column: 1 });

/** @param withUids whether somebody will ask for them; of 100,000 objects they are 6 MB */
export function createLedger({ withUids = false }: { readonly withUids?: boolean } = {}): Ledger {
  const one = sharing();
  const results: CheckResult[] = [];
  const errors: CheckError[] = [];
  const uids: (string | undefined)[] = [];
  // Of a file only: in a cluster nothing has a line, and a large one must not be held in memory.
  const places = new Map<number, Stored>();
  return {
    results,
    errors,
    uids,
    open(stored) {
      const index = results.push(resultOf(stored, one)) - 1;
      if (stored.sourceLine) places.set(index, stored);
      if (withUids) uids.push(textAt(stored.object, ['metadata', 'uid']));
      return index;
    },
    tell(index, locate, verdicts) {
      const result = results[index];
      if (result === undefined || verdicts.every(isClean)) return;
      const { sourceLine } = places.get(index) ?? {};
      results[index] = { ...withFindings(result, verdicts, locate), ...(sourceLine && { sourceLine }) };
      errors.push(...verdicts.flatMap((verdict) => crashesOf(result, verdict)));
    },
    nameOf: (index) => results[index] ?? { name: '', namespace: '' },
    locateOf: (index) => places.get(index)?.locate ?? NOWHERE,
    fail: (error) => void errors.push(error),
  };
}

function resultOf({ dialect, version, object, source, start }: Stored, one: (text: string) => string): CheckResult {
  const { name, namespace = '' } = referenceTo(dialect, object);
  return {
    file: source,
    line: start.line,
    column: start.column,
    apiVersion: one(`${dialect.group}/${version}`),
    kind: dialect.kind,
    namespace: one(namespace),
    name,
    operation: OPERATION,
    subresource: '',
    outcome: 'allowed',
    findings: NONE,
  };
}

/** Equal texts as one: each page brings its own. */
function sharing(): (text: string) => string {
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

/** In the order of the catalogue, whichever verdict a finding is of. */
function withFindings(result: CheckResult, verdicts: readonly Verdict[], locate: Locate): CheckResult {
  const added = verdicts.flatMap((verdict) => findingsOf(verdict, result, locate));
  const findings = [...result.findings, ...added].sort((a, b) => rankOf(a) - rankOf(b));
  return { ...result, findings, outcome: outcomeOf(findings, verdicts) };
}

function findingsOf(verdict: Verdict, { line, column }: CheckResult, locate: Locate): CheckFinding[] {
  const found = verdict.findings.map(({ ruleId, level, action, path, field, message }): CheckFinding => {
    const place = locate(path);
    const { endLine, endColumn } = place;
    const end = endLine === undefined || endColumn === undefined ? {} : { endLine, endColumn };
    return { ruleId, level, action, field, message, line: place.line, column: place.column, ...end };
  });
  const unknown = verdict.indeterminate.map(({ ruleId, level, field, message }): CheckFinding => {
    return { ruleId, level, action: 'deny', outcome: 'indeterminate', field, message, line, column };
  });
  return [...found, ...unknown];
}

function rankOf({ ruleId }: CheckFinding): number {
  return RANK.get(ruleId) ?? RANK.size;
}

function outcomeOf(findings: readonly CheckFinding[], verdicts: readonly Verdict[]): CheckOutcome {
  if (findings.some(({ action, outcome }) => action === 'deny' && outcome === undefined)) return 'denied';
  const unsettled = findings.some(({ outcome }) => outcome !== undefined);
  return unsettled || verdicts.some(({ outcome }) => outcome === 'crashed') ? 'indeterminate' : 'allowed';
}

function crashesOf({ file, line, column }: CheckResult, { crashes }: Verdict): CheckError[] {
  return crashes.map(({ ruleId, reference, error }) => ({
    file,
    line,
    column,
    message: `[${ruleId}] broke (a bug in muster, reference ${reference}): ${error instanceof Error ? error.message : error}`,
  }));
}

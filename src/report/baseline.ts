/** Reads `--baseline`, an earlier JSON report, and leaves its findings out of the next report. */

import { getOrInsert } from '../base/collections.ts';
import { at, isObject, type Json, listAt, textAt } from '../base/json.ts';
import { UsageError } from '../base/usage-error.ts';
import { readBytes, reasonOf } from '../documents/files.ts';
import type { CheckFinding, CheckOutcome, CheckResult } from './report.ts';

export interface Baseline {
  /**
   * Returns the results without the known findings, each with the outcome of its other findings; and a note that counts
   * the known ones, and those of the baseline that the results lack.
   */
  newIn(results: readonly CheckResult[]): { readonly results: readonly CheckResult[]; readonly note: string };
}

/**
 * Reads a report of `-o json`. A finding is recognized by its cluster, object, rule and field; positions in lists,
 * lines and messages may change. If the report has it twice, two are known.
 * @throws UsageError if the file is no such report
 */
export async function readBaseline(file: string): Promise<Baseline> {
  const report = await readReport(file);
  const known = new Map<string, string[]>();
  for (const result of listAt(report, ['results'])) {
    for (const finding of listAt(result, ['findings'])) {
      const [key, exact] = keysOf(result, finding);
      getOrInsert(known, key, () => []).push(exact);
    }
  }
  return {
    newIn(results) {
      let count = 0;
      const left = new Map([...known].map(([key, exact]) => [key, [...exact]]));
      const isNew = (result: CheckResult, exactly: boolean) => (finding: CheckFinding) => {
        const [key, exact] = keysOf(result as unknown as Json, finding as unknown as Json);
        const same = left.get(key);
        const index = exactly ? (same?.indexOf(exact) ?? -1) : (same?.length ?? 0) - 1;
        if (index < 0) return true;
        same?.splice(index, 1);
        count += 1;
        return false;
      };
      // Identical findings are matched first, so that of two findings with one key the one that differs is the new one.
      const rest = results.map((result) => result.findings.filter(isNew(result, true)));
      const filtered = results.map((result, index) => {
        if (result.findings.length === 0) return result;
        const findings = (rest[index] ?? []).filter(isNew(result, false));
        if (findings.length === result.findings.length) return result;
        const outcome = outcomeOf(findings);
        return { ...result, findings, outcome: outcome === 'allowed' && result.hasCrash ? 'indeterminate' : outcome };
      });
      const those = count === 1 ? '1 finding is' : `${count} findings are`;
      const gone = [...left.values()].flat().length;
      const note = `note: ${those} in --baseline ${file}, and not reported${goneNote(gone)}`;
      return { results: filtered, note };
    },
  };
}

/** A finding that stays in the file after it was fixed would hide its return. */
function goneNote(count: number): string {
  if (count === 0) return '';
  const those =
    count === 1 ? '1 of its findings was not found: if it is' : `${count} of its findings were not found: if they are`;
  return `; ${those} fixed, write it anew without --baseline`;
}

async function readReport(file: string): Promise<Json> {
  const refuse = (why: string, cause?: unknown) =>
    new UsageError(`--baseline ${file}: ${why}; it takes a report of -o json`, { cause });
  let text: string;
  try {
    // A shell of Windows begins a file with a byte order mark, which this leaves out.
    text = new TextDecoder().decode(readBytes(file));
  } catch (cause) {
    throw refuse(reasonOf(cause), cause);
  }
  let report: Json;
  try {
    report = JSON.parse(text) as Json;
  } catch (cause) {
    throw refuse('it is not JSON', cause);
  }
  const isReport = textAt(report, ['kind']) === 'CheckReport' && textAt(report, ['apiVersion']) === 'muster/v1alpha1';
  if (!isReport || !isListOfResults(at(report, ['results'])))
    throw refuse('it is not a CheckReport of muster/v1alpha1');
  return report;
}

function isListOfResults(results: Json | undefined): boolean {
  const isFinding = (finding: Json) => isObject(finding) && typeof finding['ruleId'] === 'string';
  const isResult = (result: Json) =>
    isObject(result) && Array.isArray(result['findings']) && result['findings'].every(isFinding);
  return Array.isArray(results) && results.every(isResult);
}

/** Returns the key by which a finding is recognized, and the details that distinguish it from others of that key. */
function keysOf(result: Json, finding: Json): readonly [key: string, exact: string] {
  const [apiVersion = ''] = textsOf(result, ['apiVersion']);
  const [ruleId, field = '', outcome] = textsOf(finding, ['ruleId', 'field', 'outcome']);
  const object = textsOf(result, ['cluster', 'kind', 'namespace', 'name']);
  const anyEntry = field.replace(/\[\d+\]/g, '[]');
  const key = JSON.stringify([...object, apiVersion.split('/')[0], ruleId, anyEntry, outcome]);
  return [key, JSON.stringify(textsOf(finding, ['field', 'message']))];
}

function textsOf(value: Json, names: readonly string[]): readonly string[] {
  return names.map((name) => textAt(value, [name]) ?? '');
}

function outcomeOf(findings: readonly CheckFinding[]): CheckOutcome {
  if (findings.some(({ action, outcome }) => action === 'deny' && outcome === undefined)) return 'denied';
  return findings.some(({ outcome }) => outcome === 'indeterminate') ? 'indeterminate' : 'allowed';
}

/** Evaluates a test as `check` would. The results have the server's answers, and the terms of a suite. */
import type { Verdict } from '../../engine/index.ts';
import { type Entry, SEVERITY } from '../../evaluation/results.ts';
import { type ClusterResults, createRunEvaluation } from '../../evaluation/run-evaluation.ts';
import { sameObjectErrors } from '../../input/clusters/same-object.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { objectName } from '../../report/report.ts';
import type { Action, Operation } from '../../rules/rule.ts';
import { evaluated } from '../../server/admission/respond.ts';
import type { Case } from './read-suite.ts';
import type { ExpectedVerdict } from './suite-schema.ts';

/** The result of a write, or of all of a test. Rule ids are in the order of the catalogue, each once. */
export interface Result extends Readonly<Record<'rules' | 'warnings' | 'audits', readonly string[]>> {
  readonly verdict: ExpectedVerdict;
  /** The status code of a denial. */
  readonly code?: number;
  /** The answer to the requester, `[rule/id] field: text` a line: denials, then warnings. */
  readonly message: string;
}

/** The result of one write. */
export interface WriteResult extends Result {
  readonly cluster?: string;
  /** `KIND [NAMESPACE/]NAME` */
  readonly object: string;
  readonly operation: Operation;
  readonly subresource: 'none' | 'status';
}

/**
 * Evaluates a test in its own clusters and at its own time.
 * @param now the time of a test without one, in milliseconds since the epoch
 * @returns the results of its writes, and why objects can't be evaluated
 */
export async function evaluateCase(
  one: Case,
  now: number,
): Promise<{ readonly writes: readonly WriteResult[]; readonly errors: readonly PlacedMessage[] }> {
  const evaluation = createRunEvaluation({ ...one, clock: () => one.now ?? now, keepsVerdicts: true });
  const evaluated: ClusterResults[] = [];
  for (const cluster of one.clusters) evaluated.push(await evaluation.evaluate(cluster));
  const parts = [...evaluated, evaluation.finish()];
  const entries = parts.flatMap((part) => part.entries);
  // It would pass with `allowed`, though it tests nothing.
  const skipped = entries.length === 0 ? evaluated.flatMap((part) => part.skipped) : [];
  const errors = [
    ...parts.flatMap((part) => part.errors),
    ...one.clusters.flatMap((cluster) => errorsOfFolders(cluster, one)),
    ...skipped.map((each) => ({ ...each, message: `nothing is evaluated: ${each.message}` })),
  ];
  return { writes: entries.map((entry) => writeResult(entry, one)), errors };
}

/** Returns the errors of folders that hold the same object, and may be clusters. */
function errorsOfFolders({ name, objects, folders }: Case['clusters'][number], { file }: Case) {
  if (name !== undefined) return [];
  // What the suite itself writes out lies in no folder, wherever the suite does.
  return sameObjectErrors(
    objects.filter((one) => one.file !== file),
    folders,
    SEVERAL_CLUSTERS,
  );
}

const SEVERAL_CLUSTERS = 'if these are different clusters, test each by itself, or name them in clusters';

/** Returns the result of several writes: the worst verdict, with what led to it, and all answers. */
export function together(writes: readonly Result[]): Result {
  const [worst] = writes.toSorted((a, b) => SEVERITY[b.verdict] - SEVERITY[a.verdict]);
  const verdict = worst?.verdict ?? 'allowed';
  const same = writes.filter((one) => one.verdict === verdict);
  const all = (of: readonly Result[], key: 'rules' | 'warnings' | 'audits') => [
    ...new Set(of.flatMap((one) => one[key])),
  ];
  return {
    verdict,
    rules: all(same, 'rules'),
    warnings: all(writes, 'warnings'),
    audits: all(writes, 'audits'),
    ...(worst?.code !== undefined && { code: worst.code }),
    message: writes.flatMap(({ message }) => (message === '' ? [] : message)).join('\n'),
  };
}

function writeResult({ result, verdicts = [] }: Entry, { identity }: Case): WriteResult {
  const { apiVersion, kind, operation, subresource, name, namespace, cluster, outcome } = result;
  const [group = '', version = ''] = apiVersion.split('/');
  const write = { group, version, kind, operation: operation as Operation, subresource, name, namespace };
  const request = { uid: 'test', ...write, dryRun: false, username: identity?.username };
  const verdict = merged(verdicts, outcome);
  const { status, warnings = [] } = evaluated(request, verdict);
  const rulesBy = (action: Action) => idsIn(verdict.findings.filter((finding) => finding.action === action));
  return {
    ...(cluster !== undefined && { cluster }),
    object: objectName(result),
    operation: write.operation,
    subresource: subresource === 'status' ? 'status' : 'none',
    verdict: outcome,
    rules: outcome === 'indeterminate' ? idsIn(verdict.indeterminate) : rulesBy('deny'),
    warnings: rulesBy('warn'),
    audits: rulesBy('audit'),
    ...(status && { code: status.code }),
    message: [...(status ? [status.message] : []), ...warnings].join('\n'),
  };
}

/** Merges the verdicts on one write: on it alone, at the end of the run, and compared with other clusters. */
function merged(verdicts: readonly Verdict[], outcome: Verdict['outcome']): Verdict {
  return {
    outcome,
    findings: verdicts.flatMap(({ findings }) => findings),
    indeterminate: verdicts.flatMap(({ indeterminate }) => indeterminate),
    crashes: verdicts.flatMap(({ crashes }) => crashes),
    silentUnknowns: verdicts.flatMap(({ silentUnknowns }) => silentUnknowns),
  };
}

function idsIn(findings: readonly { readonly ruleId: string }[]): readonly string[] {
  return [...new Set(findings.map(({ ruleId }) => ruleId))];
}

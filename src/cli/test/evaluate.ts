/** Evaluates a case as the server would, in the terms of a suite. */
import { dialects } from '../../api/dialects.ts';
import { createFilesView, dialectOfObject, type FilesView, referenceTo } from '../../cluster/files/index.ts';
import { createComparison, createEngine, type Verdict } from '../../engine/index.ts';
import type { Action } from '../../rules/rule.ts';
import { evaluated } from '../../server/admission/respond.ts';
import { afterDelete, afterWrite } from '../check/writes.ts';
import type { Case } from './read-suite.ts';
import type { Verdict as Outcome } from './schema.ts';

/** The result of a case. Rule ids are in the order of the catalogue, each once. */
export interface Result extends Readonly<Record<'rules' | 'warnings' | 'audits', readonly string[]>> {
  readonly verdict: Outcome;
  /** The status code of a denial. */
  readonly code?: number;
  /** The answer to the requester, `[rule/id] field: text` a line: denials, then warnings. */
  readonly message: string;
}

/**
 * Evaluates a case in its own cluster state and at its own time.
 * @param now the time of a case without one, in milliseconds since the epoch
 * @returns the result, or the problem if a rule crashed
 */
export async function evaluateCase(one: Case, now: number): Promise<Result | { readonly problem: string }> {
  const { policy, point, live, subject, state } = one;
  const engine = createEngine({ point, live, clock: () => one.now ?? now, ...(policy && { policy }) });
  const view = createFilesView(state === undefined ? {} : { state, known: dialects });
  const { dialect, oldObject } = subject;
  // The object that is changed or deleted is in the cluster too.
  if (oldObject) view.store(referenceTo(dialect, oldObject), oldObject);
  const verdict = await withOtherClusters(one, await engine.evaluate(subject, view), view, one.now ?? now);
  const [crash] = verdict.crashes;
  if (crash === undefined) return resultOf(one, verdict);
  const reason = crash.error instanceof Error ? crash.error.message : crash.error;
  return { problem: `[${crash.ruleId}] broke in "${one.name}" (a bug in muster): ${reason}` };
}

/** Adds what the rules that compare clusters find once the write is stored. What they find before it is no finding, as in `check`. */
async function withOtherClusters(one: Case, verdict: Verdict, view: FilesView, now: number): Promise<Verdict> {
  const { cluster, clusters, policy, point, subject } = one;
  if (clusters === undefined || point === 'webhook' || verdict.outcome === 'denied') return verdict;
  const { operation, object, identity } = subject;
  const options = { point, isAcross: true, clock: () => now, identity, policy };
  const comparisonNow = () => {
    const comparison = createComparison<undefined>(options);
    for (const [name, objects] of [...clusters, [cluster, view.all().map((stored) => stored.object)] as const]) {
      const part = comparison.begin(name);
      for (const each of objects) part.add(dialectOfObject(each) ?? subject.dialect, each, undefined);
      part.commit();
    }
    return comparison;
  };
  const before = comparisonNow();
  view.store(
    referenceTo(subject.dialect, object),
    operation === 'DELETE' ? afterDelete(object, now) : afterWrite(object),
  );
  const compared = await comparisonNow().finish(before);
  const findings = [...verdict.findings, ...compared.flatMap((found) => found.verdict.findings)];
  const crashes = [...verdict.crashes, ...compared.flatMap((found) => found.verdict.crashes)];
  const isDenied = findings.some(({ action }) => action === 'deny');
  return { ...verdict, findings, crashes, outcome: isDenied ? 'denied' : verdict.outcome };
}

function resultOf({ subject }: Case, verdict: Verdict): Result {
  const { dialect, version, operation, subresource, name, namespace, identity, dryRun } = subject;
  const { group, kind } = dialect;
  const request = { uid: 'test', group, version, kind, operation, subresource, name, namespace, dryRun };
  const { status, warnings = [] } = evaluated({ ...request, username: identity?.username }, verdict);
  const rulesBy = (action: Action) => idsIn(verdict.findings.filter((finding) => finding.action === action));
  return {
    // A crash was returned before.
    verdict: verdict.outcome === 'crashed' ? 'indeterminate' : verdict.outcome,
    rules: verdict.outcome === 'indeterminate' ? idsIn(verdict.indeterminate) : rulesBy('deny'),
    warnings: rulesBy('warn'),
    audits: rulesBy('audit'),
    ...(status && { code: status.code }),
    message: [...(status ? [status.message] : []), ...warnings].join('\n'),
  };
}

function idsIn(findings: readonly { readonly ruleId: string }[]): readonly string[] {
  return [...new Set(findings.map(({ ruleId }) => ruleId))];
}

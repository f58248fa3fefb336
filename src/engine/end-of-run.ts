/**
 * Drops warnings that a later write of the same run fixes: a file may have the membership before the id, and two
 * objects may exchange their ids.
 */
import { rules } from '../rules/index.ts';
import type { ClusterView, Rule, Subject } from '../rules/rule.ts';
import type { Engine } from './evaluate.ts';
import type { Finding, Verdict } from './verdict.ts';

/** Whether a verdict has warnings that a later write may fix. Denials are never fixed: a denied write is not stored. */
export function mayBeFixedLater({ findings }: Verdict): boolean {
  return findings.some(isFixableLater);
}

/**
 * Returns a verdict for which `mayBeFixedLater` holds without the warnings that no longer apply when the view has all
 * writes of the run.
 */
export async function verdictAtEnd(
  engine: Engine,
  { subject, verdict }: { readonly subject: Subject; readonly verdict: Verdict },
  view: ClusterView,
): Promise<Verdict> {
  const { findings: found, silentUnknowns: unknown } = await engine.evaluate(subject, view);
  const isLeft = ({ ruleId, message }: Finding) =>
    unknown.includes(ruleId) || found.some((one) => one.ruleId === ruleId && one.message === message);
  return { ...verdict, findings: verdict.findings.filter((one) => !isFixableLater(one) || isLeft(one)) };
}

function isFixableLater({ ruleId, action, wouldDeny }: Finding): boolean {
  if (action !== 'warn' || wouldDeny !== undefined) return false;
  return (rules as readonly Rule[]).some(({ id, laterWriteMayFix }) => id === ruleId && laterWriteMayFix === true);
}

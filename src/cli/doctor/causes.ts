/** Links checks to the check from which they follow, so that one cause is said once. */
import type { Check, Finding } from './report.ts';

/** The check of the installed version. */
export const VERSION = 'installation/version';

/** Returns the checks, each with its cause if there is one. What follows from a check that waits has to wait, too. */
export function withCauses(findings: readonly Finding[]): readonly Check[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const rootOf = (finding: Finding): Finding => {
    const cause = causeOf(finding, byId);
    return cause === undefined ? finding : rootOf(cause);
  };
  const roots = new Map(findings.map((finding) => [finding, rootOf(finding)]));
  return findings.map((finding) => {
    const { after: _, ...check } = finding;
    const root = roots.get(finding) ?? finding;
    if (root === finding) {
      const fails = findings.some((other) => roots.get(other) === finding && other.status === 'fail');
      return fails && check.status === 'warn' ? { ...check, status: 'fail' } : check;
    }
    const status = root.status === 'wait' ? root.status : check.status;
    return { ...check, status, cause: root.id, ...(root.remedy === undefined ? {} : { remedy: root.remedy }) };
  });
}

function causeOf({ status, after = [] }: Finding, byId: ReadonlyMap<string, Finding>): Finding | undefined {
  if (status === 'ok' || status === 'unknown') return undefined;
  return after.flatMap((id) => byId.get(id) ?? []).find(isCause);
}

/** Another version is no failure by itself, but explains each difference. */
function isCause({ id, status }: Finding): boolean {
  return status === 'fail' || status === 'wait' || (id === VERSION && status === 'warn');
}

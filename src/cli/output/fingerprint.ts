/** What a finding is recognised by from run to run, wherever it stands in its file by then. */
import { createHash } from 'node:crypto';
import type { CheckFinding, CheckResult } from '../check/report.ts';

/** Gives each finding of one report its fingerprint: a digest and, to tell equal ones apart, the how manieth it is. */
export type Fingerprints = (result: CheckResult, finding: CheckFinding, uri: string) => string;

/**
 * Rule, file, object and field make a finding; neither its line nor the value do, so an alert lives until it is mended. The
 * file counts, since a repository has one `id.k8s.io` for each of its clusters; the version of the API does not.
 */
export function fingerprints(): Fingerprints {
  const seen = new Map<string, number>();
  return ({ apiVersion, kind, namespace, name, subresource }, { ruleId, field }, uri) => {
    const group = apiVersion.split('/')[0];
    const identity = JSON.stringify([ruleId, uri, group, kind, namespace, name, subresource, field]);
    const digest = createHash('sha256').update(identity).digest('hex').slice(0, 32);
    const count = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, count);
    return `${digest}:${count}`;
  };
}

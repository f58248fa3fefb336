/** Results of a scan, with a finding each. */
import type { CheckFinding, CheckResult } from '../../../src/cli/output/report.ts';

export const finding = (more: Partial<CheckFinding> = {}): CheckFinding => ({
  ruleId: 'claim/reserved-name',
  level: 'MUST',
  action: 'deny',
  field: 'metadata.name',
  message: 'is reserved',
  line: 1,
  column: 1,
  ...more,
});
export const resultOf = (name: string, more: Partial<CheckResult> = {}): CheckResult => ({
  file: name,
  line: 1,
  column: 1,
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  namespace: '',
  name,
  operation: 'SCAN',
  subresource: '',
  outcome: 'denied',
  findings: [finding()],
  ...more,
});

/** Metrics of decisions: how many, how long, and what rules found. */
import { Counter, Histogram, type OpenMetricsContentType, type Registry } from '@prometheus-io/client';
import { dialects } from '../../api/dialects.ts';
import { textAt } from '../../base/json.ts';
import { ALLOWED, type Policy } from '../../engine/index.ts';
import { rules } from '../../rules/index.ts';
import { OPERATIONS, type Subject } from '../../rules/rule.ts';
import type { Decision, SpanIds } from '../observer.ts';
import { WriteRate } from './write-rate.ts';

export type OpenRegistry = Registry<OpenMetricsContentType>;

export interface DecisionMetrics {
  /** Counts a decision. @param exemplar the ids of the request's span, if that is sampled */
  decided(decision: Decision, milliseconds: number, exemplar?: SpanIds): void;
}

/** In seconds. A decision without reads takes a millisecond, one with reads may take up to the deadline. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ACTIONS = ['deny', 'warn', 'audit'];
/** The label of managers that the configuration does not name: their names could be anything. */
const OTHER_MANAGERS = 'other';

/** @param exemplars whether the histogram has exemplars, which takes more time for each request */
export function createDecisionMetrics(
  registry: OpenRegistry,
  policy: () => Policy,
  exemplars: boolean,
): DecisionMetrics {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name, help, labelNames, registers });
  const decisions = counter('muster_decisions', 'Decisions.', 'path', 'resource', 'operation', 'outcome', 'dry_run');
  const findings = counter('muster_findings', 'Findings.', 'rule', 'action', 'dry_run');
  const wouldDeny = counter(
    'muster_would_deny',
    'Findings that would deny in mode enforce, in the modes warn and audit.',
    'rule',
    'dry_run',
  );
  const indeterminate = counter('muster_indeterminate', 'Refusals (503) because a rule could not decide now.', 'rule');
  const ignored = counter(
    'muster_unknowns_ignored',
    'Times a rule could not decide, and its action let the write pass.',
    'rule',
  );
  const crashes = counter('muster_crashes', 'Internal errors in evaluations; "none": outside of any rule.', 'rule');
  const statusWrites = counter(
    'muster_inventory_status_writes',
    'Allowed status writes, by manager that the configuration names.',
    'manager',
  );
  const writesAboveRate = counter(
    'muster_inventory_writes_above_rate',
    'Allowed writes of an inventory object beyond one in 30 s on average and bursts of 10; other: not configured.',
    'manager',
  );
  const writeRate = new WriteRate();
  const help = 'Time from the first byte of a request to its answer.';
  const name = 'muster_decision_duration_seconds';
  const durations = new Histogram<'path' | keyof SpanIds>({
    name,
    help,
    labelNames: ['path'],
    buckets: BUCKETS,
    registers,
    enableExemplars: exemplars,
  });
  const observe = (path: string, value: number, exemplarLabels: SpanIds | undefined) => {
    if (exemplars) durations.observe({ labels: { path }, value, ...(exemplarLabels && { exemplarLabels }) });
    else durations.observe({ path }, value);
  };
  // Each series begins at zero: a rate includes the first event only if the series existed before.
  for (const { id: rule } of rules) {
    for (const action of ACTIONS) findings.inc({ rule, action, dry_run: 'false' }, 0);
    wouldDeny.inc({ rule, dry_run: 'false' }, 0);
    for (const counter of [indeterminate, ignored, crashes]) counter.inc({ rule }, 0);
  }
  crashes.inc({ rule: 'none' }, 0);
  for (const manager of [...(policy().settings.inventory.managers?.keys() ?? []), OTHER_MANAGERS]) {
    writesAboveRate.inc({ manager }, 0);
  }
  for (const path of ['validate', 'mutate']) durations.zero({ path });
  for (const labels of usualDecisions()) decisions.inc({ ...labels, dry_run: 'false' }, 0);
  return {
    decided: (decision, milliseconds, exemplar) => {
      const { path, outcome, subject, request, verdict, failure } = decision;
      const resource = subject === undefined ? 'none' : subject.dialect.groupResource;
      const dry_run = request?.dryRun === true ? 'true' : 'false';
      decisions.inc({ path, resource, operation: request?.operation ?? 'none', outcome, dry_run });
      observe(path, milliseconds / 1000, exemplar);
      const written = writtenInventory(decision);
      if (written !== undefined) {
        const manager = configuredManager(written, policy());
        if (manager !== undefined && written.subresource === 'status') statusWrites.inc({ manager });
        if (writeRate.exceeds(keyOf(written))) writesAboveRate.inc({ manager: manager ?? OTHER_MANAGERS });
      }
      if (failure !== undefined) crashes.inc({ rule: 'none' });
      if (verdict === undefined || verdict === ALLOWED) return;
      for (const { ruleId: rule, action, ...finding } of verdict.findings) {
        findings.inc({ rule, action, dry_run });
        if (finding.wouldDeny) wouldDeny.inc({ rule, dry_run });
      }
      for (const { ruleId: rule } of verdict.indeterminate) indeterminate.inc({ rule });
      for (const rule of verdict.silentUnknowns) ignored.inc({ rule });
      for (const { ruleId: rule } of verdict.crashes) crashes.inc({ rule });
    },
  };
}

function usualDecisions() {
  return dialects.flatMap((dialect) => {
    const { groupResource: resource } = dialect;
    const on = (path: string, operation: string, outcomes: readonly string[]) =>
      outcomes.map((outcome) => ({ path, resource, operation, outcome }));
    const mutate = dialect.concept === 'inventory' ? ['CREATE', 'UPDATE'] : [];
    return [
      ...OPERATIONS.flatMap((operation) => on('validate', operation, ['allowed', 'denied', 'indeterminate', 'error'])),
      ...mutate.flatMap((operation) => on('mutate', operation, ['allowed', 'patched'])),
    ];
  });
}

/** Returns the subject if it is an inventory object that is created or updated; else undefined. */
function writtenInventory({ subject, response, path }: Decision): Subject | undefined {
  if (path !== 'validate' || !response.allowed || subject === undefined || subject.dryRun) return undefined;
  return subject.dialect.concept === 'inventory' && subject.operation !== 'DELETE' ? subject : undefined;
}

/** Returns the manager's name if the configuration names it, since any other name could be anything; else undefined. */
function configuredManager({ object }: Subject, { settings }: Policy): string | undefined {
  const manager = textAt(object, ['spec', 'clusterManager', 'name']);
  return manager !== undefined && settings.inventory.managers?.has(manager) ? manager : undefined;
}

function keyOf({ dialect, namespace = '', name }: Subject): string {
  return `${dialect.groupResource}/${namespace}/${name}`;
}

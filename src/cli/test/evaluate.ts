/** Evaluates a case as the server would, in the terms of a suite. */
import { dialects } from '../../api/dialects.ts';
import { createFilesView } from '../../cluster/files/index.ts';
import { type Crash, createEngine, type Engine, type Policy, type Verdict } from '../../engine/index.ts';
import type { Action, ClusterView } from '../../rules/rule.ts';
import { evaluated } from '../../server/admission/respond.ts';
import type { Case } from './read-suite.ts';
import type { Verdict as Outcome } from './schema.ts';

/** The result of a case. */
export interface Result {
  readonly verdict: Outcome;
  /** Rule ids in the order of the catalogue, each once: those that deny, or that are indeterminate. */
  readonly rules: readonly string[];
  readonly warnings: readonly string[];
  readonly audits: readonly string[];
  /** The status code of a denial. */
  readonly code?: number;
  /** The answer to the requester, `[rule/id] field: text` a line: denials, then warnings. */
  readonly message: string;
}

export type Evaluation = { readonly result: Result } | { readonly crash: Crash };
type Evaluated = Omit<Case, 'expect' | 'positionOf'>;

/**
 * Returns a function that evaluates cases, each in its own cluster state and at its own time. Cases that share policy, point
 * and time share an engine.
 * @param now the time of cases without one, in milliseconds since the epoch
 */
export function createEvaluator(now: number): (one: Evaluated) => Promise<Evaluation> {
  const engines = new Map<Policy | undefined, Map<string, Engine>>();
  return async (one) => {
    const { policy, point, live, subject, now: time = now } = one;
    const ofPolicy = engines.get(policy) ?? new Map<string, Engine>();
    const key = `${point} ${live} ${time}`;
    const engine = ofPolicy.get(key) ?? createEngine({ point, live, clock: () => time, ...(policy && { policy }) });
    engines.set(policy, ofPolicy.set(key, engine));
    const verdict = await engine.evaluate(subject, viewOf(one));
    const crash = verdict.crashes[0];
    return crash ? { crash } : { result: resultOf(one, verdict) };
  };
}

/** The cluster state of a case; the object that is changed or deleted is in it too. */
function viewOf({ state, subject }: Evaluated): ClusterView {
  const view = createFilesView(state === undefined ? {} : { state, known: dialects });
  const { dialect, namespace, name, oldObject } = subject;
  if (oldObject) view.store(namespace === undefined ? { dialect, name } : { dialect, namespace, name }, oldObject);
  return view;
}

function resultOf({ subject }: Evaluated, verdict: Verdict): Result {
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

/** What becomes of a case, in the terms that a suite expects things in. */

import { dialects } from '../../api/dialects.ts';
import { createFilesView } from '../../cluster/files/index.ts';
import type { Crash } from '../../engine/index.ts';
import { createEngine, type Engine, type Policy, type Verdict } from '../../engine/index.ts';
import type { Action, ClusterView } from '../../rules/rule.ts';
import { judged } from '../../server/admission/respond.ts';
import type { Case, Verdict as Word } from './suite.ts';

export interface Decided {
  readonly verdict: Word;
  /** Rule ids in the order of the catalogue, each once: those that refuse, or could not tell. */
  readonly rules: readonly string[];
  readonly warnings: readonly string[];
  readonly audits: readonly string[];
  /** Of the refusal. */
  readonly code?: number;
  /** What the requester is told, `[rule/id] field: text` a line: what refuses, then what warns. */
  readonly message: string;
}

export type Decision = { readonly decided: Decided } | { readonly crash: Crash };

/**
 * Judges cases as the server would, each in its own world and at its own time. `now`: the time of those that name none, in
 * milliseconds since the epoch. Tests that share policy, point and time share an engine.
 */
export function createDecider(now: number): (one: Situated) => Promise<Decision> {
  const engines = new Map<Policy | undefined, Map<string, Engine>>();
  return async (one) => {
    const { policy, point, live, subject } = one;
    const time = one.now ?? now;
    const ofPolicy = engines.get(policy) ?? new Map<string, Engine>();
    const key = `${point} ${live} ${time}`;
    const engine = ofPolicy.get(key) ?? createEngine({ point, live, clock: () => time, ...(policy && { policy }) });
    engines.set(policy, ofPolicy.set(key, engine));
    const verdict = await engine.evaluate(subject, viewOf(one));
    const crash = verdict.crashes[0];
    return crash ? { crash } : { decided: decidedOf(one, verdict) };
  };
}

type Situated = Omit<Case, 'expect' | 'placeOf'>;

/** What is changed or deleted is there, too. */
function viewOf({ world, subject }: Situated): ClusterView {
  const view = createFilesView(world === undefined ? {} : { state: world, known: dialects });
  const { dialect, namespace, name, oldObject } = subject;
  if (oldObject) view.store(namespace === undefined ? { dialect, name } : { dialect, namespace, name }, oldObject);
  return view;
}

function decidedOf({ subject }: Pick<Case, 'subject'>, verdict: Verdict): Decided {
  const { dialect, version, operation, subresource, name, namespace, identity, dryRun } = subject;
  const { group, kind } = dialect;
  const request = { uid: 'test', group, version, kind, operation, subresource, name, namespace, dryRun };
  const { status, warnings = [] } = judged({ ...request, username: identity?.username }, verdict);
  const idsOf = (action: Action) => idsIn(verdict.findings.filter((finding) => finding.action === action));
  return {
    // A crash was told of before.
    verdict: verdict.outcome === 'crashed' ? 'indeterminate' : verdict.outcome,
    rules: verdict.outcome === 'indeterminate' ? idsIn(verdict.indeterminate) : idsOf('deny'),
    warnings: idsOf('warn'),
    audits: idsOf('audit'),
    ...(status && { code: status.code }),
    message: [...(status ? [status.message] : []), ...warnings].join('\n'),
  };
}

function idsIn(statements: readonly { readonly ruleId: string }[]): readonly string[] {
  return [...new Set(statements.map(({ ruleId }) => ruleId))];
}

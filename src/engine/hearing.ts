/** One request before its rules: each is heard in turn, at once where it can be, and what they say becomes the verdict. */
import type { Context } from '../rules/rule.ts';
import { effectiveAction, findingOf, indeterminateOf, outcomeOf } from './decide.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import type { Pace } from './pace.ts';
import type { Planned } from './plan.ts';
import type { Policy } from './policy.ts';
import type { Crash, Finding, Indeterminate, Verdict } from './verdict.ts';

export interface Case {
  readonly context: Context;
  readonly policy: Policy;
  /** Who asks is a collector of the cluster. */
  readonly forCollector: boolean;
}

export class Hearing {
  readonly #case: Case;
  readonly #pace: Pace | undefined;
  readonly #findings: Finding[] = [];
  readonly #indeterminate: Indeterminate[] = [];
  readonly #crashes: Crash[] = [];
  readonly #silentUnknowns: string[] = [];

  /** @param pace for what is large */
  constructor(one: Case, pace: Pace | undefined) {
    this.#case = one;
    this.#pace = pace;
  }

  /** Hears the rules from the one at `first` on. No promise where none of them has anything to wait for. */
  hear(rules: readonly Planned[], first: number): Verdict | Promise<Verdict> {
    for (let at = first; at < rules.length; at++) {
      const waiting = this.#ask(rules[at] as Planned);
      if (waiting !== undefined) return waiting.then(() => this.hear(rules, at + 1));
    }
    return this.#verdict();
  }

  /** The promise never rejects. */
  #ask(planned: Planned): Promise<void> | undefined {
    const { context, policy, forCollector } = this.#case;
    const action = effectiveAction(planned, context, policy, forCollector);
    try {
      const said = evaluate(planned.rule, context, this.#pace);
      if (said instanceof Promise) {
        return said
          .then((all) => this.#take(planned, action, all))
          .catch((error) => this.#crashed(planned, action, error));
      }
      this.#take(planned, action, said);
    } catch (error) {
      this.#crashed(planned, action, error);
    }
    return undefined;
  }

  #take(planned: Planned, action: Finding['action'], { problems, unknowns }: Evaluation): void {
    for (const problem of problems) this.#findings.push(findingOf(planned, problem, action));
    if (action === 'deny') for (const unknown of unknowns) this.#indeterminate.push(indeterminateOf(planned, unknown));
    else if (unknowns.length > 0) this.#silentUnknowns.push(planned.rule.id);
  }

  #crashed({ rule }: Planned, action: Finding['action'], error: unknown): void {
    this.#crashes.push({ ruleId: rule.id, reference: reference(), error, denies: action === 'deny' });
  }

  #verdict(): Verdict {
    const [findings, indeterminate, crashes] = [this.#findings, this.#indeterminate, this.#crashes];
    const outcome = outcomeOf(findings, indeterminate, crashes);
    return { outcome, findings, indeterminate, crashes, silentUnknowns: this.#silentUnknowns };
  }
}

/** Short enough to be read out, long enough to be found in a day's log. */
function reference(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0');
}

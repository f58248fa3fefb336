/** One request before its rules: each is heard in turn, at once where it can be, and what they say becomes the verdict. */
import type { Context } from '../rules/rule.ts';
import { findingOf, indeterminateOf, isExcused } from './decide.ts';
import { type Evaluation, evaluate, SILENCE } from './evaluate.ts';
import type { Pace } from './pace.ts';
import { isCollecting } from './pass.ts';
import { actionOn, type Planned } from './plan.ts';
import type { Policy } from './policy.ts';
import { ALLOWED, type Crash, type Finding, type Indeterminate, type Outcome, type Verdict } from './verdict.ts';

/** What was said of a request, in the order of the catalogue. */
interface Minutes {
  readonly findings: Finding[];
  readonly indeterminate: Indeterminate[];
  readonly crashes: Crash[];
  readonly silentUnknowns: string[];
}

export class Hearing {
  private readonly context: Context;
  private readonly policy: Policy;
  private readonly pace: Pace | undefined;
  /** Taken from the first word on: of most requests no rule says any. */
  private minutes: Minutes | undefined;
  private forCollector: boolean | undefined;

  /** @param pace for what is large */
  constructor(context: Context, policy: Policy, pace: Pace | undefined) {
    this.context = context;
    this.policy = policy;
    this.pace = pace;
  }

  /** Hears the rules from the one at `first` on. No promise where none of them has anything to wait for. */
  hear(rules: readonly Planned[], first: number): Verdict | Promise<Verdict> {
    for (let at = first; at < rules.length; at++) {
      const waiting = this.ask(rules[at] as Planned);
      if (waiting !== undefined) return this.goOn(waiting, rules, at + 1);
    }
    return this.minutes === undefined ? ALLOWED : verdictOf(this.minutes);
  }

  /** Apart from the loop, which would make room for what a closure holds at every turn. */
  private goOn(waiting: Promise<void>, rules: readonly Planned[], next: number): Promise<Verdict> {
    return waiting.then(() => this.hear(rules, next));
  }

  /** The promise never rejects. */
  private ask(planned: Planned): Promise<void> | undefined {
    try {
      const said = evaluate(planned, this.context, this.pace);
      if (said instanceof Promise) return this.wait(planned, said);
      if (said !== SILENCE) this.take(planned, said);
    } catch (error) {
      this.crashed(planned, error);
    }
    return undefined;
  }

  private wait(planned: Planned, said: Promise<Evaluation>): Promise<void> {
    return said.then((all) => this.take(planned, all)).catch((error) => this.crashed(planned, error));
  }

  private take(planned: Planned, { problems, unknowns }: Evaluation): void {
    if (problems.length === 0 && unknowns.length === 0) return;
    const { findings, indeterminate, silentUnknowns } = this.open();
    for (const problem of problems) {
      const action = this.actionOf(planned, problem.messageId);
      findings.push(findingOf(planned, problem, action, this.context));
    }
    if (unknowns.length === 0) return;
    if (this.actionOf(planned) === 'deny')
      for (const unknown of unknowns) indeterminate.push(indeterminateOf(planned, unknown));
    else silentUnknowns.push(planned.rule.id);
  }

  private crashed(planned: Planned, error: unknown): void {
    const denies = this.actionOf(planned) === 'deny';
    this.open().crashes.push({ ruleId: planned.rule.id, reference: reference(), error, denies });
  }

  private actionOf(planned: Planned, messageId?: string): Finding['action'] {
    this.forCollector ??= isCollecting(this.context);
    const isOnlyRecorded = isExcused(planned, this.context, this.policy, this.forCollector);
    return isOnlyRecorded ? 'audit' : actionOn(planned, this.context, messageId);
  }

  private open(): Minutes {
    this.minutes ??= { findings: [], indeterminate: [], crashes: [], silentUnknowns: [] };
    return this.minutes;
  }
}

function verdictOf(minutes: Minutes): Verdict {
  const { findings, indeterminate, crashes, silentUnknowns } = minutes;
  return { outcome: outcomeOf(minutes), findings, indeterminate, crashes, silentUnknowns };
}

/** A certain denial beats everything; our own bug beats not knowing. */
function outcomeOf({ findings, indeterminate, crashes }: Minutes): Outcome {
  if (findings.some((finding) => finding.action === 'deny')) return 'denied';
  if (crashes.some((crash) => crash.denies)) return 'crashed';
  return indeterminate.length > 0 ? 'indeterminate' : 'allowed';
}

/** Short enough to be read out, long enough to be found in a day's log. */
function reference(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0');
}

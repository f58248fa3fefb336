/**
 * Combines the results of the rules into one verdict. Three outcomes are kept apart: a finding (the user's fault),
 * indeterminate (it can't be decided now), and a crash (our bug).
 */

import type { Path } from '../base/json.ts';
import { changesMetadataOnly } from '../base/object.ts';
import { fieldOf, fill } from '../base/text.ts';
import { COLLECTORS } from '../rules/principal.ts';
import type { Action, Context, Level, Problem, Rule, RuleResult, Unknown } from '../rules/rule.ts';
import { type PlannedRule, weaker } from './plan.ts';
import type { Exception, Policy } from './policy.ts';
import { freeze } from './review.ts';

/** A fault of the user that one rule found. */
export interface Finding {
  readonly ruleId: string;
  readonly level: Level;
  /** What it leads to, after configuration, mode and caps. */
  readonly action: Exclude<Action, 'ignore'>;
  /** Set on a finding that would deny in `mode: enforce`, and does not because of `mode: warn` or `mode: audit`. */
  readonly wouldDeny?: true;
  readonly path: Path;
  /** The path as text: `spec.value`, `status.uses[2].enabled`, `metadata.labels[x-k8s.io/cluster-manager]`. */
  readonly field: string;
  /**
   * One line, free of control characters: the offending value (shortened) and the fix. Holds neither rule id nor field.
   */
  readonly message: string;
  /**
   * `status.code` if this finding denies. 409 only for an object that already exists, as the API server would answer.
   */
  readonly code: 403 | 409 | 422;
}

/** A rule that could deny, but can't decide now. */
export interface Indeterminate {
  readonly ruleId: string;
  readonly level: Level;
  readonly field: string;
  readonly message: string;
}

/**
 * A bug of muster: a rule threw. The server logs the error with the reference. It answers 500 with the reference if the
 * rule could have denied and no other rule denies.
 */
export interface Crash {
  readonly ruleId: string;
  /** In the answer and in the log, so that the two can be matched. */
  readonly reference: string;
  readonly error: unknown;
  /** Whether the rule could have denied. Only then the request is refused. */
  readonly denies: boolean;
}

/** The decision on a write; `crashed` is a bug of muster. */
export type Outcome = 'allowed' | 'denied' | 'indeterminate' | 'crashed';

/** The result of the evaluation of one write. */
export interface Verdict {
  readonly outcome: Outcome;
  /** In catalogue order; those of action `audit` too. */
  readonly findings: readonly Finding[];
  readonly indeterminate: readonly Indeterminate[];
  readonly crashes: readonly Crash[];
  /** Rules that can't decide, but could not have denied. They are counted, and not reported. */
  readonly silentUnknowns: readonly string[];
  /** Why no rule was evaluated: an exemption, an object being deleted, or no rule that applies. */
  readonly skipped?: 'exempt' | 'terminating' | 'skipped';
}

/** The beginning of the text of a finding with `wouldDeny`. */
export const WOULD_BE_DENIED = 'would be denied:';

const NOTHING = { findings: [], indeterminate: [], crashes: [], silentUnknowns: [] };
/** The verdict if nothing was found: the same object for most requests. */
export const ALLOWED: Verdict = freeze({ outcome: 'allowed', ...NOTHING });

/** The verdicts if no rule was evaluated, by the reason. */
export const SKIPPED: Readonly<Record<NonNullable<Verdict['skipped']>, Verdict>> = freeze({
  exempt: { ...ALLOWED, skipped: 'exempt' },
  terminating: { ...ALLOWED, skipped: 'terminating' },
  skipped: { ...ALLOWED, skipped: 'skipped' },
});

/** The results of one rule, or what it threw. */
export interface RuleEvaluation {
  readonly planned: PlannedRule;
  readonly results: readonly RuleResult[];
  readonly thrown?: { readonly error: unknown };
}

/** Returns the verdict on a request from the results of its rules. */
export function makeVerdict(evaluations: readonly RuleEvaluation[], context: Context, policy: Policy): Verdict {
  const findings: Finding[] = [];
  const indeterminate: Indeterminate[] = [];
  const crashes: Crash[] = [];
  const silentUnknowns: string[] = [];
  for (const { planned, results, thrown } of evaluations) {
    const { rule } = planned;
    const action = (messageId?: string) => actionFor(planned, context, policy, messageId);
    if (thrown !== undefined) {
      // What it would have found is unknown, so a message with an action of its own counts, too.
      const denies = [undefined, ...planned.messageActions.keys()].some((messageId) => action(messageId) === 'deny');
      crashes.push({ ruleId: rule.id, reference: newReference(), error: thrown.error, denies });
    }
    for (const result of results) {
      if ('messageId' in result) findings.push(findingOf(planned, result, context, policy));
      else if (action() === 'deny') indeterminate.push(indeterminateOf(planned, result));
      else if (!silentUnknowns.includes(rule.id)) silentUnknowns.push(rule.id);
    }
  }
  const found = { findings, indeterminate, crashes, silentUnknowns };
  return { outcome: outcomeOf(found), ...found };
}

/**
 * Whether the garbage collector or the namespace controller deletes the object, or changes only its metadata. Findings
 * on that are only recorded, since a refused deletion would block a namespace forever; except for rules with
 * `appliesToGarbageCollector`.
 */
export function isCollecting(write: Pick<Context, 'identity' | 'operation' | 'object' | 'oldObject'>): boolean {
  if (write.identity === undefined || !COLLECTORS.has(write.identity.username)) return false;
  return write.operation === 'DELETE' || (write.operation === 'UPDATE' && changesMetadataOnly(write));
}

/** Returns what a problem leads to on this request; `audit` if findings are only recorded. */
export function actionFor(
  planned: PlannedRule,
  context: Context,
  policy: Policy,
  messageId?: string,
): Finding['action'] {
  return isOnlyRecorded(planned.rule, context, policy) ? 'audit' : cappedAction(planned, context, messageId);
}

/** Whether findings of the rule on this request deny in no mode. */
function isOnlyRecorded({ id, appliesToGarbageCollector }: Rule, context: Context, policy: Policy): boolean {
  return (isCollecting(context) && !appliesToGarbageCollector) || isExcepted(id, context, policy.exceptions);
}

/** Returns the planned action, capped by the rule's `capAction`. */
function cappedAction(
  { rule, action, messageActions }: PlannedRule,
  context: Context,
  messageId?: string,
): Finding['action'] {
  const wanted = (messageId === undefined ? undefined : messageActions.get(messageId)) ?? action;
  const capped = weaker(wanted, rule.capAction?.(context, messageId) ?? wanted);
  return capped === 'ignore' ? 'audit' : capped;
}

/** Returns the outcome: a denial takes precedence over a crash, and a crash over indeterminate. */
function outcomeOf({ findings, indeterminate, crashes }: Omit<Verdict, 'outcome'>): Outcome {
  if (findings.some((finding) => finding.action === 'deny')) return 'denied';
  if (crashes.some((crash) => crash.denies)) return 'crashed';
  return indeterminate.length > 0 ? 'indeterminate' : 'allowed';
}

function findingOf(
  planned: PlannedRule,
  { path, messageId, data }: Problem,
  context: Context,
  policy: Policy,
): Finding {
  const { operation, subresource } = context;
  const { rule, level: ruleLevel } = planned;
  const { messages, phrases, messageLevels, code: ownCode } = rule.meta;
  const level = messageLevels?.[messageId] ?? ruleLevel;
  const template = messages[messageId] ?? messages[messageId.split(':')[0] ?? ''] ?? 'is not valid, got "{{value}}"';
  // On 422 `kubectl apply --force` and the `force` of delivery tools delete the object and create it anew. Of several
  // codes, respond.ts chooses one.
  const code = operation === 'UPDATE' && subresource === '' ? 403 : ownCode;
  const action = actionFor(planned, context, policy, messageId);
  const head = { ruleId: rule.id, level, action, ...(wouldDeny(planned, context, policy, messageId) && WOULD_DENY) };
  return { ...head, path, field: fieldOf(path), message: fill(template, data, phrases), code };
}

const WOULD_DENY = { wouldDeny: true } as const;

/** Whether only the mode keeps a finding from denying: rule and exceptions allow a denial on this request. */
function wouldDeny(
  { rule, messageActions, deniesIfEnforced }: PlannedRule,
  context: Context,
  policy: Policy,
  messageId: string,
): boolean {
  if (!deniesIfEnforced.has(messageActions.has(messageId) ? messageId : undefined)) return false;
  if (isOnlyRecorded(rule, context, policy)) return false;
  return (rule.capAction?.(context, messageId) ?? 'deny') === 'deny';
}

function indeterminateOf({ rule, level }: PlannedRule, { path, unknown }: Unknown): Indeterminate {
  return { ruleId: rule.id, level, field: fieldOf(path), message: `cannot be decided now: ${unknown}` };
}

/** Whether the configuration excepts the object from the rule, for now. */
function isExcepted(ruleId: string, context: Context, exceptions: readonly Exception[]): boolean {
  const { dialect, name, namespace, now } = context;
  return exceptions.some(
    (exception) =>
      exception.rules.has(ruleId) &&
      exception.apiGroup === dialect.group &&
      exception.kind === dialect.kind &&
      exception.name === name &&
      (exception.namespace === undefined || exception.namespace === namespace) &&
      now < exception.expires,
  );
}

/** Returns a random reference: short enough to read out, long enough to be unique in the log of a day. */
export function newReference(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0');
}

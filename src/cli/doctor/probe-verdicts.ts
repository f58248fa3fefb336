/** What the answers to the probes mean, and what helps. */

import type { Dialect } from '../../api/dialects.ts';
import type { Policy } from '../../engine/index.ts';
import { apply, type Examination } from './examination.ts';
import { AS_ANOTHER } from './look.ts';
import type { ProbeAnswer } from './probe-answer.ts';
import { rulesWarned } from './probe-answer.ts';
import { about, type Check, type Verdicts } from './report.ts';
import { translate } from './translate.ts';

/** What is known of the server's configuration and of who probes. */
export interface Situation {
  /** From the ConfigMap, where it can be read. */
  readonly policy: Policy | undefined;
  /** Who the API server takes us for, where it tells. */
  readonly user: string | undefined;
  readonly groups: readonly string[];
}

export interface Probed {
  readonly examination: Examination;
  readonly situation: Situation;
  readonly dialect: Dialect;
}

/** A forbidden object: it has to be refused, and by muster. */
export function judgeBad({ examination, situation, dialect }: Probed, rule: string, answer: ProbeAnswer): Check {
  const verdicts = about(`probe/${dialect.name}/refused`, `dry run: a forbidden ${dialect.kind}`);
  if (answer.kind === 'admitted') return letThrough(verdicts, examination, situation, rule, answer.warnings);
  if (answer.kind === 'floor') return verdicts.ok(`refused by the policy ${answer.policy}, before muster was asked`);
  if (answer.kind !== 'refused') return notAnswered(verdicts, examination, dialect, answer);
  // Neither says anything of the object.
  if (answer.status === 500 || answer.status === 503) return noVerdict(verdicts, examination, dialect, answer.message);
  if (answer.rules.length > 0) return verdicts.ok(`refused by ${answer.rules.join(', ')}`);
  const message = `refused by ${said(answer)}, so that muster's own answer can't be seen`;
  return verdicts.unknown(message, 'see whether that webhook may let dry runs of doctor pass');
}

/** Whether a rule refused the object, or warned of it, for the label that the mutating webhook should have added. */
function lacksLabel(answer: ProbeAnswer): boolean {
  const rule = 'inventory/cluster-manager-label';
  if (answer.kind === 'refused') return answer.rules.includes(rule);
  return answer.kind === 'admitted' && rulesWarned(answer.warnings).includes(rule);
}

/** A good object: it has to pass, with the label where one is added. */
export function judgeGood({ examination, dialect }: Probed, answer: ProbeAnswer): Check {
  const verdicts = about(`probe/${dialect.name}/accepted`, `dry run: a good ${dialect.kind}`);
  if (lacksLabel(answer)) {
    return verdicts.fail(
      'the mutating webhook did not add the label of its cluster manager',
      apply(examination, 'webhooks'),
    );
  }
  if (answer.kind === 'admitted') return verdicts.ok('passes');
  if (answer.kind === 'refused' || answer.kind === 'floor') {
    const by = answer.kind === 'floor' ? `the policy ${answer.policy}` : said(answer);
    return verdicts.warn(`refused by ${by}`, 'see that this is what was configured: muster explain RULE');
  }
  return notAnswered(verdicts, examination, dialect, answer);
}

/** A write for which muster reads another object: any answer but 503 shows that it can. */
export function judgeRead({ examination, dialect }: Probed, answer: ProbeAnswer): Check {
  const verdicts = about(`probe/${dialect.name}/read`, `dry run: another id in ${dialect.kind}`);
  if (answer.kind === 'floor') return verdicts.ok(`refused by the policy ${answer.policy}, before muster was asked`);
  if (answer.kind === 'admitted') return verdicts.ok('judged');
  if (answer.kind === 'refused') {
    if (answer.status === 500 || answer.status === 503)
      return noVerdict(verdicts, examination, dialect, answer.message);
    return verdicts.ok(`judged: refused by ${said(answer)}`);
  }
  return notAnswered(verdicts, examination, dialect, answer);
}

/** muster was asked, and can't tell. */
function noVerdict(verdicts: Verdicts, examination: Examination, { name }: Dialect, message: string): Check {
  const remedy = `see permission/needed and lease/${name}, then the server's log: ${apply(examination, 'leases,rbac')}`;
  return verdicts.fail(`muster can't tell: ${message}`, remedy);
}

/** Admitted though it is forbidden: from the likeliest reason to the least. */
function letThrough(
  verdicts: Verdicts,
  { namespace, webhook }: Examination,
  situation: Situation,
  rule: string,
  warnings: readonly string[],
): Check {
  const { policy, user = 'you' } = situation;
  const configured = `kubectl -n ${namespace} edit configmap muster-config`;
  const mode =
    policy && policy.mode !== 'enforce' ? `mode: ${policy.mode}` : 'mode: warn, or a rule that is set to warn';
  if (rulesWarned(warnings).includes(rule)) {
    return verdicts.warn(
      `passes with a warning of ${rule}: the server runs with ${mode}`,
      `set mode: enforce once the warnings are gone: ${configured}`,
    );
  }
  const exempt = exemptionOf(situation);
  if (exempt !== undefined) {
    return verdicts.fail(
      `passes: ${exempt} is exempt in the configuration`,
      `take it from exemptions, or run doctor as someone else: ${configured}`,
    );
  }
  if (policy?.mode === 'audit')
    return verdicts.fail('passes: the server runs with mode: audit', `set mode: enforce: ${configured}`);
  const causes = `the webhook is not called (see registration/), it failed and fails open (failurePolicy Ignore; see certificate/ and workload/), or its configuration lets ${user} or the rule pass`;
  return verdicts.fail(
    `passes, though ${rule} forbids it: ${causes}`,
    `see who is called: kubectl get validatingwebhookconfiguration ${webhook} -o yaml; then ${configured}`,
  );
}

function exemptionOf({ policy, user, groups }: Situation): string | undefined {
  if (policy === undefined || user === undefined) return undefined;
  const { users, groups: exemptGroups, serviceAccounts } = policy.exemptions;
  if (users.has(user) || serviceAccounts.has(user)) return user;
  const group = groups.find((each) => exemptGroups.has(each));
  return group === undefined ? undefined : `the group ${group}`;
}

/** No verdict of muster's at all. */
function notAnswered(
  verdicts: Verdicts,
  examination: Examination,
  { plural, group }: Dialect,
  answer: ProbeAnswer,
): Check {
  if (answer.kind === 'not-permitted') {
    const right = `create and patch ${plural}.${group}`;
    return verdicts.unknown(`can't be tried: you lack the right to ${right}`, AS_ANOTHER);
  }
  if (answer.kind === 'broken') {
    const { meaning, remedy } = translate(examination, answer.reason);
    return verdicts.fail(`${answer.webhook} can't be asked: ${meaning} (${answer.reason})`, remedy);
  }
  const message = answer.kind === 'other' ? answer.message : answer.kind;
  return verdicts.unknown(`not told: ${message}`, 'see what refused the dry run');
}

function said({ webhook, rules, message }: Extract<ProbeAnswer, { kind: 'refused' }>): string {
  return rules.length > 0 ? rules.join(', ') : `${webhook}: ${message}`;
}

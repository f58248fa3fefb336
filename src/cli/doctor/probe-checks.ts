/** Checks the answers to probes: what each of them means, and how to fix it. */
import { NOTHING_KNOWN } from '../../input/view.ts';
import { isOurWebhook } from '../../manifests/names.ts';
import { UNTRUSTED } from './answers.ts';
import type { Probe } from './probes.ts';
import { type DoctorContext, editConfiguration, restore } from './remedies.ts';
import { type PossibleResults, resultsOf, type UnlinkedCheck } from './report.ts';
import { AS_ANOTHER } from './stored-objects.ts';

/** Checks whether the API server can call muster, and each answer. */
export function checkProbes(context: DoctorContext, probes: readonly Probe[]): readonly UnlinkedCheck[] {
  const checks = { refused: refusedCheck, accepted: acceptedCheck, read: readCheck };
  return [...callCheck(context, probes), ...probes.map((each) => checks[each.expected](context, each))];
}

/** Checks whether the API server can call muster. If no answer of a probe shows that, there is no check. */
function callCheck(context: DoctorContext, probes: readonly Probe[]): readonly UnlinkedCheck[] {
  const results = resultsOf('server/call', 'calls of muster by the API server');
  const answers = probes.map(({ answer }) => answer);
  const called = answers.filter(({ by, rules, kind }) => isOurWebhook(by) || (kind === 'admitted' && rules.length > 0));
  const broken = called.flatMap(({ by, message, fault }) => (fault ? { by, message, ...fault } : []));
  const [first] = broken;
  if (first === undefined) return called.length > 0 ? [results.ok('answered')] : [];
  const others = broken.filter(({ meaning }) => meaning !== first.meaning);
  const details = others.map(({ by, message, meaning }) => ({ message: `${by}: ${meaning} (${message})` }));
  const webhooks = new Set(broken.map(({ by }) => by));
  // If only one webhook fails, its own address or CA may be wrong.
  const own = webhooks.size === 1 ? [`registration/${first.by}`] : [];
  const more = { details, after: [...own, ...first.after] };
  return [results.fail(`${first.meaning} (${first.message})`, first.remedy(context), more)];
}

/** Returns whether a call showed that the API server does not know the CA of the server's certificate. */
export function showsUntrusted(probes: readonly Probe[]): boolean {
  return probes.some(({ answer: { by, fault } }) => isOurWebhook(by) && fault?.meaning === UNTRUSTED);
}

function titleOf({ dialect: { kind, group } }: Probe, what: string): string {
  return `dry run: ${what} ${kind} of ${group}`;
}

/** Checks the answer to a forbidden object: muster has to deny it, by the named rule or another. */
function refusedCheck(context: DoctorContext, probe: Probe): UnlinkedCheck {
  const results = resultsOf(`probe/${probe.dialect.name}/refused`, titleOf(probe, 'a forbidden'));
  const { kind, by, rules } = probe.answer;
  if (kind === 'policy') return results.ok(`denied by the policy ${by}, before muster is called`);
  if (kind === 'admitted') return admittedCheck(results, context, probe);
  if (kind !== 'denied') return failedCheck(results, context, probe);
  if (rules.length > 0) return results.ok(`denied by ${rules.join(', ')}`);
  const message = `denied by the webhook ${by}, which hides muster's own answer`;
  return results.unknown(message, 'see whether that webhook can let dry runs of doctor pass');
}

/** Checks the answer to a good object: it has to pass, with the label of its manager if it is inventory. */
function acceptedCheck(context: DoctorContext, probe: Probe): UnlinkedCheck {
  const results = resultsOf(`probe/${probe.dialect.name}/accepted`, titleOf(probe, 'a good'));
  const { kind, by, rules } = probe.answer;
  if (kind !== 'policy' && rules.includes('inventory/cluster-manager-label')) {
    const message = 'the mutating webhook did not add the label of its cluster manager';
    const after = ['registration/mutating', 'registration/inventory.mutate.muster', ...SERVER_CHECKS];
    return results.fail(message, restore(context, 'webhooks'), { after });
  }
  if (kind === 'admitted') return results.ok('passes');
  if (kind !== 'denied' && kind !== 'policy') return failedCheck(results, context, probe);
  const denier = kind === 'policy' ? `the policy ${by}` : rules.join(', ') || `the webhook ${by}`;
  return results.warn(`denied by ${denier}`, 'check that this is intended: muster explain RULE');
}

/** Checks the answer to a change of an id, for which muster reads another object: any verdict shows that it can. */
function readCheck(context: DoctorContext, probe: Probe): UnlinkedCheck {
  const results = resultsOf(`probe/${probe.dialect.name}/read`, titleOf(probe, 'another id in'));
  const { kind, by, rules } = probe.answer;
  if (kind === 'policy') return results.ok(`denied by the policy ${by}, before muster is called`);
  if (kind === 'admitted') return results.ok('evaluated');
  if (kind !== 'denied') return failedCheck(results, context, probe);
  return results.ok(`evaluated: denied by ${rules.join(', ') || `the webhook ${by}`}`);
}

/** Returns the check for a forbidden object that passed. The most likely cause comes first. */
function admittedCheck(
  results: PossibleResults,
  context: DoctorContext,
  { dialect, rule = '', answer: { rules: warned } }: Probe,
): UnlinkedCheck {
  const configure = editConfiguration(context);
  if (context.mode === 'audit') {
    const message = `passes: the configuration has mode: audit, so whether muster was called can't be seen from here`;
    return results.warn(message, `look for its dry runs in the server's log; then set mode: warn: ${configure}`);
  }
  if (warned.includes(rule)) {
    const message = `passes with a warning of ${rule}: the configuration has mode: warn, or sets the rule to warn`;
    return results.warn(message, `set mode: enforce once the warnings are gone: ${configure}`);
  }
  const causes = [
    'the webhook is not called (see registration/)',
    'its call fails and failurePolicy is Ignore (see certificate/ and the server)',
    'the configuration exempts you, disables the rule, or has mode: audit',
  ];
  const { kubectl } = context.programs;
  const show = `${kubectl} get validatingwebhookconfiguration ${context.names.base} -o yaml`;
  // The API server drops the error of such a call, and counts it.
  const count = `${kubectl} get --raw /metrics | grep 'webhook_fail_open_count.*muster'`;
  const remedy =
    `see whether calls fail, which raises this count: ${count}; then whether the server runs and its CA is ` +
    `registered. If none fails, see what is registered: ${show}; then ${configure}`;
  const { concept } = dialect;
  const webhook = concept === 'claim' || concept === 'feature' ? `${concept}s` : concept;
  const after = ['registration/validating', `registration/${webhook}.validate.muster`, ...SERVER_CHECKS];
  return results.fail(`passes, although ${rule} forbids it: ${causes.join('; ')}`, remedy, { after });
}

/**
 * Checks that explain why a write passed: with `failurePolicy: Ignore`, every write does if the server can't be called.
 */
const SERVER_CHECKS = ['server/call', 'workload/available', 'certificate/bundle'] as const;

/** Returns the check for an answer without a verdict of muster. */
function failedCheck(
  results: PossibleResults,
  context: DoctorContext,
  { dialect, answer: { kind, by, message, fault } }: Probe,
): UnlinkedCheck {
  if (kind === 'not-permitted') {
    const right = `create and patch ${dialect.plural}.${dialect.group}`;
    return results.unknown(`can't be tried: you lack the right to ${right}`, AS_ANOTHER);
  }
  if (fault) {
    if (!isOurWebhook(by)) {
      const remedy = 'repair that webhook, or whatever it calls';
      return results.unknown(`another webhook can't be called: ${by}: ${message}`, remedy);
    }
    const after = [`registration/${by}`, 'server/call'];
    return results.fail(`${by} can't be called: ${fault.meaning}`, fault.remedy(context), { after });
  }
  if (kind === 'undecided') {
    const remedy = message.includes(NOTHING_KNOWN)
      ? 'the server reads no cluster: start muster serve with --kubeconfig FILE'
      : `see the server's log; its rights are restored by: ${restore(context, 'rbac')}`;
    const after = ['permission/needed', `lease/${dialect.name}`];
    return results.fail(`muster has no verdict: ${message}`, remedy, { after });
  }
  return results.unknown(`no webhook was called: ${message}`, 'run doctor again, or try such a write yourself');
}

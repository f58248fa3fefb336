/** Finds out from the API server's messages who answered a probe, what the answer means, and how to fix it. */
import type { Dialect } from '../../api/dialects.ts';
import { type ClusterError, lacksRight } from '../../cluster/live/errors.ts';
import { rulePrefixes } from '../../rules/rule.ts';
import { certsRemedy, type DoctorContext, editConfiguration, renewRemedy, restore } from './remedies.ts';
import { type CheckResults, type DoctorFinding, resultsOf } from './report.ts';
import { AS_ANOTHER } from './stored-objects.ts';

export interface ProbeAnswer {
  /**
   * `denied`: by a webhook; `undecided`: by one, with HTTP 500 or 503; `policy`: by a ValidatingAdmissionPolicy, before
   * any webhook is called; `broken`: the call of a webhook that fails closed failed; `not-permitted`: the user lacks
   * the right; `other`: the CRD's schema, a quota, an API server that is busy …
   */
  readonly kind: 'admitted' | 'denied' | 'undecided' | 'policy' | 'broken' | 'not-permitted' | 'other';
  /** The webhook or the policy. */
  readonly by: string;
  /** The webhook's message, if a webhook answered; else the API server's. */
  readonly message: string;
  /** muster's rules that a denial or a warning names. */
  readonly rules: readonly string[];
}

/** Returns the answer for a write that was refused: who refused it, and why. */
export function answerOf(error: ClusterError): ProbeAnswer {
  const { message, status } = error;
  const answer = (kind: ProbeAnswer['kind'], by = '', text = message) => {
    return { kind, by, message: text, rules: rulesIn(text) };
  };
  const [, webhook, text = ''] = /admission webhook "([^"]+)" denied the request(?:: (.*))?/s.exec(message) ?? [];
  if (webhook !== undefined) return answer(status === 500 || status === 503 ? 'undecided' : 'denied', webhook, text);
  const [, called, reason] = /failed calling webhook "([^"]+)": (.*)/s.exec(message) ?? [];
  if (called !== undefined) return answer('broken', called, reason);
  const [, policy] = /ValidatingAdmissionPolicy '([^']+)'/.exec(message) ?? [];
  if (policy !== undefined) return answer('policy', policy);
  return answer(lacksRight(error) ? 'not-permitted' : 'other');
}

/** Returns the answer for a write that passed. Warnings of a ValidatingAdmissionPolicy do not begin with a rule. */
export function admitted(warnings: readonly string[]): ProbeAnswer {
  const rules = warnings.filter((warning) => warning.startsWith('[')).flatMap(rulesIn);
  return { kind: 'admitted', by: '', message: '', rules };
}

function rulesIn(text: string): readonly string[] {
  return [...text.matchAll(RULE_IDS)].map(([, id = '']) => id);
}

const RULE_IDS = new RegExp(`\\[((?:${rulePrefixes.join('|')})/[a-z-]+)\\]`, 'g');

interface ProbedDialect {
  readonly context: DoctorContext;
  readonly dialect: Dialect;
}

/** Checks the answer to a forbidden object: muster has to deny it, by the named rule or another. */
export function refusedCheck(probed: ProbedDialect, rule: string, answer: ProbeAnswer): DoctorFinding {
  const { dialect } = probed;
  const results = resultsOf(
    `probe/${dialect.name}/refused`,
    `dry run: a forbidden ${dialect.kind} of ${dialect.group}`,
  );
  const { kind, by, rules } = answer;
  if (kind === 'policy') return results.ok(`denied by the policy ${by}, before muster is called`);
  if (kind === 'admitted') return admittedCheck(results, probed, rule, rules);
  if (kind !== 'denied') return failedCheck(results, probed, answer);
  if (rules.length > 0) return results.ok(`denied by ${rules.join(', ')}`);
  const message = `denied by the webhook ${by}, which hides muster's own answer`;
  return results.unknown(message, 'see whether that webhook can let dry runs of doctor pass');
}

/** Checks the answer to a good object: it has to pass, with the label of its manager if it is inventory. */
export function acceptedCheck(probed: ProbedDialect, answer: ProbeAnswer): DoctorFinding {
  const { context, dialect } = probed;
  const results = resultsOf(`probe/${dialect.name}/accepted`, `dry run: a good ${dialect.kind} of ${dialect.group}`);
  const { kind, by, rules } = answer;
  if (kind !== 'policy' && rules.includes('inventory/cluster-manager-label')) {
    const message = 'the mutating webhook did not add the label of its cluster manager';
    const after = ['registration/mutating', 'registration/inventory.mutate.muster', ...SERVER_CHECKS];
    return results.fail(message, restore(context, 'webhooks'), { after });
  }
  if (kind === 'admitted') return results.ok('passes');
  if (kind !== 'denied' && kind !== 'policy') return failedCheck(results, probed, answer);
  const denier = kind === 'policy' ? `the policy ${by}` : rules.join(', ') || `the webhook ${by}`;
  return results.warn(`denied by ${denier}`, 'check that this is intended: muster explain RULE');
}

/** Checks the answer to a change of an id, for which muster reads another object: any verdict shows that it can. */
export function readCheck(probed: ProbedDialect, answer: ProbeAnswer): DoctorFinding {
  const { dialect } = probed;
  const results = resultsOf(`probe/${dialect.name}/read`, `dry run: another id in ${dialect.kind} of ${dialect.group}`);
  const { kind, by, rules } = answer;
  if (kind === 'policy') return results.ok(`denied by the policy ${by}, before muster is called`);
  if (kind === 'admitted') return results.ok('evaluated');
  if (kind !== 'denied') return failedCheck(results, probed, answer);
  return results.ok(`evaluated: denied by ${rules.join(', ') || `the webhook ${by}`}`);
}

/** Returns the check for a forbidden object that passed. The most likely cause comes first. */
function admittedCheck(
  results: CheckResults,
  { context, dialect }: ProbedDialect,
  rule: string,
  warned: readonly string[],
): DoctorFinding {
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
    'its call fails and failurePolicy is Ignore (see certificate/)',
    'the configuration exempts you, disables the rule, or has mode: audit',
  ];
  const show = `kubectl get validatingwebhookconfiguration ${context.names.base} -o yaml`;
  const remedy = `see what is registered: ${show}; then ${configure}`;
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
  results: CheckResults,
  { context, dialect }: ProbedDialect,
  { kind, by, message }: ProbeAnswer,
): DoctorFinding {
  if (kind === 'not-permitted') {
    const right = `create and patch ${dialect.plural}.${dialect.group}`;
    return results.unknown(`can't be tried: you lack the right to ${right}`, AS_ANOTHER);
  }
  if (kind === 'broken') {
    if (!isOurs(by)) {
      const remedy = 'repair that webhook, or whatever it calls';
      return results.unknown(`another webhook can't be called: ${by}: ${message}`, remedy);
    }
    const { meaning, remedy } = explain(message);
    const after = [`registration/${by}`, 'server/call'];
    return results.fail(`${by} can't be called: ${meaning}`, remedy(context), { after });
  }
  if (kind === 'undecided') {
    const remedy = `see the server's log; its rights and Leases are restored by: ${restore(context, 'rbac')}`;
    const after = ['permission/needed', `lease/${dialect.name}`];
    return results.fail(`muster has no verdict: ${message}`, remedy, { after });
  }
  return results.unknown(`no webhook was called: ${message}`, 'run doctor again, or try such a write yourself');
}

/** Checks whether the API server can call muster. If no answer of a probe shows that, there is no check. */
export function callCheck(context: DoctorContext, answers: readonly ProbeAnswer[]): readonly DoctorFinding[] {
  const results = resultsOf('server/call', 'calls of muster by the API server');
  const called = answers.filter(({ by, rules, kind }) => isOurs(by) || (kind === 'admitted' && rules.length > 0));
  const broken = called.filter(({ kind }) => kind === 'broken');
  const [first] = broken;
  if (first === undefined) return called.length > 0 ? [results.ok('answered')] : [];
  const { meaning, remedy, after } = explain(first.message);
  const webhooks = [...new Set(broken.map(({ by }) => by))];
  const others = broken.filter(({ message }) => explain(message).meaning !== meaning);
  const details = others.map(({ by, message }) => ({ message: `${by}: ${explain(message).meaning} (${message})` }));
  // If only one webhook fails, its own address or CA may be wrong.
  const own = webhooks.length === 1 ? [`registration/${webhooks[0]}`] : [];
  return [results.fail(`${meaning} (${first.message})`, remedy(context), { details, after: [...own, ...after] })];
}

/** Returns whether a call showed that the API server does not know the CA of the server's certificate. */
export function showsUntrusted(answers: readonly ProbeAnswer[]): boolean {
  const broken = answers.filter(({ kind, by }) => kind === 'broken' && isOurs(by));
  return broken.some(({ message }) => explain(message).meaning === UNTRUSTED);
}

function isOurs(webhook: string): boolean {
  return webhook.endsWith('.muster');
}

type Remedy = (context: DoctorContext) => string;

const checkServer: Remedy = ({ namespace, names, way }) =>
  way.kind === 'url'
    ? 'start it, or let the API server through to it: muster serve; then its /readyz?verbose'
    : `see why no pod answers: kubectl -n ${namespace} get pods; kubectl -n ${namespace} logs deployment/${names.base}`;
const showCertificate: Remedy = () =>
  'give the API server one (--admission-control-config-file), or start muster without --client-ca-file';

/** Why the API server could not call a webhook, and checks that may fail for the same reason. */
type CallFault = readonly [error: RegExp, meaning: string, remedy: Remedy, after: readonly string[]];

/** Checks that explain a wrong certificate. If no pod runs, another program presented it. */
const CERTIFICATES = ['certificate/bundle', 'certificate/secret', 'certificate/job', 'workload/available'] as const;
const PODS = ['workload/available', 'installation/workload', 'installation/network'] as const;
const SERVICE = ['installation/workload'] as const;
const restored: Remedy = (context) => restore(context, 'workload');
const UNTRUSTED = "caBundle does not contain the CA of the server's certificate";
const SLOW = 'no answer in time: a firewall, a NetworkPolicy, or a server that hangs';

const OUT_OF_DATE = "the server's certificate has expired or is not valid yet";
const OTHER_NAME = "the server's certificate is for another name";
const NO_SERVICE = 'the Service is missing, or lacks that port';

/** By the API server's error message; the first match counts. */
const CALL_FAULTS: readonly CallFault[] = [
  [/x509: .*(expired|not yet valid)/, OUT_OF_DATE, renewRemedy, CERTIFICATES],
  [/x509: .*(valid for|doesn't contain|validate)/, OTHER_NAME, renewRemedy, CERTIFICATES],
  [/x509:|tls: failed to verify/, UNTRUSTED, certsRemedy, CERTIFICATES],
  [/certificate required|bad certificate/, 'the server requires a client certificate', showCertificate, []],
  [/service "[^"]*" not found|no service port/, NO_SERVICE, restored, SERVICE],
  [/no endpoints available/, 'no pod behind the Service is ready', checkServer, PODS],
  [/connection refused|connection reset|no route|EOF/, 'nothing listens at that address', checkServer, PODS],
  [/deadline exceeded|timeout/i, SLOW, checkServer, PODS],
];
const OTHER_FAULT: CallFault = [/./, 'the call failed', checkServer, PODS];

/** Explains the text after `failed calling webhook "…":`. */
export function explain(reason: string) {
  const [, meaning, remedy, after] = CALL_FAULTS.find(([error]) => error.test(reason)) ?? OTHER_FAULT;
  return { meaning, remedy, after };
}

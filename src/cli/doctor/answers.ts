/** Reads from the API server's messages who answered a probe, and says what the answer means and how to fix it. */
import { concepts, type Dialect } from '../../api/dialects.ts';
import type { ClusterError } from '../../cluster/live/errors.ts';
import { WEBHOOKS } from '../../manifests/names.ts';
import { applyCommand, certsRemedy, type DoctorContext, editConfiguration } from './context.ts';
import { AS_ANOTHER } from './read.ts';
import { type Check, type CheckResults, resultsOf } from './report.ts';

export interface ProbeAnswer {
  /**
   * `denied`: by a webhook; `undecided`: by one, with HTTP 500 or 503; `policy`: by a ValidatingAdmissionPolicy, before any
   * webhook is called; `broken`: the call of a webhook that fails closed failed; `not-permitted`: the user lacks the right;
   * `other`: the CRD's schema, a quota, an API server that is busy …
   */
  readonly kind: 'admitted' | 'denied' | 'undecided' | 'policy' | 'broken' | 'not-permitted' | 'other';
  /** The webhook or the policy. */
  readonly by: string;
  /** The webhook's, if there is one. */
  readonly message: string;
  /** muster's rules that a denial or a warning names. */
  readonly rules: readonly string[];
}

/** Reads who refused a write. */
export function answerOf({ message, status }: ClusterError): ProbeAnswer {
  const answer = (kind: ProbeAnswer['kind'], by = '', text = message) => {
    return { kind, by, message: text, rules: rulesIn(text) };
  };
  const [, webhook, text = ''] = /admission webhook "([^"]+)" denied the request(?:: (.*))?/s.exec(message) ?? [];
  if (webhook !== undefined) return answer(status === 500 || status === 503 ? 'undecided' : 'denied', webhook, text);
  const [, called, reason] = /failed calling webhook "([^"]+)": (.*)/s.exec(message) ?? [];
  if (called !== undefined) return answer('broken', called, reason);
  const [, policy] = /ValidatingAdmissionPolicy '([^']+)'/.exec(message) ?? [];
  if (policy !== undefined) return answer('policy', policy);
  return answer(status === 403 && / is forbidden: User /.test(message) ? 'not-permitted' : 'other');
}

/** Returns the answer for a write that was allowed. Warnings of a ValidatingAdmissionPolicy do not begin with a rule. */
export function admitted(warnings: readonly string[]): ProbeAnswer {
  const rules = warnings.filter((warning) => warning.startsWith('[')).flatMap(rulesIn);
  return { kind: 'admitted', by: '', message: '', rules };
}

function rulesIn(text: string): readonly string[] {
  return [...text.matchAll(RULE_IDS)].map(([, id = '']) => id);
}

const RULE_IDS = new RegExp(`\\[((?:${concepts.join('|')})/[a-z-]+)\\]`, 'g');

interface Probed {
  readonly context: DoctorContext;
  readonly dialect: Dialect;
}

/** Checks the answer to a forbidden object: muster has to deny it, by the named rule or another. */
export function refusedCheck(probed: Probed, rule: string, answer: ProbeAnswer): Check {
  const { context, dialect } = probed;
  const results = resultsOf(
    `probe/${dialect.name}/refused`,
    `dry run: a forbidden ${dialect.kind} of ${dialect.group}`,
  );
  const { kind, by, rules } = answer;
  if (kind === 'policy') return results.ok(`denied by the policy ${by}, before muster is called`);
  if (kind === 'admitted') return admittedCheck(results, context, rule, rules);
  if (kind !== 'denied') return failedCheck(results, probed, answer);
  if (rules.length > 0) return results.ok(`denied by ${rules.join(', ')}`);
  const message = `denied by the webhook ${by}, which hides muster's own answer`;
  return results.unknown(message, 'see whether that webhook can let dry runs of doctor pass');
}

/** Checks the answer to a good object: it has to pass, with the label of its manager if it is inventory. */
export function acceptedCheck(probed: Probed, answer: ProbeAnswer): Check {
  const { context, dialect } = probed;
  const results = resultsOf(`probe/${dialect.name}/accepted`, `dry run: a good ${dialect.kind} of ${dialect.group}`);
  const { kind, by, rules } = answer;
  if (kind !== 'policy' && rules.includes('inventory/cluster-manager-label')) {
    const message = 'the mutating webhook did not add the label of its cluster manager';
    return results.fail(message, applyCommand(context, 'webhooks'));
  }
  if (kind === 'admitted') return results.ok('passes');
  if (kind !== 'denied' && kind !== 'policy') return failedCheck(results, probed, answer);
  const denier = kind === 'policy' ? `the policy ${by}` : rules.join(', ') || `the webhook ${by}`;
  return results.warn(`denied by ${denier}`, 'check that this is intended: muster explain RULE');
}

/** Checks the answer to a change of an id, for which muster reads another object: any verdict shows that it can. */
export function readCheck(probed: Probed, answer: ProbeAnswer): Check {
  const { dialect } = probed;
  const results = resultsOf(`probe/${dialect.name}/read`, `dry run: another id in ${dialect.kind} of ${dialect.group}`);
  const { kind, by, rules } = answer;
  if (kind === 'policy') return results.ok(`denied by the policy ${by}, before muster is called`);
  if (kind === 'admitted') return results.ok('evaluated');
  if (kind !== 'denied') return failedCheck(results, probed, answer);
  return results.ok(`evaluated: denied by ${rules.join(', ') || `the webhook ${by}`}`);
}

/** A forbidden object passed. The likeliest cause comes first. */
function admittedCheck(results: CheckResults, context: DoctorContext, rule: string, warned: readonly string[]): Check {
  const configure = editConfiguration(context);
  if (context.mode === 'audit') {
    const message = `passes: the configuration has mode: audit, so whether muster was called can't be seen from here`;
    return results.warn(message, `look for its dry runs in the server's log; then set mode: warn: ${configure}`);
  }
  if (warned.includes(rule)) {
    const message = `passes with a warning of ${rule}: the configuration has mode: warn, or sets the rule to warn`;
    return results.warn(message, `set mode: enforce once the warnings are gone: ${configure}`);
  }
  const causes =
    'the webhook is not called (see registration/); its call fails and failurePolicy is Ignore (see certificate/); the configuration exempts you, disables the rule, or has mode: audit';
  const remedy = `see what is registered: kubectl get validatingwebhookconfiguration ${WEBHOOKS} -o yaml; then ${configure}`;
  return results.fail(`passes, although ${rule} forbids it: ${causes}`, remedy);
}

/** There is no verdict of muster's at all. */
function failedCheck(results: CheckResults, { context, dialect }: Probed, { kind, by, message }: ProbeAnswer): Check {
  if (kind === 'not-permitted') {
    const right = `create and patch ${dialect.plural}.${dialect.group}`;
    return results.unknown(`can't be tried: you lack the right to ${right}`, AS_ANOTHER);
  }
  if (kind === 'broken') {
    const { meaning, remedy } = explain(context, message);
    return results.fail(`${by} can't be called: ${meaning} (${message})`, remedy);
  }
  if (kind === 'undecided') {
    const remedy = `see permission/needed and lease/${dialect.name}, then the server's log: ${applyCommand(context, 'leases,rbac')}`;
    return results.fail(`muster has no verdict: ${message}`, remedy);
  }
  return results.unknown(`no webhook was called: ${message}`, 'run doctor again, or try such a write yourself');
}

type Remedy = (context: DoctorContext) => string;

const checkServer: Remedy = ({ namespace, target }) =>
  target !== undefined && 'url' in target
    ? 'start it, or let the API server through to it: muster serve; then its /readyz?verbose'
    : `see why no pod answers: kubectl -n ${namespace} get pods; kubectl -n ${namespace} logs deployment/muster`;
const restore: Remedy = (context) => applyCommand(context, 'workload');
const showCertificate: Remedy = () =>
  'give the API server one (--admission-control-config-file), or start muster without --client-ca-file';

/** Why the API server could not call a webhook, by its error message; the first match counts. */
const CALL_ERRORS: readonly (readonly [error: RegExp, meaning: string, remedy: Remedy])[] = [
  [/x509: .*(expired|not yet valid)/, "the server's certificate has expired or is not valid yet", certsRemedy],
  [/x509: .*(valid for|doesn't contain|validate)/, "the server's certificate is for another name", certsRemedy],
  [/x509:|tls: failed to verify/, "caBundle does not contain the CA of the server's certificate", certsRemedy],
  [/certificate required|bad certificate/, 'the server requires a client certificate', showCertificate],
  [/service "[^"]*" not found|no service port/, 'the Service is missing, or lacks that port', restore],
  [/no endpoints available/, 'no pod behind the Service is ready', checkServer],
  [/connection refused|connection reset|no route|EOF/, 'nothing listens at that address', checkServer],
  [/deadline exceeded|timeout/i, 'no answer in time: a firewall, a NetworkPolicy, or a server that hangs', checkServer],
];

/** Explains the text after `failed calling webhook "…":`. */
export function explain(context: DoctorContext, reason: string): { readonly meaning: string; readonly remedy: string } {
  const [, meaning, remedy] = CALL_ERRORS.find(([error]) => error.test(reason)) ?? [];
  return { meaning: meaning ?? 'the call failed', remedy: (remedy ?? checkServer)(context) };
}

/** Reads from the API server's messages who answered a probe, and says what the answer means and how to fix it. */
import type { Dialect } from '../../api/dialects.ts';
import type { ClusterError } from '../../cluster/live/errors.ts';
import { CONFIG_MAP } from '../../manifests/names.ts';
import { applyCommand, certsRemedy, type DoctorContext } from './context.ts';
import { AS_ANOTHER } from './read.ts';
import { type Check, type CheckResults, resultsOf } from './report.ts';

export type ProbeAnswer =
  | { readonly kind: 'admitted'; readonly warnings: readonly string[] }
  /** By a webhook; `rules` are those of muster that it names. */
  | {
      readonly kind: 'refused';
      readonly webhook: string;
      readonly message: string;
      readonly rules: readonly string[];
      readonly status: number | undefined;
    }
  /** By a ValidatingAdmissionPolicy, before any webhook is called. */
  | { readonly kind: 'policy'; readonly policy: string }
  /** The call of a webhook that fails closed failed. */
  | { readonly kind: 'broken'; readonly webhook: string; readonly reason: string }
  /** The user may not write such objects. */
  | { readonly kind: 'not-permitted' }
  /** The CRD's schema, a quota, an API server that is busy … */
  | { readonly kind: 'other'; readonly message: string };

/** Reads who refused a write. */
export function answerOf({ message, status }: ClusterError): ProbeAnswer {
  const [, webhook, text = ''] = /admission webhook "([^"]+)" denied the request(?:: (.*))?/s.exec(message) ?? [];
  if (webhook !== undefined) return { kind: 'refused', webhook, message: text, rules: rulesIn(text), status };
  const [, called, reason = ''] = /failed calling webhook "([^"]+)": (.*)/s.exec(message) ?? [];
  if (called !== undefined) return { kind: 'broken', webhook: called, reason };
  const [, policy] = /ValidatingAdmissionPolicy '([^']+)'/.exec(message) ?? [];
  if (policy !== undefined) return { kind: 'policy', policy };
  if (status === 403 && / is forbidden: User /.test(message)) return { kind: 'not-permitted' };
  return { kind: 'other', message };
}

function rulesIn(text: string): readonly string[] {
  return [...text.matchAll(/\[((?:claim|inventory|feature)\/[a-z-]+)\]/g)].map(([, id = '']) => id);
}

/** Returns the rules of which muster's own warnings are; those of a ValidatingAdmissionPolicy begin with other words. */
export function rulesWarned(warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => warning.startsWith('[')).flatMap(rulesIn);
}

interface Probed {
  readonly context: DoctorContext;
  readonly dialect: Dialect;
}

/** Checks the answer to a forbidden object: muster has to deny it, by the named rule or another. */
export function refusedCheck(probed: Probed, rule: string, answer: ProbeAnswer): Check {
  const { context, dialect } = probed;
  const results = resultsOf(`probe/${dialect.name}/refused`, `dry run: a forbidden ${dialect.kind}`);
  if (answer.kind === 'policy') return byPolicy(results, answer.policy);
  if (answer.kind === 'admitted') return admittedCheck(results, context, rule, answer.warnings);
  if (answer.kind !== 'refused' || hasNoVerdict(answer)) return failedCheck(results, probed, answer);
  if (answer.rules.length > 0) return results.ok(`denied by ${answer.rules.join(', ')}`);
  const message = `denied by ${denier(answer)}, which hides muster's own answer`;
  return results.unknown(message, 'see whether that webhook can let dry runs of doctor pass');
}

/** Checks the answer to a good object: it has to pass, with the label of its manager if it is inventory. */
export function acceptedCheck(probed: Probed, answer: ProbeAnswer): Check {
  const { context, dialect } = probed;
  const results = resultsOf(`probe/${dialect.name}/accepted`, `dry run: a good ${dialect.kind}`);
  const warned = answer.kind === 'admitted' ? rulesWarned(answer.warnings) : [];
  const rules = answer.kind === 'refused' ? answer.rules : warned;
  if (rules.includes('inventory/cluster-manager-label')) {
    const message = 'the mutating webhook did not add the label of its cluster manager';
    return results.fail(message, applyCommand(context, 'webhooks'));
  }
  if (answer.kind === 'admitted') return results.ok('passes');
  if (answer.kind === 'refused' || answer.kind === 'policy') {
    const by = answer.kind === 'policy' ? `the policy ${answer.policy}` : denier(answer);
    return results.warn(`denied by ${by}`, 'check that this is intended: muster explain RULE');
  }
  return failedCheck(results, probed, answer);
}

/** Checks the answer to a change of an id, for which muster reads another object: any answer but 503 shows that it can. */
export function readCheck(probed: Probed, answer: ProbeAnswer): Check {
  const { dialect } = probed;
  const results = resultsOf(`probe/${dialect.name}/read`, `dry run: another id in ${dialect.kind}`);
  if (answer.kind === 'policy') return byPolicy(results, answer.policy);
  if (answer.kind === 'admitted') return results.ok('evaluated');
  if (answer.kind === 'refused' && !hasNoVerdict(answer)) return results.ok(`evaluated: denied by ${denier(answer)}`);
  return failedCheck(results, probed, answer);
}

function byPolicy(results: CheckResults, policy: string): Check {
  return results.ok(`denied by the policy ${policy}, before muster is called`);
}

function hasNoVerdict({ status }: { readonly status: number | undefined }): boolean {
  return status === 500 || status === 503;
}

function denier({ rules, webhook }: { readonly rules: readonly string[]; readonly webhook: string }): string {
  return rules.length > 0 ? rules.join(', ') : `the webhook ${webhook}`;
}

/** The likeliest cause comes first. */
function admittedCheck(
  results: CheckResults,
  { namespace, webhook }: DoctorContext,
  rule: string,
  warnings: readonly string[],
): Check {
  const configure = `kubectl -n ${namespace} edit configmap ${CONFIG_MAP}`;
  if (rulesWarned(warnings).includes(rule)) {
    const message = `passes with a warning of ${rule}: the configuration has mode: warn, or sets the rule to warn`;
    return results.warn(message, `set mode: enforce once the warnings are gone: ${configure}`);
  }
  const causes = [
    'the webhook is not called (see registration/)',
    'its call fails and failurePolicy is Ignore (see certificate/ and workload/)',
    'the configuration exempts you, disables the rule, or has mode: audit',
  ].join('; ');
  const remedy = `see what is registered: kubectl get validatingwebhookconfiguration ${webhook} -o yaml; then ${configure}`;
  return results.fail(`passes, although ${rule} forbids it: ${causes}`, remedy);
}

/** There is no verdict of muster's at all. */
function failedCheck(results: CheckResults, { context, dialect }: Probed, answer: ProbeAnswer): Check {
  if (answer.kind === 'not-permitted') {
    const right = `create and patch ${dialect.plural}.${dialect.group}`;
    return results.unknown(`can't be tried: you lack the right to ${right}`, AS_ANOTHER);
  }
  if (answer.kind === 'broken') {
    const { meaning, remedy } = explain(context, answer.reason);
    return results.fail(`${answer.webhook} can't be called: ${meaning} (${answer.reason})`, remedy);
  }
  if (answer.kind === 'refused') {
    const remedy = `see permission/needed and lease/${dialect.name}, then the server's log: ${applyCommand(context, 'leases,rbac')}`;
    return results.fail(`muster has no verdict: ${answer.message}`, remedy);
  }
  const message = answer.kind === 'other' ? answer.message : answer.kind;
  return results.unknown(`no webhook was called: ${message}`, 'run doctor again, or try such a write yourself');
}

type Remedy = (context: DoctorContext) => string;

const checkServer: Remedy = ({ namespace, target }) =>
  target !== undefined && 'url' in target
    ? 'start it, or let the API server through to it: muster serve; then its /readyz?verbose'
    : `see why no pod answers: kubectl -n ${namespace} get pods; kubectl -n ${namespace} logs deployment/muster`;
const register: Remedy = (context) => applyCommand(context, 'webhooks');

/** Why the API server could not call a webhook, by its error message; the first match counts. */
const CALL_ERRORS: readonly (readonly [error: RegExp, meaning: string, remedy: Remedy])[] = [
  [/x509: .*(expired|not yet valid)/, "the server's certificate has expired or is not valid yet", certsRemedy],
  [
    /x509: .*(is valid for|doesn't contain|not valid for any|validate certificate for)/,
    "the server's certificate is for another name",
    certsRemedy,
  ],
  [/x509:|tls: failed to verify/, "caBundle does not contain the CA of the server's certificate", certsRemedy],
  [
    /certificate required|bad certificate|handshake failure/,
    'the server requires a client certificate',
    () => 'give the API server one (--admission-control-config-file), or start muster without --client-ca-file',
  ],
  [/service "[^"]*" not found/, 'the Service is missing', (context) => applyCommand(context, 'workload')],
  [/no endpoints available|no service port/, 'no pod behind the Service is ready', checkServer],
  [
    /no such host|server misbehaving/,
    "the API server can't resolve the server's name",
    () => "check that the API server's machine resolves the name in clientConfig",
  ],
  [/connection refused|connection reset|no route|unreachable|EOF/, 'nothing listens at that address', checkServer],
  [/deadline exceeded|timeout/i, 'no answer in time: a firewall, a NetworkPolicy, or a server that hangs', checkServer],
  [/could not find the requested resource|404/, 'another server answers there', register],
  [/not look like a TLS handshake|malformed HTTP/, 'the server there has no HTTPS', register],
];

/** Explains the text after `failed calling webhook "…":`. */
export function explain(context: DoctorContext, reason: string): { readonly meaning: string; readonly remedy: string } {
  const [, meaning, remedy] = CALL_ERRORS.find(([error]) => error.test(reason)) ?? [];
  return { meaning: meaning ?? 'the call failed', remedy: (remedy ?? checkServer)(context) };
}

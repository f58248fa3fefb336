/** Finds out from the API server's messages who answered a probe, and why it could not call a webhook. */
import { type ClusterError, lacksRight } from '../../cluster/live/errors.ts';
import { rulePrefixes } from '../../rules/rule.ts';
import { certsRemedy, type DoctorContext, renewRemedy, restore } from './remedies.ts';

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
  /** Why the webhook could not be called, if it is `broken`. */
  readonly fault?: CallFault;
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
  if (called !== undefined) return { ...answer('broken', called, reason), fault: faultOf(reason ?? '') };
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

type Remedy = (context: DoctorContext) => string;

const checkServer: Remedy = ({ namespace, names, way, programs }) => {
  if (way.kind === 'url')
    return 'start it, or let the API server through to it: muster serve; then its /readyz?verbose';
  const kubectl = `${programs.kubectl} -n ${namespace}`;
  return `see why no pod answers: ${kubectl} get pods; ${kubectl} logs deployment/${names.base}`;
};
const showCertificate: Remedy = () =>
  'give the API server one (--admission-control-config-file), or start muster without --client-ca-file';

interface CallFault {
  /** What the API server's error message has. */
  readonly error: RegExp;
  /** Why the API server could not call a webhook. */
  readonly meaning: string;
  readonly remedy: Remedy;
  /** Checks that may fail for the same reason. */
  readonly after: readonly string[];
}

/** Checks that explain a wrong certificate. If no pod runs, another program presented it. */
const CERTIFICATES = ['certificate/bundle', 'certificate/secret', 'certificate/job', 'workload/available'] as const;
const PODS = ['workload/available', 'installation/workload', 'installation/network'] as const;
export const UNTRUSTED = "caBundle does not contain the CA of the server's certificate";

/** The first whose `error` matches counts. */
const CALL_FAULTS: readonly CallFault[] = [
  {
    error: /x509: .*(expired|not yet valid)/,
    meaning: "the server's certificate has expired or is not valid yet",
    remedy: renewRemedy,
    after: CERTIFICATES,
  },
  {
    error: /x509: .*(valid for|doesn't contain|validate)/,
    meaning: "the server's certificate is for another name",
    remedy: renewRemedy,
    after: CERTIFICATES,
  },
  { error: /x509:|tls: failed to verify/, meaning: UNTRUSTED, remedy: certsRemedy, after: CERTIFICATES },
  {
    error: /certificate required|bad certificate/,
    meaning: 'the server requires a client certificate',
    remedy: showCertificate,
    after: [],
  },
  {
    error: /service "[^"]*" not found|no service port/,
    meaning: 'the Service is missing, or lacks that port',
    remedy: (context) => restore(context, 'workload'),
    after: ['installation/workload'],
  },
  {
    error: /no endpoints available/,
    meaning: 'no pod behind the Service is ready',
    remedy: checkServer,
    after: PODS,
  },
  {
    error: /connection refused|connection reset|no route|EOF/,
    meaning: 'nothing listens at that address',
    remedy: checkServer,
    after: PODS,
  },
  {
    error: /deadline exceeded|timeout/i,
    meaning: 'no answer in time: a firewall, a NetworkPolicy, or a server that hangs',
    remedy: checkServer,
    after: PODS,
  },
];
const OTHER_FAULT: CallFault = { error: /./, meaning: 'the call failed', remedy: checkServer, after: PODS };

/** Finds the fault of a call by the text after `failed calling webhook "…":`. */
function faultOf(reason: string): CallFault {
  return CALL_FAULTS.find(({ error }) => error.test(reason)) ?? OTHER_FAULT;
}

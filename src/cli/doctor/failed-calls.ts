/** Finds out from the API server's messages why it could not call muster, and how to fix it. */
import type { ProbeAnswer } from './answers.ts';
import { certsRemedy, type DoctorContext, renewRemedy, restore } from './remedies.ts';
import { type DoctorFinding, resultsOf } from './report.ts';

/** Checks whether the API server can call muster. If no answer of a probe shows that, there is no check. */
export function callCheck(context: DoctorContext, answers: readonly ProbeAnswer[]): readonly DoctorFinding[] {
  const results = resultsOf('server/call', 'calls of muster by the API server');
  const called = answers.filter(({ by, rules, kind }) => isOurs(by) || (kind === 'admitted' && rules.length > 0));
  const broken = called.filter(({ kind }) => kind === 'broken');
  const [first] = broken;
  if (first === undefined) return called.length > 0 ? [results.ok('answered')] : [];
  const { meaning, remedy, after } = explainFailedCall(first.message);
  const webhooks = [...new Set(broken.map(({ by }) => by))];
  const others = broken.filter(({ message }) => explainFailedCall(message).meaning !== meaning);
  const details = others.map(({ by, message }) => ({
    message: `${by}: ${explainFailedCall(message).meaning} (${message})`,
  }));
  // If only one webhook fails, its own address or CA may be wrong.
  const own = webhooks.length === 1 ? [`registration/${webhooks[0]}`] : [];
  return [results.fail(`${meaning} (${first.message})`, remedy(context), { details, after: [...own, ...after] })];
}

/** Returns whether a call showed that the API server does not know the CA of the server's certificate. */
export function showsUntrusted(answers: readonly ProbeAnswer[]): boolean {
  const broken = answers.filter(({ kind, by }) => kind === 'broken' && isOurs(by));
  return broken.some(({ message }) => explainFailedCall(message).meaning === UNTRUSTED);
}

/** Returns whether a webhook is muster's, by its name. */
export function isOurs(webhook: string): boolean {
  return webhook.endsWith('.muster');
}

type Remedy = (context: DoctorContext) => string;

const checkServer: Remedy = ({ namespace, names, way }) =>
  way.kind === 'url'
    ? 'start it, or let the API server through to it: muster serve; then its /readyz?verbose'
    : `see why no pod answers: kubectl -n ${namespace} get pods; kubectl -n ${namespace} logs deployment/${names.base}`;
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
const UNTRUSTED = "caBundle does not contain the CA of the server's certificate";

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

/** Explains the text after `failed calling webhook "…":`. */
export function explainFailedCall(reason: string): CallFault {
  return CALL_FAULTS.find(({ error }) => error.test(reason)) ?? OTHER_FAULT;
}

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
export function explainFailedCall(reason: string) {
  const [, meaning, remedy, after] = CALL_FAULTS.find(([error]) => error.test(reason)) ?? OTHER_FAULT;
  return { meaning, remedy, after };
}

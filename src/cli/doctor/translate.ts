/** Why an API server could not ask muster, and what helps: its own words on the left, ours on the right. */
import { apply, certs, type Examination } from './examination.ts';

export interface Translation {
  readonly meaning: string;
  readonly remedy: string;
}

interface Entry {
  readonly said: RegExp;
  readonly meaning: string;
  readonly remedy: (examination: Examination) => string;
}

const running = ({ namespace, target }: Examination): string =>
  target !== undefined && 'url' in target
    ? 'start it, or let the API server through to it: muster serve; then its /readyz?verbose'
    : `see why no pod answers: kubectl -n ${namespace} get pods; kubectl -n ${namespace} logs deployment/muster`;

/** In the order to try. */
const TABLE: readonly Entry[] = [
  {
    said: /x509: .*(expired|not yet valid)/,
    meaning: "the server's certificate has expired or is not valid yet (or a clock is wrong)",
    remedy: certs,
  },
  {
    said: /x509: .*(is valid for|doesn't contain|not valid for any|cannot validate certificate for)/,
    meaning: "the server's certificate is for another name",
    remedy: certs,
  },
  {
    said: /x509:|tls: failed to verify/,
    meaning: "caBundle does not vouch for the server's certificate",
    remedy: certs,
  },
  {
    said: /certificate required|bad certificate|handshake failure/,
    meaning: 'the server wants a client certificate that the API server does not show',
    remedy: () =>
      'give the API server one by its --admission-control-config-file, or start muster without --client-ca-file',
  },
  {
    said: /service "[^"]*" not found/,
    meaning: 'the Service is not there',
    remedy: (examination) => apply(examination, 'workload'),
  },
  {
    said: /no endpoints available|no service port/,
    meaning: 'no pod stands ready behind the Service',
    remedy: running,
  },
  {
    said: /no such host|server misbehaving/,
    meaning: "the server's name can't be resolved by the API server",
    remedy: () => "see that the API server's machine can resolve the name in clientConfig",
  },
  {
    said: /connection refused|connection reset|no route to host|network is unreachable|EOF/,
    meaning: 'nothing listens where the API server calls',
    remedy: running,
  },
  {
    said: /deadline exceeded|i\/o timeout|Client\.Timeout/,
    meaning: 'no answer in time: a firewall or NetworkPolicy in between, or a server that hangs',
    remedy: running,
  },
  {
    said: /the server could not find the requested resource|404/,
    meaning: 'what answers there is not muster',
    remedy: (examination) => apply(examination, 'webhooks'),
  },
  {
    said: /first record does not look like a TLS handshake|malformed HTTP/,
    meaning: 'what answers there does not speak HTTPS',
    remedy: (examination) => apply(examination, 'webhooks'),
  },
];

/** @param reason the API server's, after `failed calling webhook "…":` */
export function translate(examination: Examination, reason: string): Translation {
  const entry = TABLE.find(({ said }) => said.test(reason));
  if (entry !== undefined) return { meaning: entry.meaning, remedy: entry.remedy(examination) };
  return { meaning: 'the API server could not ask muster', remedy: running(examination) };
}

/** Reads the API server's messages: why muster could not be called. */
import { describe, expect, test } from '@jest/globals';
import { admitted, answerOf } from '../../../../src/cli/doctor/answers.ts';
import { callCheck } from '../../../../src/cli/doctor/probe-checks.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { contextOf } from './context.ts';

const answer = (message: string, status = 403) => answerOf(new ClusterError('forbidden', message, { status }));

describe('why the call failed', () => {
  const url = contextOf({ way: { kind: 'url', url: 'https://h.example:8443' }, issuer: { kind: 'existing' } });
  test.each([
    [
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      ...[
        /caBundle does not contain/,
        /^muster certs /,
        /^write the CA of the server certificate to ca\.crt, then: muster/,
      ],
    ],
    [
      'x509: certificate has expired or is not yet valid: current time 2026 is after 2020',
      ...[/expired/, /^muster certs /, /^issue a certificate for h\.example with the same CA/],
    ],
    [
      "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
      ...[/another name/, /^muster certs /, /^issue a certificate for h\.example with the same CA/],
    ],
    ['dial tcp 127.0.0.1:1: connect: connection refused', /nothing listens/, /get pods/, /muster serve/],
    ['context deadline exceeded', /no answer in time/, /get pods/, /muster serve/],
    ['service "muster" not found', /Service is missing/, /--only workload/, /--only workload/],
    ['no endpoints available for service "muster"', /no pod behind/, /get pods/, /muster serve/],
    ['remote error: tls: certificate required', /client certificate/, /--client-ca-file/, /--client-ca-file/],
    ['an unknown error', /the call failed/, /get pods/, /muster serve/],
  ] as const)('%s', (reason, meaning, inCluster, outside) => {
    const { fault } = answer(`failed calling webhook "claims.validate.muster": ${reason}`, 500);
    expect(fault?.meaning).toMatch(meaning);
    expect(fault?.remedy(contextOf())).toMatch(inCluster);
    expect(fault?.remedy(url)).toMatch(outside);
  });

  const broken = (webhook: string) => answer(`failed calling webhook "${webhook}": dial tcp: connection refused`, 500);

  test('all calls are one check, and so are answers; of other webhooks there is none', () => {
    const called = (...answers: Parameters<typeof callCheck>[1]) =>
      callCheck(url, answers).map(({ status, after = [] }) => [status, ...after]);
    const both = [broken('claims.validate.muster'), broken('features.validate.muster')];
    expect(called(...both)).toEqual([['fail', 'workload/available', 'installation/workload', 'installation/network']]);
    expect(called(broken('claims.validate.muster'))[0]).toContain('registration/claims.validate.muster');
    expect(called(answer('admission webhook "claims.validate.muster" denied the request: no'))).toEqual([['ok']]);
    expect(called(broken('a.example.com'), admitted([]))).toEqual([]);
  });
});

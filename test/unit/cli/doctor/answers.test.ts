/** Reads the API server's messages: who refused a write, or why muster could not be called. */
import { describe, expect, test } from '@jest/globals';
import { admitted, answerOf } from '../../../../src/cli/doctor/answers.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { contextOf } from './context.ts';

const answer = (message: string, status = 403) => answerOf(new ClusterError('forbidden', message, { status }));

describe('who refused', () => {
  test.each([
    [
      'muster',
      'POST: admission webhook "claims.validate.muster" denied the request: [claim/reserved-name] no\\u000a[claim/value] no',
      { kind: 'denied', by: 'claims.validate.muster', rules: ['claim/reserved-name', 'claim/value'] },
    ],
    [
      'another webhook',
      'POST /x: admission webhook "a.b.c" denied the request: no',
      { kind: 'denied', by: 'a.b.c', rules: [] },
    ],
    [
      'none, since the call failed',
      'POST: failed calling webhook "claims.validate.muster": failed to call webhook: Post "https://h/validate": EOF',
      { kind: 'broken', by: 'claims.validate.muster' },
    ],
    [
      'a fallback policy, which uses the messages of muster',
      "POST /x: \"a\" is forbidden: ValidatingAdmissionPolicy 'muster-claim-value' with binding 'b' denied: [claim/value] no",
      { kind: 'policy', by: 'muster-claim-value' },
    ],
    [
      'RBAC',
      'POST /x: clusterclaims.multicluster.x-k8s.io is forbidden: User "jane" cannot create resource "clusterclaims"',
      { kind: 'not-permitted' },
    ],
    ['the schema', 'POST /x: ClusterClaim "a" is invalid: spec.value: Too long', { kind: 'other' }],
  ])('%s', (_, message, expected) => expect(answer(message)).toMatchObject(expected));

  test("a warning is muster's own if it begins with a rule", () => {
    const ofPolicy = "Validation failed for ValidatingAdmissionPolicy 'a' with binding 'a': [claim/value] no";
    expect(admitted(['[claim/reserved-name] no', ofPolicy, 'unknown field "x"']).rules).toEqual([
      'claim/reserved-name',
    ]);
  });
});

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
});

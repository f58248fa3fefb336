/** Reads the API server's messages: who refused a write, and why muster could not be called. */
import { describe, expect, test } from '@jest/globals';
import { type Dialect, dialects } from '../../../../src/api/dialects.ts';
import { admitted, answerOf, callCheck, explain, refusedCheck } from '../../../../src/cli/doctor/answers.ts';
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

describe('a forbidden object that passes', () => {
  const dialect = dialects[0] as Dialect;
  test.each([
    ['enforce', [], 'fail', /the webhook is not called/],
    [undefined, [], 'fail', /or has mode: audit/],
    ['audit', [], 'warn', /mode: audit, so whether muster was called/],
    ['warn', [`[claim/reserved-name] no`], 'warn', /passes with a warning/],
    ['warn', [], 'fail', /the webhook is not called/],
  ] as const)('in mode %s with the warnings %j: %s', (mode, warnings, status, message) => {
    const context = contextOf({ mode });
    const check = refusedCheck({ context, dialect }, 'claim/reserved-name', admitted(warnings));
    expect(check).toMatchObject({ status, message: expect.stringMatching(message) });
  });
});

describe('why the call failed', () => {
  const url = contextOf({ way: { kind: 'url', url: 'https://h.example:8443' }, issuer: { kind: 'other' } });
  test.each([
    [
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      ...[
        /caBundle does not contain/,
        /^muster certs /,
        /^write the CA of the server's certificate to ca\.crt, then: muster/,
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
    expect(explain(reason).meaning).toMatch(meaning);
    expect(explain(reason).remedy(contextOf())).toMatch(inCluster);
    expect(explain(reason).remedy(url)).toMatch(outside);
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

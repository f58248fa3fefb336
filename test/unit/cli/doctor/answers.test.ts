/** Reads the API server's messages: who refused a write, and why muster could not be called. */
import { describe, expect, test } from '@jest/globals';
import { type Dialect, dialects } from '../../../../src/api/dialects.ts';
import { admitted, answerOf, explain, refusedCheck } from '../../../../src/cli/doctor/answers.ts';
import type { DoctorContext } from '../../../../src/cli/doctor/context.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';

const answer = (message: string, status = 403) => answerOf(new ClusterError('forbidden', message, { status }));

describe('who refused', () => {
  test.each([
    [
      'muster',
      'POST /x: admission webhook "claims.validate.muster" denied the request: [claim/reserved-name] metadata.name: no\\u000a[claim/value] no',
      { kind: 'denied', by: 'claims.validate.muster', rules: ['claim/reserved-name', 'claim/value'] },
    ],
    [
      'another webhook',
      'POST /x: admission webhook "a.b.c" denied the request: no',
      { kind: 'denied', by: 'a.b.c', rules: [] },
    ],
    [
      'none, since the call failed',
      'POST /x: Internal error occurred: failed calling webhook "claims.validate.muster": failed to call webhook: Post "https://h/validate?timeout=5s": EOF',
      { kind: 'broken', by: 'claims.validate.muster' },
    ],
    [
      'a fallback policy, which uses the messages of muster',
      "POST /x: clusterclaims \"a\" is forbidden: ValidatingAdmissionPolicy 'muster-claim-value' with binding 'muster-claim-value' denied request: [claim/value] no",
      { kind: 'policy', by: 'muster-claim-value' },
    ],
    [
      'RBAC',
      'POST /x: clusterclaims.multicluster.x-k8s.io is forbidden: User "jane" cannot create resource "clusterclaims" in API group',
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
    const context = { namespace: 'muster-system', target: undefined, mode } as unknown as DoctorContext;
    const check = refusedCheck({ context, dialect }, 'claim/reserved-name', admitted(warnings));
    expect(check).toMatchObject({ status, message: expect.stringMatching(message) });
  });
});

describe('how to change the mode', () => {
  const service = { service: { namespace: 'n', name: 's', port: 443 } };
  const url = { url: 'https://h' };
  test.each([
    [service, undefined, 'n', /kubectl -n n edit configmap muster-config$/],
    [
      service,
      'my file',
      'n',
      /edit 'my file', then: muster manifests --only config --config 'my file' --namespace n \| kubectl apply -f -$/,
    ],
    [service, 'c.yaml', 'muster-system', /--config c.yaml \| kubectl apply -f -$/],
    [url, 'c.yaml', 'muster-system', /edit c.yaml, which the server reads again$/],
    [url, undefined, 'muster-system', /edit the file of --config of muster serve, which the server reads again$/],
  ])('called by %j, with the file %s', (target, configFile, namespace, remedy) => {
    const context = { namespace, target, mode: 'audit', configFile } as unknown as DoctorContext;
    const probed = { context, dialect: dialects[0] as Dialect };
    expect(refusedCheck(probed, 'claim/reserved-name', admitted([])).remedy).toMatch(remedy);
  });
});

describe('why the call failed', () => {
  const context = { namespace: 'muster-system', target: undefined };
  const explained = (reason: string) => explain(context as unknown as DoctorContext, reason);
  test.each([
    [
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      /caBundle does not contain/,
      /^muster certs /,
    ],
    ['x509: certificate has expired or is not yet valid: current time 2026 is after 2020', /expired/, /^muster certs /],
    [
      "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
      /another name/,
      /^muster certs /,
    ],
    ['dial tcp 127.0.0.1:1: connect: connection refused', /nothing listens/, /get pods/],
    ['context deadline exceeded', /no answer in time/, /get pods/],
    ['service "muster" not found', /Service is missing/, /--only workload/],
    ['no endpoints available for service "muster"', /no pod behind/, /get pods/],
    ['remote error: tls: certificate required', /client certificate/, /--client-ca-file/],
    ['an unknown error', /the call failed/, /get pods/],
  ])('%s', (reason, meaning, remedy) => {
    expect(explained(reason).meaning).toMatch(meaning);
    expect(explained(reason).remedy).toMatch(remedy);
  });
});

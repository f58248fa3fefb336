/** What an API server said, read: who refused, and why muster could not be asked. */
import { describe, expect, test } from '@jest/globals';
import type { Examination } from '../../../src/cli/doctor/examination.ts';
import { answerOf, rulesWarned } from '../../../src/cli/doctor/probe-answer.ts';
import { translate } from '../../../src/cli/doctor/translate.ts';
import { ClusterError } from '../../../src/cluster/live/errors.ts';

const answer = (message: string, status = 403) => answerOf(new ClusterError('forbidden', message, { status }));

describe('who refused', () => {
  test.each([
    [
      'muster',
      'POST /x: admission webhook "claims.validate.muster" denied the request: [claim/reserved-name] metadata.name: no\\u000a[claim/value] no',
      { kind: 'refused', webhook: 'claims.validate.muster', rules: ['claim/reserved-name', 'claim/value'] },
    ],
    ['another webhook', 'POST /x: admission webhook "a.b.c" denied the request: no', { kind: 'refused', rules: [] }],
    [
      'one without words',
      'POST /x: admission webhook "a.b.c" denied the request without explanation',
      { kind: 'refused' },
    ],
    [
      'none: it could not be asked',
      'POST /x: Internal error occurred: failed calling webhook "claims.validate.muster": failed to call webhook: Post "https://h/validate?timeout=5s": EOF',
      { kind: 'broken', webhook: 'claims.validate.muster' },
    ],
    [
      'the floor, in words of muster too',
      "POST /x: clusterclaims \"a\" is forbidden: ValidatingAdmissionPolicy 'muster-claim-value' with binding 'muster-claim-value' denied request: [claim/value] no",
      { kind: 'floor', policy: 'muster-claim-value' },
    ],
    [
      'RBAC',
      'POST /x: clusterclaims.multicluster.x-k8s.io is forbidden: User "jane" cannot create resource "clusterclaims" in API group',
      { kind: 'not-permitted' },
    ],
    ['the schema', 'POST /x: ClusterClaim "a" is invalid: spec.value: Too long', { kind: 'other' }],
  ])('%s', (_, message, expected) => expect(answer(message)).toMatchObject(expected));

  test("a warning is muster's own where it begins with a rule", () => {
    const floor = "Validation failed for ValidatingAdmissionPolicy 'a' with binding 'a': [claim/value] no";
    expect(rulesWarned(['[claim/reserved-name] no', floor, 'unknown field "x"'])).toEqual(['claim/reserved-name']);
  });
});

describe('why it could not be asked', () => {
  const examination = { namespace: 'muster-system', webhook: 'muster', secret: 'muster-tls', target: undefined };
  const said = (reason: string) => translate(examination as unknown as Examination, reason);
  test.each([
    [
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      /caBundle does not vouch/,
      /^muster certs /,
    ],
    ['x509: certificate has expired or is not yet valid: current time 2026 is after 2020', /expired/, /^muster certs /],
    ['x509: certificate is valid for a, not b', /another name/, /^muster certs /],
    [
      "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
      /another name/,
      /^muster certs /,
    ],
    ['dial tcp 127.0.0.1:1: connect: connection refused', /nothing listens/, /get pods/],
    ['context deadline exceeded', /no answer in time/, /get pods/],
    ['service "muster" not found', /Service is not there/, /--only workload/],
    ['no endpoints available for service "muster"', /no pod stands ready/, /get pods/],
    ['dial tcp: lookup h: no such host', /can't be resolved/, /clientConfig/],
    ['remote error: tls: certificate required', /client certificate/, /--client-ca-file/],
    ['the server could not find the requested resource', /not muster/, /--only webhooks/],
    ['something nobody foresaw', /could not ask muster/, /get pods/],
  ])('%s', (reason, meaning, remedy) => {
    expect(said(reason).meaning).toMatch(meaning);
    expect(said(reason).remedy).toMatch(remedy);
  });
});

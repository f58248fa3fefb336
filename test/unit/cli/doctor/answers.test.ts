/** Reads the API server's messages: who refused a write. */
import { describe, expect, test } from '@jest/globals';
import { admitted, answerOf } from '../../../../src/cli/doctor/answers.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';

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

/** Checks the answers to probes. */
import { describe, expect, test } from '@jest/globals';
import { type Dialect, dialects } from '../../../../src/api/dialects.ts';
import { admitted, answerOf } from '../../../../src/cli/doctor/answers.ts';
import { checkProbes } from '../../../../src/cli/doctor/probe-checks.ts';
import type { Probe } from '../../../../src/cli/doctor/probes.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { createRunView } from '../../../../src/input/view.ts';
import { contextOf } from './context.ts';

const dialect = dialects[0] as Dialect;

/** Returns the check of one probe, which comes after that of all calls. */
const checkOf = (context: ReturnType<typeof contextOf>, expected: Probe['expected'], answer: Probe['answer']) =>
  checkProbes(context, [{ dialect, expected, rule: 'claim/reserved-name', answer }]).at(-1);

const unknown = await createRunView().get({ dialect, name: 'id.k8s.io' });

test.each([
  [unknown.known ? '' : unknown.reason, /--kubeconfig/],
  ['muster may not get the Lease muster-system/muster-cluster-claim', /--only rbac/],
])('the fix where muster can not decide: %s', (message, remedy) => {
  const check = checkOf(contextOf(), 'read', { kind: 'undecided', by: '', message, rules: [] });
  expect(check).toMatchObject({ status: 'fail', remedy: expect.stringMatching(remedy) });
});

describe('a forbidden object that passes', () => {
  test.each([
    ['enforce', [], 'fail', /the webhook is not called.*the configuration exempts you/],
    [undefined, [], 'fail', /or has mode: audit/],
    ['audit', [], 'warn', /mode: audit, so whether muster was called/],
    ['warn', [`[claim/reserved-name] no`], 'warn', /passes with a warning/],
    ['warn', [], 'fail', /the webhook is not called/],
  ] as const)('in mode %s with the warnings %j: %s', (mode, warnings, status, message) => {
    const context = contextOf({ mode });
    const check = checkOf(context, 'refused', admitted(warnings));
    expect(check).toMatchObject({ status, message: expect.stringMatching(message) });
  });

  test('the fix begins with the calls that fail open, since only the API server sees them', () => {
    const check = checkOf(contextOf(), 'refused', admitted([]));
    expect(check?.remedy).toMatch(/^see whether calls fail.*fail_open_count.*the server runs.*what is registered/);
  });
});

const url = contextOf({ way: { kind: 'url', url: 'https://h.example:8443' }, issuer: { kind: 'existing' } });
const answer = (message: string, status = 403) => answerOf(new ClusterError('forbidden', message, { status }));
const broken = (webhook: string) => answer(`failed calling webhook "${webhook}": dial tcp: connection refused`, 500);

test('all calls are one check, and so are answers; of other webhooks there is none', () => {
  const called = (...answers: Probe['answer'][]) => {
    const checks = checkProbes(
      url,
      answers.map((each) => ({ dialect, expected: 'accepted', answer: each })),
    );
    return checks.flatMap(({ id, status, after = [] }) => (id === 'server/call' ? [[status, ...after]] : []));
  };
  const both = [broken('claims.validate.muster'), broken('features.validate.muster')];
  expect(called(...both)).toEqual([['fail', 'workload/available', 'installation/workload', 'installation/network']]);
  expect(called(broken('claims.validate.muster'))[0]).toContain('registration/claims.validate.muster');
  expect(called(answer('admission webhook "claims.validate.muster" denied the request: no'))).toEqual([['ok']]);
  expect(called(broken('a.example.com'), admitted([]))).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { crashed, unreadable } from '../../../../src/server/admission/respond.ts';
import { createLog, type LogLevel } from '../../../../src/server/log/log.ts';
import type { Decision } from '../../../../src/server/observer.ts';
import { type Fields, requestOf, UID } from '../../../support/reviews.ts';
import { crash, decisionOf, finding, request, unknown, verdict, warning } from '../verdicts.ts';

function logged(use: (log: ReturnType<typeof createLog>) => void, level: LogLevel = 'info'): Fields[] {
  const lines: string[] = [];
  use(createLog(level, { write: (line) => lines.push(line) }));
  return lines.map((line) => {
    expect(line.endsWith('\n')).toBe(true);
    return JSON.parse(line) as Fields;
  });
}

const DENIED = verdict({ outcome: 'denied', findings: [finding(), warning()] });
const denied = (over: Partial<Decision> = {}) =>
  decisionOf(requestOf(), { outcome: 'denied', request, verdict: DENIED, ...over });

test('a decision is one line, without anything of the object', () => {
  const [line, ...others] = logged((log) => log.decision(denied(), 1.23456));
  expect(others).toEqual([]);
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    msg: 'decision',
    uid: UID,
    path: 'validate',
    resource: 'clusterclaims.multicluster.x-k8s.io',
    kind: 'multicluster.x-k8s.io/v1alpha1 ClusterClaim',
    name: 'id.k8s.io',
    operation: 'CREATE',
    subresource: '',
    user: 'jane',
    dryRun: false,
    outcome: 'denied',
    code: 422,
    rules: ['claim/id-syntax:deny', 'claim/id-length:warn'],
    durationMs: 1.235,
  });
  expect(JSON.stringify(line)).not.toContain('apac');
});

test('the line of a write that mode enforce would deny says so', () => {
  const capped = verdict({ findings: [finding({ action: 'audit', wouldDeny: true })] });
  const [line] = logged((log) => log.decision(denied({ verdict: capped, outcome: 'allowed' }), 1));
  expect(line).toMatchObject({ outcome: 'allowed', wouldDeny: true, rules: ['claim/id-syntax:audit'] });
});

test('a decision and its internal errors name the span of the request', () => {
  const ids = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };
  const failure = { reference: 'x', error: new Error('x') };
  const lines = logged((log) => log.decision(denied({ failure }), 1, ids));
  expect(lines).toEqual([expect.objectContaining(ids), expect.objectContaining(ids)]);
});

test('texts of users are shortened, and control characters in them escaped: nobody forges a line', () => {
  const long = { ...request, name: `\u001b[31m${'x'.repeat(10_000)}`, username: 'a\nb\u202e', kind: 'K'.repeat(5000) };
  const [line] = logged((log) => log.decision(denied({ request: long }), 1));
  expect(String(line?.['name'])).toMatch(/^\\u001b\[31mx+…$/);
  expect(String(line?.['name']).length).toBeLessThan(300);
  expect(line?.['user']).toBe('a\\u000ab\\u202e');
  expect(String(line?.['kind']).length).toBeLessThan(300);
});

test('the line of a review that can’t be read says why', () => {
  const response = unreadable(UID, 'the body is not JSON');
  const decision = denied({
    response,
    outcome: 'unreadable',
    request: undefined,
    subject: undefined,
    verdict: undefined,
  });
  const [line] = logged((log) => log.decision(decision, 1));
  expect(line).toMatchObject({
    uid: UID,
    outcome: 'unreadable',
    code: 400,
    problem: expect.stringContaining('not JSON'),
  });
});

test('the line of an indeterminate decision says why', () => {
  const whole = verdict({ outcome: 'indeterminate', indeterminate: [{ ...unknown, message: 'no Lease' }] });
  const decision = denied({ verdict: whole, outcome: 'indeterminate' });
  const [line] = logged((log) => log.decision(decision, 1));
  expect(line).toMatchObject({ level: 'warn', code: 503, problem: expect.stringContaining('no Lease') });
});

test('a crashed rule has a line of its own, under the reference of the answer', () => {
  const whole = verdict({ outcome: 'crashed', crashes: [crash()] });
  const decision = denied({ verdict: whole, outcome: 'error' });
  const [line, detail] = logged((log) => log.decision(decision, 1));
  expect(line).toMatchObject({ level: 'warn', outcome: 'error', code: 500 });
  expect(detail).toMatchObject({
    level: 'error',
    uid: UID,
    rule: 'claim/value',
    reference: 'ab12cd34',
    error: 'secret detail',
    stack: expect.stringContaining('verdicts.ts'),
  });
});

test('an error of several, without a message of its own, has theirs', () => {
  const error = new AggregateError([new Error('connect ECONNREFUSED ::1:443'), 'no address'], '');
  const [line] = logged((log) => log.error('no answer', error));
  expect(line).toMatchObject({ error: 'connect ECONNREFUSED ::1:443; no address' });
});

test('so has an internal error outside of any rule', () => {
  const failure = { reference: 'ffff0000', error: 'not even an Error' };
  const decision = denied({ failure, response: crashed(UID, 'ffff0000'), outcome: 'error', verdict: undefined });
  const [, detail] = logged((log) => log.decision(decision, 1));
  expect(detail).toMatchObject({ level: 'error', reference: 'ffff0000', error: 'not even an Error' });
});

test('lines below the level are left out', () => {
  const use = (log: ReturnType<typeof createLog>) => {
    log.info('a');
    log.warn('b', { why: 'c' });
    log.error('d', new Error('e'));
    log.error('f');
  };
  expect(logged(use).map(({ msg }) => msg)).toEqual(['a', 'b', 'd', 'f']);
  expect(logged(use, 'warn').map(({ msg }) => msg)).toEqual(['b', 'd', 'f']);
  expect(logged(use, 'silent')).toEqual([]);
});

/** Warnings that a later write of the run ends. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { mayBeFixedLater, verdictAtEnd } from '../../../src/engine/end-of-run.ts';
import { createEngine, type Finding, type Verdict } from '../../../src/engine/index.ts';
import { subjectOf } from '../../../src/engine/review.ts';
import { membership } from '../../support/bases.ts';
import { viewOf } from '../../support/rule-tester.ts';

const FIXABLE = 'claim/clusterset-requires-id';
const OTHER = 'claim/qualified-name';
const finding = (over: Partial<Finding> = {}): Finding => {
  const place = { path: ['metadata', 'name'], field: 'metadata.name', code: 422 } as const;
  return { ruleId: FIXABLE, level: 'MUST†', action: 'warn', message: 'no id', ...place, ...over };
};
const verdictOf = (...findings: readonly Finding[]): Verdict => {
  return { outcome: 'allowed', findings, indeterminate: [], crashes: [], silentUnknowns: [] };
};

test.each<[string, Finding[], boolean]>([
  ['no finding', [], false],
  ['a warning of such a rule', [finding()], true],
  ['beside others', [finding({ ruleId: OTHER }), finding()], true],
  ['a warning of another rule', [finding({ ruleId: OTHER })], false],
  ['a warning of a rule that is not in the catalogue', [finding({ ruleId: 'claim/none' })], false],
  ['a denial', [finding({ action: 'deny' })], false],
  ['only recorded', [finding({ action: 'audit' })], false],
  ['a denial that the mode makes a warning', [finding({ wouldDeny: true })], false],
])('whether a later write may end it: %s', (_, findings, expected) =>
  expect(mayBeFixedLater(verdictOf(...findings))).toBe(expected),
);

describe('at the end of the run', () => {
  const subject = subjectOf(
    { dialect: clusterClaim, namespace: undefined, name: 'clusterset.k8s.io' },
    { version: 'v1alpha1', operation: 'CREATE', object: membership },
  );
  /** What is left of the verdict where the write, evaluated again, has this one. */
  const left = async (verdict: Verdict, again: Partial<Verdict>) => {
    const engine = { ...createEngine({ point: 'check' }), evaluate: async () => ({ ...verdictOf(), ...again }) };
    return (await verdictAtEnd(engine, { subject, verdict }, viewOf([]))).findings;
  };

  test('a warning that is not found again is gone, others stay', async () => {
    const denied = finding({ action: 'deny' });
    const other = finding({ ruleId: OTHER });
    expect(await left(verdictOf(denied, finding(), other), {})).toEqual([denied, other]);
  });

  test('one that is found again stays', async () => {
    expect(await left(verdictOf(finding()), { findings: [finding()] })).toEqual([finding()]);
  });

  test('one with another message, or of another rule, is another one', async () => {
    expect(await left(verdictOf(finding()), { findings: [finding({ message: 'two ids' })] })).toEqual([]);
    expect(await left(verdictOf(finding()), { findings: [finding({ ruleId: OTHER })] })).toEqual([]);
  });

  test('one whose rule can no longer decide stays', async () => {
    expect(await left(verdictOf(finding()), { silentUnknowns: [FIXABLE] })).toEqual([finding()]);
    expect(await left(verdictOf(finding()), { silentUnknowns: [OTHER] })).toEqual([]);
  });
});

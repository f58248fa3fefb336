/** Assertions on what came of a tool's writes. */
import assert from 'node:assert/strict';
import type { Outcome } from '../harness/index.ts';
import type { Step, Written } from './writers.ts';

/** The program ended with code 0. */
export function passes(outcome: Outcome): void {
  assert.equal(outcome.code, 0, outcome.stderr);
}

/** The program failed, and what it printed matches each pattern: the rule, and what to do. */
export function refuses(outcome: Outcome, ...patterns: readonly RegExp[]): void {
  const printed = `${outcome.stdout}\n${outcome.stderr}`;
  assert.notEqual(outcome.code, 0, printed);
  for (const pattern of patterns) assert.match(printed, pattern);
}

/** Every write passed. */
export function allPass({ steps }: Written): void {
  assert.ok(steps.length > 0);
  assert.deepEqual(
    steps.filter(({ ok }) => !ok),
    [],
  );
}

/** The last write was refused with 403, which no tool takes for a reason to delete and create. */
export function forbids({ steps }: Written, ...patterns: readonly RegExp[]): void {
  const last = steps.at(-1);
  assert.equal(last?.code, 403, JSON.stringify(steps));
  for (const pattern of patterns) assert.match(last?.message ?? '', pattern);
}

/** The last write was refused with 500: its webhook has `failurePolicy: Fail`, and nobody answered. */
export function isUnanswered({ steps }: Written): void {
  const last = steps.at(-1);
  assert.equal(last?.code, 500, JSON.stringify(steps));
  assert.match(last?.message ?? '', /failed calling webhook/);
}

/** The names of the steps. */
export function stepsOf({ steps }: Written): string[] {
  return steps.map(({ step }: Step) => step);
}

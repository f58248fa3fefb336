/** What the tools answered, asserted. */
import assert from 'node:assert/strict';
import type { Outcome } from '../harness/index.ts';
import type { Step, Written } from './writers.ts';

/** The program ended well. */
export function passes(outcome: Outcome): void {
  assert.equal(outcome.code, 0, outcome.stderr);
}

/** The program failed, and told its user which rule and what to do. */
export function refuses(outcome: Outcome, ...told: readonly RegExp[]): void {
  const said = `${outcome.stdout}\n${outcome.stderr}`;
  assert.notEqual(outcome.code, 0, said);
  for (const each of told) assert.match(said, each);
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
export function forbids({ steps }: Written, ...told: readonly RegExp[]): void {
  const last = steps.at(-1);
  assert.equal(last?.code, 403, JSON.stringify(steps));
  for (const each of told) assert.match(last?.message ?? '', each);
}

/** Nobody answered for a write under `failurePolicy: Fail`: the API server says so, and tools come again. */
export function findsNobody({ steps }: Written): void {
  const last = steps.at(-1);
  assert.equal(last?.code, 500, JSON.stringify(steps));
  assert.match(last?.message ?? '', /failed calling webhook/);
}

/** The names of the steps. */
export function stepsOf({ steps }: Written): string[] {
  return steps.map(({ step }: Step) => step);
}

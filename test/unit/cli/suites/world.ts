/** The fixtures of the rules as suites, and how to run them. */

import type { JsonObject } from '../../../../src/base/json.ts';
import { runTests, type Tested } from '../../../../src/cli/test/run.ts';
import { type Example, NOW } from '../../../support/examples.ts';

/** One fixture as a suite of one test; `more` for its configuration. */
export function suiteOf(fixture: Example, more: JsonObject = {}): JsonObject {
  const { file, operation, subresource, user, dryRun, now, state, old, object } = fixture;
  const test = {
    name: file,
    operation,
    ...(subresource && { subresource }),
    ...(dryRun && { dryRun }),
    ...(state && { state }),
    ...(old && { oldObject: old }),
    ...(object && operation !== 'DELETE' && { object }),
    // The mutating webhook would fix what some rules report.
    mutate: false,
    // Includes the rules that the webhook of a cluster leaves to scan.
    view: 'files',
    user: { name: user?.username ?? 'jane', groups: user?.groups ?? [] },
    expect: expectationOf(fixture),
  };
  const head = { apiVersion: 'muster/v1alpha1', kind: 'MusterTest', defaults: { now: now ?? NOW } };
  return { ...head, config: { ...fixture.config, ...more }, tests: [test] };
}

function expectationOf({ folder, ruleId, expect }: Example): JsonObject {
  if (folder === 'allow') return { verdict: 'allowed', warnings: { exclude: [ruleId] }, audits: { exclude: [ruleId] } };
  if (expect === 'denied') return { verdict: 'denied', rules: { include: [ruleId] } };
  return { ...expect, audits: { exclude: [ruleId] } };
}

/** Runs suites at the time of the fixtures. */
export function runAt(...paths: readonly string[]): Promise<Tested> {
  return runTests({ paths, now: Date.parse(NOW) });
}

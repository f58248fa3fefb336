/** The fixtures of the rules as suites, and how to run them. */
import type { JsonObject } from '../../../../src/base/json.ts';
import { runTests, type Tested } from '../../../../src/cli/suites/run.ts';
import { type Example, NOW } from '../../../support/examples.ts';
import { reviewOf } from '../../../support/writes.ts';

/** One fixture as a suite of one test; `more` for its configuration. */
export function suiteOf(fixture: Example, more: JsonObject = {}): JsonObject {
  const { file, now, state = [], old } = fixture;
  const test = {
    name: file,
    // The object that is changed or deleted is in the cluster, too.
    state: [...state, ...(old ? [old] : [])],
    // As given: the mutating webhook would fix what some rules report.
    check: reviewOf(withSystemGroups(fixture)),
    // Includes the rules that the webhook of a cluster leaves to scan.
    view: 'files',
    expect: expectationOf(fixture),
  };
  const head = { apiVersion: 'muster/v1alpha1', kind: 'MusterTest', defaults: { now: now ?? NOW } };
  return { ...head, config: { ...fixture.config, ...more }, tests: [test] };
}

/** The API server adds this group to everyone who has a name. */
export function withSystemGroups(fixture: Example): Example {
  const { username = 'jane', groups = [] } = fixture.user ?? {};
  return { ...fixture, user: { username, groups: [...groups, 'system:authenticated'] } };
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

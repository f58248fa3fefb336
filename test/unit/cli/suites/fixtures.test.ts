/**
 * The fixtures of all rules as suites: they pass, notice a changed configuration, and report what the server answers.
 */
import { expect, test } from '@jest/globals';
import { dialects } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { stateFromView } from '../../../../src/engine/evaluate.ts';
import { createEngine } from '../../../../src/engine/index.ts';
import { createRunView } from '../../../../src/input/view.ts';
import { policyFrom } from '../../../support/configuration.ts';
import { type Example, examples, NOW } from '../../../support/examples.ts';
import { newFolder } from '../../../support/folder.ts';
import { decideBytes } from '../../../support/reviews.ts';
import { reviewOf } from '../../../support/writes.ts';
import { runAt, suiteOf, withSystemGroups } from './rule-suites.ts';

/** A suite has no hub, where the ids of several clusters are reserved. */
const fixtures = examples.filter(({ hub }) => hub === undefined);

const folder = newFolder();

/** Puts a suite for each fixture into a folder of its own and runs it. */
async function run(name: string, given: readonly Example[], configuration: (fixture: Example) => JsonObject) {
  for (const [index, fixture] of given.entries()) {
    folder.put(`${name}/${index}.muster-test.json`, JSON.stringify(suiteOf(fixture, configuration(fixture)), null, 1));
  }
  const { report } = await runAt(`${folder.path}/${name}`);
  expect(report.errors).toEqual([]);
  expect(report.results).toHaveLength(given.length);
  return report;
}

test('every fixture passes', async () => {
  const { results } = await run('all', fixtures, () => ({}));
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
});

const refused = fixtures.filter(({ folder: of }) => of === 'deny');

test('a disabled rule is noticed by every test that expects a finding', async () => {
  expect(refused.length).toBeGreaterThan(50);
  const off = ({ config, ruleId }: Example) => ({ rules: { ...(config?.['rules'] as object), [ruleId]: 'ignore' } });
  const { summary, results } = await run('off', refused, off);
  expect(results.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name)).toEqual([]);
  expect(summary.failed).toBe(refused.length);
});

/** The answer of a server whose cluster holds the fixture's state, in the terms of a suite. */
async function answerOf(fixture: Example) {
  const now = Date.parse(fixture.now ?? NOW);
  const engine = createEngine({ policy: policyFrom(fixture.config, now), point: 'webhook', clock: () => now });
  const state = [...(fixture.state ?? []), ...(fixture.old ? [fixture.old] : [])];
  const options = { current: { engine }, clusterState: stateFromView(createRunView({ state, known: dialects })) };
  const bytes = Buffer.from(JSON.stringify(reviewOf(withSystemGroups(fixture))));
  const { response } = await decideBytes(options, bytes);
  const { status, warnings = [] } = response;
  const message = [...(status ? [status.message] : []), ...warnings].join('\n');
  return { verdict: response.allowed ? 'allowed' : 'denied', code: status?.code, message };
}

test.each(fixtures.map((fixture) => [fixture.file, fixture] as const))(
  '%s gets the same answer from the server',
  async (_, fixture) => {
    const suite = folder.put('a.muster-test.json', JSON.stringify(suiteOf(fixture)));
    const { report } = await runAt(suite);
    const got = report.results[0]?.got;
    expect({ verdict: got?.verdict, code: got?.code, message: got?.message }).toEqual(await answerOf(fixture));
  },
);

/** A suite says what the server answers: each fixture through the server's own door, and as a suite. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dialects } from '../../../src/api/dialects.ts';
import { createFilesView } from '../../../src/cluster/files/index.ts';
import { policyOf } from '../../../src/config/policy.ts';
import { clusterStateOf } from '../../../src/engine/evaluate.ts';
import { createEngine } from '../../../src/engine/index.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import { type Example, examples, NOW, reviewOf } from '../../rules/examples.ts';
import { decideBytes } from '../../server/decide.ts';
import { type Folder, newFolder } from '../world.ts';
import { runAt, suiteOf } from './world.ts';

let folder: Folder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

/** The answer of a server whose cluster holds the fixture's state, in the terms of a suite. */
async function answerOf(fixture: Example) {
  const now = Date.parse(fixture.now ?? NOW);
  const head = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration' };
  const { policy } = policyOf({ ...head, ...fixture.config }, ruleIds, now);
  const engine = createEngine({ ...(policy && { policy }), point: 'webhook', clock: () => now });
  const state = [...(fixture.state ?? []), ...(fixture.old ? [fixture.old] : [])];
  const options = { engine: () => engine, clusterState: clusterStateOf(createFilesView({ state, known: dialects })) };
  const bytes = Buffer.from(JSON.stringify(reviewOf(withSystemGroups(fixture))));
  const { response } = await decideBytes(options, bytes);
  const { status, warnings = [] } = response;
  const message = [...(status ? [status.message] : []), ...warnings].join('\n');
  return { verdict: response.allowed ? 'allowed' : 'denied', code: status?.code, message };
}

/** The API server adds this group to everyone who has a name; so does a suite. */
function withSystemGroups(fixture: Example): Example {
  const { username = 'jane', groups = [] } = fixture.user ?? {};
  return { ...fixture, user: { username, groups: [...groups, 'system:authenticated'] } };
}

test.each(examples.map((fixture) => [fixture.file, fixture] as const))('%s', async (_, fixture) => {
  const suite = folder.put('a.muster-test.json', JSON.stringify(suiteOf(fixture)));
  const { report } = await runAt(suite);
  const got = report.results[0]?.got;
  expect({ verdict: got?.verdict, code: got?.code, message: got?.message }).toEqual(await answerOf(fixture));
});

/**
 * docs/architecture.md lists the files that an identity write passes besides those of any request: this follows the
 * calls.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { createRecorder, mistakesOf } from '../../repository/architecture/called.ts';
import { SOURCE_MAIN } from '../../support/main.ts';
import { done, type Guarded, identityOf, startGuarded } from './harness/index.ts';

let guarded: Guarded;
const recorder = createRecorder();

beforeAll(async () => {
  guarded = await startGuarded({ muster: { env: recorder.env, main: SOURCE_MAIN } });
});
afterAll(() => guarded?.stop());

test('an identity write passes the listed files and holds a lock', async () => {
  const cluster = identityOf(clusterClaim, guarded.controlPlane.api('jane'));
  const during = (write: () => ReturnType<typeof cluster.join>) =>
    recorder.during(guarded.muster, async () => done(await write()));
  await during(() => cluster.createId('north-1'));
  await during(cluster.join);
  await during(cluster.leave);
  const called = await during(cluster.join);
  expect(mistakesOf('One identity write with its lock', called, 'One request')).toEqual([]);
});

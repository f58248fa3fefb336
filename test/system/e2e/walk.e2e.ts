/** docs/architecture.md lists the files that an identity write passes besides those of any request: this follows the calls. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { createRecorder, mistakesOf } from '../../repository/architecture/called.ts';
import {
  type ControlPlane,
  done,
  grantAccess,
  identityOf,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from './harness/index.ts';

let controlPlane: ControlPlane;
let muster: Muster;
const recorder = createRecorder();

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  muster = await startMuster({ controlPlane, env: recorder.env });
  await register(controlPlane, muster);
});
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
  recorder.remove();
});

test('an identity write passes the listed files and holds a lock', async () => {
  const cluster = identityOf(clusterClaim, controlPlane.api('jane'));
  const during = (write: () => ReturnType<typeof cluster.join>) =>
    recorder.during(muster, async () => done(await write()));
  await during(() => cluster.createId('north-1'));
  await during(cluster.join);
  await during(cluster.leave);
  const called = await during(cluster.join);
  expect(mistakesOf('One identity write with its lock', called, 'One request')).toEqual([]);
});

/**
 * Rival joins before real API servers, and which writes ask the hub. What is killed and restored is a row of the fault
 * matrix.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newerProperty } from '../../support/objects.ts';
import { done } from './harness/index.ts';
import { type Fleet, startFleet } from './registrar/fleet.ts';

/** Two rivals each. */
const JOINS = Number(process.env['REGISTRAR_JOINS'] ?? 200);
const PROPERTIES = '/apis/about.k8s.io/v1/clusterproperties';

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(async () => {
  await fleet?.stop();
});

const both = () => [fleet.identity('east'), fleet.identity('west')] as const;
test('of two clusters that join with one id at the same moment, one becomes a member', async () => {
  const [east, west] = both();
  const statuses: string[] = [];
  for (let round = 0; round < JOINS; round += 1) {
    for (const cluster of [east, west]) done(await cluster.createId(`rival-${round}`));
    const answers = await Promise.all([east.join(), west.join()]);
    const members = await Promise.all([east, west].map(async (cluster) => (await cluster.membership()).status === 200));
    expect(members.filter(Boolean)).toHaveLength(1);
    statuses.push(answers.map(({ status }) => status).join());
    for (const [index, cluster] of [east, west].entries()) {
      if (members[index]) done(await cluster.leave());
      done(await cluster.deleteId());
    }
  }
  expect(new Set(statuses).size).toBeLessThanOrEqual(2);
  expect(statuses.every((pair) => pair === '201,403' || pair === '403,201')).toBe(true);
});

test('writes that are no joins make no call to the hub, as the hub counts', async () => {
  const api = fleet.east.controlPlane.api('jane');
  const [east] = both();
  done(await east.createId('quiet'));
  done(await east.join());
  // Every join begins with a creation. A round of the loop lists, and creates only what is missing.
  const joins = () => fleet.requestsOf('east').filter((request) => /^(create|get) /.test(request)).length;
  const before = joins();
  expect(before).toBeGreaterThanOrEqual(JOINS);
  for (let index = 0; index < 20; index += 1) {
    done(await api.call('POST', PROPERTIES, newerProperty(`other-${index}.example.com`, 'a')));
    done(await api.call('PATCH', `${PROPERTIES}/other-${index}.example.com`, { spec: { value: 'b' } }));
    done(await api.call('DELETE', `${PROPERTIES}/other-${index}.example.com`));
  }
  expect((await east.changeId('other')).status).toBe(403);
  const dryRun = await api.call('DELETE', `${PROPERTIES}/clusterset.k8s.io?dryRun=All`);
  done(dryRun);
  done(await east.leave());
  done(await east.deleteId());
  expect(joins()).toBe(before);
});

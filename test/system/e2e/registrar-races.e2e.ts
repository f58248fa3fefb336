/**
 * Rival joins before real API servers, what a reservation adds to a join, and which writes ask the hub. What is killed
 * and restored is a row of the fault matrix.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterProperty } from '../../../src/api/dialects.ts';
import { median } from '../../support/figures.ts';
import { newerProperty } from '../../support/objects.ts';
import { done, type Guarded, identityOf, say, startGuarded } from './harness/index.ts';
import { type Fleet, startFleet } from './registrar/fleet.ts';

/** Two rivals each. */
const JOINS = Number(process.env['REGISTRAR_JOINS'] ?? 200);
const PROPERTIES = '/apis/about.k8s.io/v1/clusterproperties';

let fleet: Fleet;
/** A cluster whose muster has no registrar. */
let alone: Guarded;

beforeAll(async () => {
  [fleet, alone] = await Promise.all([startFleet(), startGuarded()]);
});
afterAll(async () => {
  await Promise.all([fleet?.stop(), alone?.stop()]);
});

const both = () => [fleet.identity('east'), fleet.identity('west')] as const;
const timed = async <T>(act: () => Promise<T>) => {
  const begun = performance.now();
  const answer = await act();
  return { answer, took: performance.now() - begun };
};

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

test('what a reservation adds to a join', async () => {
  const lone = identityOf(clusterProperty, alone.controlPlane.api('jane'));
  const [east] = both();
  const joins = { lone: [] as number[], east: [] as number[] };
  for (let round = 0; round < 50; round += 1) {
    for (const [name, cluster] of [
      ['lone', lone],
      ['east', east],
    ] as const) {
      done(await cluster.createId(`timed-${round}`));
      const { answer, took } = await timed(cluster.join);
      done(answer);
      joins[name].push(took);
      done(await cluster.leave());
      done(await cluster.deleteId());
    }
  }
  const [without, withHub] = [median(joins.lone), median(joins.east)];
  say(`a join takes ${without.toFixed(1)} ms (p50), with a registrar ${withHub.toFixed(1)} ms`);
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

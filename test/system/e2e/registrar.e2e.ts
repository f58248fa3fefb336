/**
 * A hub and two members on real API servers, as an operator sets them up: rival joins, which writes ask the hub, the
 * printed recipe as it stands, and the way out that a denial names. What is killed and restored is a row of the fault
 * matrix; the rights at the hub and the other commands are in test/unit/cli.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newerProperty } from '../../support/objects.ts';
import { done, runMuster, succeeded, until } from './harness/index.ts';
import { type Fleet, NAMESPACE, startFleet } from './registrar/fleet.ts';

/** Two rivals each. */
const JOINS = Number(process.env['REGISTRAR_JOINS'] ?? 40);
const PROPERTIES = '/apis/about.k8s.io/v1/clusterproperties';
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.stop());

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
  // A reservation without a membership stays for two minutes: what follows begins without any.
  done(await fleet.hub.api('admin').call('DELETE', LEASES));
});

test('an id is reserved by the join and confirmed soon; a rival is denied, and its way out works', async () => {
  const east = fleet.identity('east');
  const west = fleet.identity('west');
  done(await east.createId('one'));
  done(await east.join());
  done(await west.createId('one'));
  const denied = await west.join();
  expect(denied.status).toBe(403);
  const holder = await fleet.uidOf('east');
  const { message } = denied.body;
  expect(message).toContain(`[claim/id-reserved] spec.value: the id "one" of the ClusterSet`);
  expect(message).toContain(holder);
  await until('a confirmed reservation', async () => (await fleet.listed())[0]?.confirmed === true);
  expect(await fleet.listed()).toEqual([expect.objectContaining({ id: 'one', holder, confirmed: true })]);

  const [, command = ''] = /muster registrar (release .*) --config FILE/.exec(message) ?? [];
  await succeeded(fleet.registrar('east', ...command.split(' ')));
  done(await west.join());
  await until('the id of the other', async () => (await fleet.listed())[0]?.holder === (await fleet.uidOf('west')));

  // The first is still a member, since nobody asked it: it finds the conflict.
  const first = fleet.east;
  await until('a conflict', async () => /conflicts_total [1-9]/.test(await first.muster.metrics()));
  const { stdout } = await first.controlPlane.kubectl('admin', ['get', 'events', '-n', 'default', '-o', 'json']);
  const events = JSON.parse(stdout).items.filter(({ reason }: { reason: string }) => reason === 'IdReserved');
  expect(events).toMatchObject([{ involvedObject: { kind: 'ClusterProperty', name: 'clusterset.k8s.io' } }]);
});

test('doctor finds the hub in order', async () => {
  const { controlPlane } = fleet.east;
  const { config } = fleet.musterOptions('east');
  const flags = ['--config', config, '--kubeconfig', controlPlane.kubeconfig('admin'), '-o', 'json'];
  const { stdout } = await runMuster(['doctor', ...flags]);
  const checks: { id: string; status: string }[] = JSON.parse(stdout).checks;
  const statusOf = (id: string) => checks.find((check) => check.id === id)?.status;
  const ids = ['registrar/reachable', 'registrar/rights', 'registrar/clock', 'permission/needed'];
  expect(ids.map((id) => [id, statusOf(id)])).toEqual(ids.map((id) => [id, 'ok']));
});

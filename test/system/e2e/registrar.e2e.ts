/**
 * A hub and two members on real API servers, as an operator sets them up: rival joins, which writes ask the hub, the
 * printed recipe as it stands, the least rights at the hub, and the ways out that a denial names. What is killed and
 * restored is a row of the fault matrix.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newerProperty } from '../../support/objects.ts';
import { createApi, done, runMuster, succeeded, until } from './harness/index.ts';
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

test('a member has the right to the Leases of the namespace, and to nothing else at the hub', async () => {
  const [, token] = /token: (\S+)/.exec(readFileSync(fleet.hubKubeconfig('east'), 'utf8')) ?? [];
  const api = createApi(fleet.hub.url, readFileSync(fleet.hub.caFile, 'utf8'), token);
  const core = `/api/v1/namespaces/${NAMESPACE}`;
  for (const [method, path] of [
    ['GET', `${core}/secrets`],
    ['GET', `${core}/serviceaccounts`],
    ['POST', `${core}/serviceaccounts/west/token`],
    ['GET', core],
    ['GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'],
    ['GET', '/apis/coordination.k8s.io/v1/leases'],
    ['POST', `${core}/configmaps`],
    ['POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/rolebindings`],
  ] as const) {
    const { status } = await api.call(method, path, method === 'POST' ? {} : undefined);
    expect([method, path, status]).toEqual([method, path, 403]);
  }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const { body } = await api.call('POST', path, { spec: { namespace: NAMESPACE } });
  api.close();
  const rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[] = body.status.resourceRules;
  // Every account may ask what it may do.
  const others = rules.filter(({ apiGroups }) => !/^auth(entic|oriz)ation\.k8s\.io$/.test(apiGroups.join()));
  const verbs = ['get', 'list', 'create', 'update', 'delete'];
  expect(others).toEqual([{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs }]);
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

test('takeover gives the id to this cluster, in the place of the named one', async () => {
  const identity = ['one', '--cluster-set', 'fleet'];
  const of = await fleet.uidOf('west');
  const mistaken = await fleet.registrar('east', 'takeover', ...identity, '--holder', await fleet.uidOf('east'));
  expect(mistaken).toMatchObject({ code: 1, stderr: expect.stringContaining(`${of} holds id "one"`) });
  await succeeded(fleet.registrar('east', 'takeover', ...identity, '--holder', of));
  await succeeded(fleet.registrar('east', 'sync'));
  expect(await fleet.listed()).toEqual([
    expect.objectContaining({ holder: await fleet.uidOf('east'), confirmed: true }),
  ]);
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

test('a member leaves while its muster is away: the next round releases the id, also without a server', async () => {
  const [east, west] = [fleet.identity('east'), fleet.identity('west')];
  done(await west.leave());
  await fleet.east.muster.kill();
  done(await east.leave());
  expect((await east.changeId('two')).status).toBe(500);
  const [reservation] = await fleet.listed();
  expect(reservation).toMatchObject({ id: 'one', holder: await fleet.uidOf('east') });
  expect((await west.join()).status).toBe(403);
  // Nobody waits here until the last renewal is 120 s ago.
  const { body } = await fleet.hub.api('admin').call('GET', LEASES);
  const renewTime = new Date(Date.now() - 121_000).toISOString().replace('Z', '000Z');
  for (const { metadata } of body.items)
    done(await fleet.hub.api('admin').call('PATCH', `${LEASES}/${metadata.name}`, { spec: { renewTime } }));
  const { stdout } = await succeeded(fleet.registrar('east', 'sync'));
  expect(stdout).toMatch(/released/);
  expect(await fleet.listed()).toEqual([]);
  done(await west.join());
});

/**
 * A hub and two members on real API servers, as an operator sets them up: the printed recipe as it stands, the least
 * rights at the hub, a rival join, and the ways out that its denial names.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApi, done, ensureAssets, runMuster, runProgram, succeeded, until } from './harness/index.ts';
import { type Fleet, NAMESPACE, startFleet } from './registrar/fleet.ts';

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.stop());

test('a member has the right to the Leases of the namespace, and to nothing else at the hub', async () => {
  const { kubectl } = await ensureAssets();
  const asMember = (args: readonly string[]) =>
    runProgram(kubectl, ['--kubeconfig', fleet.hubKubeconfig('east'), ...args], undefined, process.env);
  for (const args of [
    ['get', 'secrets', '-n', NAMESPACE],
    ['get', 'serviceaccounts', '-n', NAMESPACE],
    ['create', 'token', 'west', '-n', NAMESPACE],
    ['get', 'namespaces', NAMESPACE],
    ['get', 'leases', '-n', 'kube-system'],
    ['get', 'leases', '--all-namespaces'],
    ['create', 'configmap', 'x', '-n', NAMESPACE],
    ['create', 'rolebinding', 'x', '-n', NAMESPACE, '--clusterrole', 'admin', '--user', 'x'],
  ]) {
    const { code, stderr } = await asMember(args);
    expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 1, expect.stringMatching(/forbidden/i)]);
  }
  const [, token] = /token: (\S+)/.exec(readFileSync(fleet.hubKubeconfig('east'), 'utf8')) ?? [];
  const api = createApi(fleet.hub.url, readFileSync(fleet.hub.caFile, 'utf8'), token);
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
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
  const { body } = await fleet.hub.api('admin').call('GET', leases);
  const renewTime = new Date(Date.now() - 121_000).toISOString().replace('Z', '000Z');
  for (const { metadata } of body.items)
    done(await fleet.hub.api('admin').call('PATCH', `${leases}/${metadata.name}`, { spec: { renewTime } }));
  const { stdout } = await succeeded(fleet.registrar('east', 'sync'));
  expect(stdout).toMatch(/released/);
  expect(await fleet.listed()).toEqual([]);
  done(await west.join());
});

/**
 * The hub of the registrar is killed or restored from a backup, and muster is killed with a reservation in its hands:
 * never are two clusters members with one id, leaving never waits, and an id is free again after 120 s and one round.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterProperty } from '../../../src/api/dialects.ts';
import {
  done,
  freeLock,
  type Muster,
  register,
  type ServiceProxy,
  servingCertificates,
  startMuster,
  startProxy,
  succeeded,
  until,
} from '../e2e/harness/index.ts';
import { type Fleet, NAMESPACE, startFleet } from '../e2e/registrar/fleet.ts';
import { byForm, limitMs, record } from './figures.ts';

const ROW = 'registrar';
const ROUNDS = byForm(3, 20);
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
/** A reservation is released when it is so old. */
const RELEASE_MS = 120_000;
/** The longest time between two rounds, and one round on a busy machine. */
const ROUND_MS = 36_000 + limitMs(5000);

let fleet: Fleet;
let muster: Muster;
let proxy: ServiceProxy;
let certs: string;

beforeAll(async () => {
  fleet = await startFleet();
  const { controlPlane } = fleet.east;
  certs = await servingCertificates(join(controlPlane.folder, 'serving'));
  muster = await startEast();
  proxy = await startProxy({ targets: () => [muster] });
  await fleet.east.muster.stop();
  await register(controlPlane, muster, { timeoutSeconds: 'printed', url: proxy.url });
});
afterAll(async () => {
  await muster?.kill();
  await proxy?.close();
  await fleet?.stop();
});

const startEast = () => startMuster({ controlPlane: fleet.east.controlPlane, ...fleet.musterOptions('east'), certs });
const both = () => [fleet.identity('east'), fleet.identity('west')] as const;
async function areMembers(): Promise<number> {
  const answers = await Promise.all(both().map((cluster) => cluster.membership()));
  return answers.filter(({ status }) => status === 200).length;
}

/** Gives both clusters this id, in no ClusterSet, and a free lock: a join whose answer was lost holds it for 60 s. */
async function startWith(id: string) {
  for (const { controlPlane } of [fleet.east, fleet.west]) await freeLock(controlPlane, clusterProperty);
  for (const cluster of both()) {
    if ((await cluster.membership()).status === 200) done(await cluster.leave());
    done((await cluster.id()).status === 404 ? await cluster.createId(id) : await cluster.changeId(id));
  }
  return both();
}

async function reservationOf(id: string): Promise<string | undefined> {
  const { body } = await fleet.hub.api('admin').call('GET', LEASES);
  type Lease = { readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> } };
  const leases: readonly Lease[] = body.items;
  return leases.find(({ metadata }) => metadata.annotations?.['muster/cluster-id'] === id)?.metadata.name;
}

const untilReserved = (id: string) => until('a reservation', async () => (await reservationOf(id)) !== undefined);

test('the hub is killed between the review of a join and its storing', async () => {
  let left = 0;
  let refused = 0;
  let members = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const id = `away-${round}`;
    const [east, west] = await startWith(id);
    // The answer of the review waits in the proxy.
    proxy.hold();
    const joining = east.join();
    await untilReserved(id);
    await fleet.hub.stopApiServer('SIGKILL');
    proxy.release();
    await joining;
    const denied = await west.join();
    expect(denied.body.message).toContain('claim/id-reserved');
    refused += denied.status === 503 ? 1 : 0;
    members = Math.max(members, await areMembers());
    if ((await east.membership()).status === 200) left += (await east.leave()).status === 200 ? 1 : 0;
    else left += 1;
    await fleet.hub.startApiServer();
    members = Math.max(members, await areMembers());
  }
  const figure = `${ROUNDS} times: ${refused} joins of the rival refused with 503, at most ${members} of two was a member, and ${left} left while the hub was away`;
  record(
    ROW,
    'the hub is killed',
    figure,
    `a killed hub: ${refused} of ${ROUNDS} rivals refused, ${left} of ${ROUNDS} left`,
  );
  expect([refused, left]).toEqual([ROUNDS, ROUNDS]);
  expect(members).toBeLessThanOrEqual(1);
});

test('the hub is restored from a backup of before the join', async () => {
  let denied = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const id = `restored-${round}`;
    const [east, west] = await startWith(id);
    done(await east.join());
    done(await fleet.hub.api('admin').call('DELETE', `${LEASES}/${await reservationOf(id)}`));
    await succeeded(fleet.registrar('east', 'sync'));
    denied += (await west.join()).status === 403 ? 1 : 0;
  }
  const figure = `${ROUNDS} times: after a sync of the holder, the rival was denied ${denied} times`;
  record(ROW, 'the hub is restored', figure, `a restored hub, then sync: ${denied} of ${ROUNDS} rivals denied`);
  expect(denied).toBe(ROUNDS);
});

test('muster is killed with a reservation whose join is never stored', async () => {
  const [east, west] = await startWith('killed');
  const next = await startEast();
  proxy.hold();
  const joining = east.join();
  await untilReserved('killed');
  const since = performance.now();
  await muster.kill();
  muster = next;
  proxy.release();
  expect((await joining).status).toBe(500);
  expect((await west.join()).status).toBe(403);
  const name = await reservationOf('killed');
  const waited = await byForm(
    async () => {
      // The short form makes it old, and runs the round itself.
      const renewTime = new Date(Date.now() - RELEASE_MS - 1000).toISOString().replace('Z', '000Z');
      done(await fleet.hub.api('admin').call('PATCH', `${LEASES}/${name}`, { spec: { renewTime } }));
      await succeeded(fleet.registrar('east', 'sync'));
      return 0;
    },
    async () => {
      while ((await reservationOf('killed')) !== undefined && performance.now() - since < 2 * RELEASE_MS)
        await sleep(1000);
      return performance.now() - since;
    },
  )();
  done(await west.join());
  const seconds = `${(waited / 1000).toFixed(0)} s`;
  const what = waited === 0 ? 'by a round once it was 120 s old' : `${seconds} after it was made`;
  record(
    ROW,
    'muster is killed',
    `its reservation was released ${what}, and the rival joined`,
    `a killed muster: free ${what}`,
  );
  expect(waited).toBeLessThan(RELEASE_MS + ROUND_MS);
  expect(await areMembers()).toBe(1);
});

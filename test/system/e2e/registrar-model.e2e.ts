/**
 * Traces of the model of the registrar, held against a real API server: each call of the hub is made there in its turn,
 * by the client that muster has, and is answered as in the model. The faults that it finds, and its longest runs.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { type JsonObject, textAt } from '../../../src/base/json.ts';
import { type ApiClient, openCluster } from '../../../src/cluster/live/client.ts';
import { onlyClusterErrors } from '../../../src/cluster/live/errors.ts';
import { createHub, type Hub } from '../../../src/cluster/registrar/hub.ts';
import { newReservation, type Reservation, reservationIn } from '../../../src/cluster/registrar/reservation.ts';
import { newNamespace } from '../../support/objects.ts';
import type { Figures } from '../model/lock/figures.ts';
import { exploreForm } from '../model/registrar/explore.ts';
import { FAULTS } from '../model/registrar/faults.ts';
import { formOf, join, leave } from '../model/registrar/forms.ts';
import type { Step } from '../model/registrar/steps.ts';
import type { HubLease } from '../model/registrar/system-state.ts';
import { type ControlPlane, done, startControlPlane } from './harness/index.ts';

const NAMESPACE = 'cluster-ids';
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
/** In milliseconds, at second 0 of the model. */
const EPOCH = Date.parse('2026-01-01T00:00:00Z');

const figures: Figures = JSON.parse(readFileSync('test/system/model/registrar/figures.json', 'utf8'));

let plane: ControlPlane;
let client: ApiClient;
let hub: Hub;

beforeAll(async () => {
  plane = await startControlPlane({ crds: 'none' });
  await plane.apply(newNamespace(NAMESPACE));
  client = await openCluster({ kubeconfig: plane.kubeconfig('admin'), namespace: NAMESPACE });
  hub = createHub(client);
});
afterAll(async () => {
  client?.close();
  await plane?.stop();
});
beforeEach(async () => done(await plane.api('admin').call('DELETE', LEASES)));

type Asked = NonNullable<Step['asked']>;

/** Makes the calls of a trace, and returns the answers of the model and of the API server, side by side. */
async function replay(steps: readonly Step[]) {
  const [modeled, real]: [unknown[], unknown[]] = [[], []];
  // Versions and uids are other texts there: the same ones are equal.
  const tokens = new Map<string, string>();
  const tokensOf = new Map<string, string>();
  const learn = (token: string, text: string) => {
    tokens.set(token, text);
    tokensOf.set(text, token);
  };
  const bodyOf = ({ name, what, holder, unlabeled, renewed, confirmed, uid, version }: HubLease): JsonObject => {
    const [clusterSet = '', id = ''] = what.split('/');
    const identity = { apiGroup: clusterClaim.group, clusterSet, id };
    const lease = newReservation(identity, { holder, now: EPOCH + renewed * 1000, confirmed: confirmed === 1 });
    const known = {
      name,
      ...(unlabeled && { labels: {} }),
      ...(uid && { uid: tokens.get(uid), resourceVersion: tokens.get(version) }),
    };
    return { ...lease, metadata: { ...(lease['metadata'] as JsonObject), ...known } } as JsonObject;
  };
  const recordOf = ({ name, clusterSet, id, holder, renewed = 0, confirmed, lease }: Reservation) => {
    const { uid, resourceVersion } = lease['metadata'] as { uid: string; resourceVersion: string };
    const isLabeled = textAt(lease, ['metadata', 'labels', 'muster/holder']) === holder;
    const what = { name, what: `${clusterSet}/${id}`, holder, ...(!isLabeled && { unlabeled: 1 }) };
    const version = tokensOf.get(resourceVersion) ?? resourceVersion;
    return {
      ...what,
      renewed: (renewed - EPOCH) / 1000,
      ...(confirmed && { confirmed: 1 }),
      uid: tokensOf.get(uid) ?? uid,
      version,
    };
  };
  for (const { call, content } of steps.flatMap(({ asked }) => asked ?? [])) {
    const answer = await perform(call, bodyOf);
    if ('written' in content && 'reservation' in answer && 'what' in content.written) {
      const { uid, resourceVersion } = answer.reservation.lease['metadata'] as { uid: string; resourceVersion: string };
      learn(content.written.uid, uid);
      learn(content.written.version, resourceVersion);
    }
    modeled.push([call.kind, 'leases' in content ? { leases: byName(content.leases) } : content]);
    real.push([call.kind, contentOf(answer, recordOf)]);
  }
  return { modeled, real };
}

type Result = Awaited<ReturnType<Hub['get' | 'list' | 'create' | 'update' | 'delete']>>;

async function perform(
  { kind, name = '', holder, lease, bare }: Asked['call'],
  bodyOf: (lease: HubLease) => JsonObject,
) {
  const deadline = { at: Date.now() + 30_000, signal: new AbortController().signal };
  if (kind === 'hub-list') return holder === undefined ? hub.list(deadline) : hub.listOf(holder, true, deadline);
  if (kind === 'hub-get') return hub.get(name, deadline);
  if (lease === undefined) throw new Error(`${kind} without a Lease`);
  const body = bodyOf(lease);
  if (kind === 'hub-create') return hub.create(body, deadline);
  if (kind === 'hub-update') return hub.update(body, deadline);
  if (!bare) return hub.delete(reservationIn(body) as Reservation, deadline);
  // As the code of a fault does it.
  const found = await client.call({ method: 'DELETE', path: `${LEASES}/${name}` }).catch(onlyClusterErrors);
  return { kind: found instanceof Error ? 'absent' : 'deleted' } as const;
}

function contentOf(answer: Result, recordOf: (reservation: Reservation) => object): unknown {
  if (answer.kind === 'listed') return { leases: byName(answer.reservations.map(recordOf) as HubLease[]) };
  if (answer.kind === 'found') return { lease: recordOf(answer.reservation) };
  if (answer.kind === 'written') return { written: recordOf(answer.reservation) };
  if (answer.kind === 'conflict') return { conflict: 1 };
  if (answer.kind === 'absent') return { lease: null };
  return answer.kind === 'deleted' ? { done: 1 } : answer;
}

function byName(leases: readonly HubLease[]): readonly HubLease[] {
  return leases.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

test.each(FAULTS.map((fault) => [fault.name, fault] as const))('fault: %s', async (name, { form, edits, breaks }) => {
  const { result, trace, follow } = await exploreForm(form, edits);
  expect([result.violation?.invariant, trace.length]).toEqual([
    breaks,
    figures.faults.find((fault) => fault.name === name)?.steps,
  ]);
  const { modeled, real } = await replay(await follow(result.violation?.index ?? -1));
  expect(real).toEqual(modeled);
});

/** Small ones, whose longest runs list, read, create, renew and delete, and meet conflicts. */
const RUNS = [
  formOf({
    name: '2 members: one joins beside a round, the other follows',
    members: [{ todo: [join] }, { todo: [join], rounds: 0 }],
    parallel: 2,
    clock: [0, 125],
  }),
  formOf({
    name: '1 member joins twice beside a round',
    members: [{ todo: [join, join] }],
    parallel: 2,
    clock: [0, 125],
  }),
  formOf({
    name: '2 members: one joins and leaves, the other joins',
    members: [{ todo: [join, leave] }, { todo: [join] }],
    clock: [0, 125],
  }),
];

test.each(RUNS.map((form) => [form.name, form] as const))('longest runs: %s', async (_, form) => {
  const { result, follow } = await exploreForm(form, []);
  expect(result.violation).toBe(undefined);
  for (const index of result.farthest) {
    done(await plane.api('admin').call('DELETE', LEASES));
    const { modeled, real } = await replay(await follow(index));
    expect(real.length).toBeGreaterThan(0);
    expect(real).toEqual(modeled);
  }
});

/** One reservation at the hub: its form, and who gets it. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asObject, type JsonObject } from '../../../../src/base/json.ts';
import { leasesPath } from '../../../../src/cluster/live/api-paths.ts';
import { ClusterError, statusError } from '../../../../src/cluster/live/errors.ts';
import { createHub, HUB_CALL_MS } from '../../../../src/cluster/registrar/hub.ts';
import { reservationIn, reservationName } from '../../../../src/cluster/registrar/reservation.ts';
import { lookUp, release, reserve } from '../../../../src/cluster/registrar/reserve.ts';
import { createMemoryHub } from '../../../support/memory-hub.ts';
import { inFiveSeconds } from '../locks/replica.ts';

const EAST = { apiGroup: 'about.k8s.io', clusterSet: 'fleet', id: 'east' };
const THEN = Date.parse('2026-01-01T00:00:00Z');
const NOW = Date.parse('2026-01-01T01:00:00Z');
const member = (holder: string) => ({ holder, now: () => NOW });
const soon = inFiveSeconds;

describe('the Lease', () => {
  test('is named by the digest of group, ClusterSet and id, and says what it stands for', async () => {
    const memory = createMemoryHub();
    await reserve(memory.hub, EAST, member('one'), soon());
    const digest = createHash('sha256').update('about.k8s.io/fleet/east').digest('hex');
    expect(memory.objects.get(`${leasesPath('ids')}/id-${digest.slice(0, 40)}`)).toMatchObject({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        annotations: {
          'muster/cluster-set': 'fleet',
          'muster/cluster-id': 'east',
          'muster/api-group': 'about.k8s.io',
        },
      },
      spec: { holderIdentity: 'one', renewTime: '2026-01-01T01:00:00.000000Z' },
    });
    expect(memory.find(EAST)).toMatchObject({ confirmed: false, renewed: NOW, since: '2026-01-01T01:00:00.000000Z' });
  });

  test('of each group, ClusterSet and id is another one', () => {
    const others = [EAST, { ...EAST, apiGroup: 'x' }, { ...EAST, clusterSet: 'x' }, { ...EAST, id: 'x' }];
    expect(new Set(others.map(reservationName)).size).toBe(4);
  });

  test('is read whatever it holds; one of another name is none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (metadata, spec) => {
        const name = reservationName(EAST);
        const whole = { metadata: { ...(Object(metadata) as object), name }, spec } as unknown as JsonObject;
        expect(reservationIn(whole)?.name).toBe(name);
        expect(reservationIn({ metadata, spec } as JsonObject)).toBeUndefined();
      }),
    );
  });
});

describe('reserving', () => {
  test('takes one call where nobody has the id', async () => {
    const memory = createMemoryHub();
    expect(await reserve(memory.hub, EAST, member('one'), soon())).toEqual({ kind: 'made' });
    expect(memory.calls.map((call) => call.split(' ')[0])).toEqual(['POST']);
  });

  test('renews what this member has, under its version, and keeps since when', async () => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', THEN, (lease) => {
      const metadata = lease['metadata'] as { annotations: JsonObject };
      return {
        ...lease,
        metadata: { ...metadata, annotations: { ...metadata.annotations, 'muster/confirmed': 'true' } },
      };
    });
    expect(await reserve(memory.hub, EAST, member('one'), soon())).toEqual({ kind: 'renewed' });
    const since = '2026-01-01T00:00:00.000000Z';
    expect(memory.find(EAST)).toMatchObject({ holder: 'one', renewed: NOW, since, confirmed: false });
  });

  test('begins again where the Lease changes or goes meanwhile, and gives up at last', async () => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', THEN);
    memory.before = (_, { method }) => {
      if (method !== 'PUT') return;
      memory.before = () => {};
      memory.objects.clear();
    };
    expect(await reserve(memory.hub, EAST, member('one'), soon())).toEqual({ kind: 'made' });
    memory.before = (_, { method }) => void (method === 'PUT' && memory.put(EAST, 'one', THEN));
    expect(await reserve(memory.hub, EAST, member('one'), soon())).toMatchObject({ kind: 'unreachable' });
  });

  test('leaves a Lease of another as it is, whatever its time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('two', '', 'ONE'), fc.jsonValue(), async (holder, renewTime) => {
        const memory = createMemoryHub();
        memory.put(EAST, holder, THEN, (lease) => {
          return { ...lease, spec: { holderIdentity: holder, renewTime: renewTime as string } };
        });
        const before = structuredClone([...memory.objects]);
        expect(await reserve(memory.hub, EAST, member('one'), soon())).toMatchObject({ kind: 'held' });
        expect(await lookUp(memory.hub, EAST, member('one'), soon())).toMatchObject({ kind: 'held' });
        expect([...memory.objects]).toEqual(before);
      }),
    );
  });

  test('looking writes nothing', async () => {
    const memory = createMemoryHub();
    expect(await lookUp(memory.hub, EAST, member('one'), soon())).toEqual({ kind: 'free' });
    memory.put(EAST, 'one', THEN);
    expect(await lookUp(memory.hub, EAST, member('one'), soon())).toEqual({ kind: 'ours' });
    expect(memory.calls.map((call) => call.split(' ')[0])).toEqual(['GET', 'GET']);
  });
});

describe('a hub that is away', () => {
  const failure = (code: number, message?: string) => (request: { method: 'POST'; path: string }) =>
    statusError(code, { kind: 'Status', ...(message && { message }), details: { name: 'ids' } }, request);
  const refused = 'leases.coordination.k8s.io "id-0a" is forbidden:';
  test.each([
    ['no answer in time', () => new ClusterError('timeout', 'no answer'), /no answer/],
    ['401', failure(401), /renew/],
    [
      '403 for a right',
      failure(403, `${refused} User "a" cannot get`),
      /apply its Role in ids \(muster manifests --registrar\)/,
    ],
    ['403 for a quota', failure(403, `${refused} exceeded quota`), /can't be relied on: .* exceeded quota$/],
    ['404 of the namespace', failure(404), /has no namespace ids: apply its manifests/],
    ['429', failure(429), /429/],
    ['500', failure(500), /can't be relied on/],
    ['503', failure(503), /can't be relied on/],
  ])('%s', async (_, error, reason) => {
    const memory = createMemoryHub();
    memory.before = (_, request) => {
      throw error(request as never);
    };
    const expected = { kind: 'unreachable', reason: expect.stringMatching(reason) };
    expect(await reserve(memory.hub, EAST, member('one'), soon())).toMatchObject(expected);
    expect(await memory.hub.list({ ...soon(), signal: AbortSignal.abort() })).toMatchObject(expected);
  });

  test('each call ends soon, and no later than its request', async () => {
    const memory = createMemoryHub();
    const limits: number[] = [];
    memory.before = (_, { timeoutMs = 0 }) => void limits.push(timeoutMs);
    await reserve(memory.hub, EAST, member('one'), { ...soon(), at: Date.now() + 60_000 });
    await reserve(memory.hub, { ...EAST, id: 'b' }, member('one'), { ...soon(), at: Date.now() + 100 });
    expect(limits[0]).toBeLessThanOrEqual(HUB_CALL_MS);
    expect(limits[1]).toBeLessThanOrEqual(100);
  });
});

/** What a person does otherwise: cli/registrar/run.test.ts. */
test('a person is told where the Lease changed at this moment', async () => {
  const memory = createMemoryHub();
  memory.put(EAST, 'one', THEN);
  memory.before = (_, { method }) => void (method === 'DELETE' && memory.put(EAST, 'one', NOW));
  expect(await release(memory.hub, EAST, 'one', soon())).toEqual({ kind: 'changed' });
  expect(memory.find(EAST)?.renewed).toBe(NOW);
});

test('a list whose time is over is not asked for again', async () => {
  let calls = 0;
  const call = () => {
    calls++;
    throw new ClusterError('timeout', 'no answer in time');
  };
  const hub = createHub({ server: 'https://hub', namespace: 'ids', call, close: () => {} });
  expect(await hub.list({ ...soon(), at: Date.now() + 100 })).toMatchObject({ kind: 'unreachable' });
  expect(calls).toBe(1);
});

describe('the list of one holder', () => {
  const withLabel = (text: string) => (lease: JsonObject) => {
    const metadata = { ...asObject(lease['metadata']), annotations: { text } };
    return { ...lease, metadata };
  };

  test.each([true, false])('keeps nothing of the Leases of others (by label: %s)', async (byLabel) => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', THEN);
    const spec = { holderIdentity: 'x'.repeat(1_000_000) };
    for (let count = 0; count < 20; count++)
      memory.put({ ...EAST, id: `other-${count}` }, 'one', THEN, (lease) => ({ ...lease, spec }));
    const listed = await memory.hub.listOf('one', byLabel, soon());
    const own = expect.objectContaining({ id: 'east', holder: 'one' });
    expect(listed).toEqual({ kind: 'listed', reservations: [own] });
  });

  test('ends where its own take too much memory', async () => {
    const memory = createMemoryHub();
    for (let count = 0; count < 9; count++)
      memory.put({ ...EAST, id: `own-${count}` }, 'one', THEN, withLabel('x'.repeat(1_000_000)));
    const reason = expect.stringMatching(/can't be relied on: the Leases of this cluster have more than 8388608 char/);
    expect(await memory.hub.listOf('one', true, soon())).toEqual({ kind: 'unreachable', reason });
  });
});

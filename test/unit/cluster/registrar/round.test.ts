/** One round of a member: what it confirms, makes, releases and leaves alone. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clusterProperty } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { newReservation } from '../../../../src/cluster/registrar/reservation.ts';
import { runRound } from '../../../../src/cluster/registrar/round.ts';
import type { ClusterView } from '../../../../src/rules/rule.ts';
import { createMemoryHub, type MemoryHub } from '../../../support/memory-hub.ts';
import { inFiveSeconds } from '../locks/replica.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const SECOND = 1000;
const EAST = { apiGroup: clusterProperty.group, clusterSet: 'fleet', id: 'east' };
const [NEWER = '', OLDER = ''] = clusterProperty.claim.idNames;
const MEMBERSHIP = clusterProperty.claim.membershipName;

/** What is stored in the member, by the names of its ClusterProperties. */
type Claims = Readonly<Record<string, string>>;
const MEMBER: Claims = { [NEWER]: 'east', [MEMBERSHIP]: 'fleet' };

function viewOf(claims: Claims, onRead: (name: string) => void = () => {}): ClusterView {
  return {
    get({ dialect, name }) {
      onRead(name);
      const value = dialect.name === clusterProperty.name ? claims[name] : undefined;
      return { known: true, value: value === undefined ? undefined : { spec: { value } } };
    },
    list: () => ({ known: false, reason: 'not listed' }),
  };
}

const round = (
  memory: MemoryHub,
  claims: Claims | ClusterView,
  now = NOW,
  holderThen: RoundHolder = 'one',
  listsAll = false,
) => {
  const view = 'get' in claims && typeof claims.get === 'function' ? (claims as ClusterView) : viewOf(claims as Claims);
  const member = { holder: 'one', now: () => now };
  const holderNow = async () => holderThen;
  return runRound({ hub: memory.hub, newView: () => view, member, holderNow, listsAll }, inFiveSeconds());
};
type RoundHolder = Awaited<ReturnType<Parameters<typeof runRound>[0]['holderNow']>>;
/** A round that lists the reservations of all holders. */
const wholeRound = (memory: MemoryHub, claims: Claims, now = NOW) => round(memory, claims, now, 'one', true);
const NOTHING = { made: [], confirmed: [], released: [], waiting: [], conflicts: [], problems: [] };

describe('confirms', () => {
  test('the reservation that fits, and leaves its time', async () => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', NOW - 500 * SECOND);
    expect(await round(memory, MEMBER)).toMatchObject({ ...NOTHING, confirmed: [EAST] });
    expect(memory.find(EAST)).toMatchObject({ confirmed: true, renewed: NOW - 500 * SECOND });
    expect(await round(memory, MEMBER)).toMatchObject(NOTHING);
  });

  test('by making it where nobody has it, as for a membership from before the registrar', async () => {
    const memory = createMemoryHub();
    expect(await round(memory, MEMBER)).toMatchObject({ ...NOTHING, made: [EAST] });
    expect(memory.find(EAST)).toMatchObject({ holder: 'one', confirmed: true, renewed: NOW });
    expect(await round(memory, MEMBER)).toMatchObject(NOTHING);
  });

  test('one id that stands under both names once, and two that differ both', async () => {
    const memory = createMemoryHub();
    await round(memory, { ...MEMBER, [OLDER]: 'east' });
    expect(memory.objects.size).toBe(1);
    await round(memory, { ...MEMBER, [OLDER]: 'other' });
    expect(memory.find({ ...EAST, id: 'other' })?.holder).toBe('one');
  });

  test.each([
    ['no membership', { [NEWER]: 'east' }],
    ['no id', { [MEMBERSHIP]: 'fleet' }],
    ['an empty membership', { ...MEMBER, [MEMBERSHIP]: ' ' }],
    ['an empty id', { ...MEMBER, [NEWER]: '' }],
  ])('nothing for a cluster with %s', async (_, claims) => {
    const memory = createMemoryHub();
    expect(await round(memory, claims as Claims)).toMatchObject(NOTHING);
    expect(memory.objects.size).toBe(0);
  });
});

describe('changes nothing', () => {
  test.each<[string, RoundHolder, string]>([
    ['another cluster has come to the address', 'two', 'another cluster has come to its address'],
    ['the uid can not be read again', { kind: 'unreachable', reason: 'away' }, 'away'],
  ])('where %s since the claims were read', async (_, holder, reason) => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', NOW - 500 * SECOND);
    const before = structuredClone([...memory.objects]);
    const west = { [NEWER]: 'west', [MEMBERSHIP]: 'fleet' };
    const problems = [`the round ends without a change: ${reason}`];
    expect(await round(memory, west, NOW, holder)).toMatchObject({ ...NOTHING, problems });
    expect([...memory.objects]).toEqual(before);
  });
});

describe('by the label of the holder', () => {
  const withLabel = (labels: JsonObject) => (lease: JsonObject) => ({
    ...lease,
    metadata: { ...(lease['metadata'] as JsonObject), labels },
  });
  const labelOf = (memory: MemoryHub) => memory.find(EAST)?.lease['metadata'];

  test('reads none of another member', async () => {
    const memory = createMemoryHub();
    memory.put({ ...EAST, id: 'west' }, 'two', NOW);
    await round(memory, {});
    expect(memory.calls).toEqual([expect.stringContaining('labelSelector=muster%2Fholder%3Done')]);
  });

  test.each([
    ['no label, as those of a version before the label', {}],
    ['the label of a former holder', { 'muster/holder': 'two' }],
  ])('confirms an own one with %s, and sets the label', async (_, labels) => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', NOW - 500 * SECOND, withLabel({ ...labels, other: 'kept' }));
    expect(await round(memory, MEMBER)).toMatchObject({ ...NOTHING, confirmed: [EAST], unconfirmed: 0 });
    expect(labelOf(memory)).toMatchObject({ labels: { 'muster/holder': 'one', other: 'kept' } });
    expect(await round(memory, MEMBER)).toMatchObject(NOTHING);
  });

  test.each([
    ['no label', {}],
    ['the label of a former holder', { 'muster/holder': 'two' }],
  ])('does not find an old one with %s; a round that lists all releases it', async (_, labels) => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', NOW - 121 * SECOND, withLabel(labels));
    memory.put({ ...EAST, id: 'west' }, 'two', NOW - 500 * SECOND, withLabel({}));
    expect(await round(memory, {})).toMatchObject({ ...NOTHING, unconfirmed: 0 });
    expect((await wholeRound(memory, {})).released).toMatchObject([{ id: 'east' }]);
    expect(memory.objects.size).toBe(1);
  });

  test('of a young one, a round that lists all sets the label, so that a later round releases it', async () => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', NOW - 60 * SECOND, withLabel({ other: 'kept' }));
    expect((await wholeRound(memory, {})).waiting).toMatchObject([{ id: 'east' }]);
    expect(labelOf(memory)).toMatchObject({ labels: { 'muster/holder': 'one', other: 'kept' } });
    expect((await round(memory, {}, NOW + 120 * SECOND)).released).toEqual([]);
    expect((await round(memory, {}, NOW + 121 * SECOND)).released).toMatchObject([{ id: 'east' }]);
  });

  test('a round that lists all sets the label of a confirmed one, too', async () => {
    const memory = createMemoryHub();
    const confirmed = () => newReservation(EAST, { holder: 'one', now: NOW, confirmed: true });
    memory.put(EAST, 'one', NOW, () => withLabel({ other: 'kept' })(confirmed()));
    expect(await wholeRound(memory, MEMBER)).toMatchObject({ ...NOTHING, confirmed: [EAST], unconfirmed: 0 });
    expect(labelOf(memory)).toMatchObject({ labels: { 'muster/holder': 'one', other: 'kept' } });
    expect(await wholeRound(memory, MEMBER)).toMatchObject({ ...NOTHING, unlabeled: 0 });
  });

  test('leaves one of another holder that has the own label', async () => {
    const memory = createMemoryHub();
    memory.put(EAST, 'two', NOW - 500 * SECOND, withLabel({ 'muster/holder': 'one' }));
    expect(await round(memory, {})).toMatchObject({ ...NOTHING, unconfirmed: 0 });
    expect(memory.find(EAST)).toBeDefined();
  });

  test('counts a join after the list neither as unconfirmed nor as confirmed', async () => {
    const memory = createMemoryHub();
    const view = viewOf(MEMBER, () => void (memory.find(EAST) ?? memory.put(EAST, 'one', NOW)));
    expect(await round(memory, view)).toMatchObject({ ...NOTHING, confirmed: [EAST], unconfirmed: 0 });
  });
});

describe('finds a conflict', () => {
  test('where another has the id, and changes nothing', async () => {
    const memory = createMemoryHub();
    memory.put(EAST, 'two', NOW - 500 * SECOND);
    const before = structuredClone([...memory.objects]);
    const result = await round(memory, MEMBER);
    expect(result).toMatchObject({ ...NOTHING, conflicts: [{ identity: EAST, reservation: { holder: 'two' } }] });
    expect([...memory.objects]).toEqual(before);
  });

  test('where another makes it at this moment', async () => {
    const memory = createMemoryHub();
    memory.before = (_, { method }) => void (method === 'POST' && memory.put(EAST, 'two', NOW));
    expect(await round(memory, MEMBER)).toMatchObject({
      ...NOTHING,
      conflicts: [{ identity: EAST, reservation: { holder: 'two' } }],
    });
  });

  test('but none where another replica makes it at this moment', async () => {
    const memory = createMemoryHub();
    memory.before = (_, { method }) => void (method === 'POST' && memory.put(EAST, 'one', NOW));
    expect(await round(memory, MEMBER)).toMatchObject({ ...NOTHING, confirmed: [EAST] });
  });

  test('or says so where it is gone again', async () => {
    const memory = createMemoryHub();
    let path = '';
    memory.before = (_, { method }) => {
      if (method === 'POST') path = memory.put(EAST, 'two', NOW);
      else memory.objects.delete(path);
    };
    const problems = ['the reservation changes all the time; try again'];
    expect(await round(memory, MEMBER)).toMatchObject({ ...NOTHING, problems });
  });
});

describe('releases', () => {
  test.each([
    [121, true],
    [120, false],
    [0, false],
  ])('what was reserved %d s ago and fits nothing: %s', async (seconds, isReleased) => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', NOW - seconds * SECOND);
    const { released, waiting } = await round(memory, {});
    expect([released.length, waiting.length]).toEqual(isReleased ? [1, 0] : [0, 1]);
    expect(memory.objects.size).toBe(isReleased ? 0 : 1);
  });

  test.each([
    ['missing', undefined],
    ['malformed', 'yesterday'],
    ['in the future', '2036-01-01T00:00:00.000000Z'],
  ])('what has a time that is %s after 120 s more', async (_, renewTime) => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', NOW, (lease) => {
      const { renewTime: __, ...spec } = lease['spec'] as JsonObject & { renewTime: string };
      return { ...lease, spec: renewTime === undefined ? spec : { ...spec, renewTime } };
    });
    expect((await round(memory, {})).released).toEqual([]);
    expect((await round(memory, {}, NOW + 120 * SECOND)).released).toEqual([]);
    expect((await round(memory, {}, NOW + 121 * SECOND)).released).toHaveLength(1);
  });

  test('nothing where a claim can not be read', async () => {
    const memory = createMemoryHub();
    memory.put(EAST, 'one', NOW - 500 * SECOND);
    const unread: ClusterView = { ...viewOf({}), get: () => ({ known: false, reason: 'away' }) };
    expect((await round(memory, unread)).problems).toContain('away');
    expect(memory.objects.size).toBe(1);
  });
});

test('whatever is stored: Leases of others stay, what is in force stays, and a second round does nothing', async () => {
  const ids = fc.constantFrom('east', 'west', 'north');
  const lease = fc.record({
    id: ids,
    clusterSet: fc.constantFrom('fleet', 'other'),
    holder: fc.constantFrom('one', 'two'),
    age: fc.integer({ min: -100, max: 400 }),
  });
  const claims = fc.option(fc.record({ [NEWER]: ids, [MEMBERSHIP]: fc.constantFrom('fleet', 'other') }));
  await fc.assert(
    fc.asyncProperty(fc.array(lease, { maxLength: 6 }), claims, async (leases, stored) => {
      const memory = createMemoryHub();
      for (const { id, clusterSet, holder, age } of leases)
        memory.put({ ...EAST, id, clusterSet }, holder, NOW - age * SECOND);
      const others = () => [...memory.objects.values()].filter((one) => JSON.stringify(one).includes('"two"'));
      const before = structuredClone(others());
      const first = await round(memory, stored ?? {});
      expect(others()).toEqual(before);
      const inForce = stored && { ...EAST, id: stored[NEWER] ?? '', clusterSet: stored[MEMBERSHIP] ?? '' };
      if (inForce) expect(memory.find(inForce)).toBeDefined();
      for (const { renewed } of first.released) expect(renewed).toBeLessThan(NOW - 120 * SECOND);
      const after = structuredClone([...memory.objects]);
      await round(memory, stored ?? {});
      expect([...memory.objects]).toEqual(after);
    }),
  );
});

/** A write that joins reserves its id at the hub, and no other write calls the hub. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../../src/api/dialects.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { createLiveClusterState } from '../../../../src/cluster/live-cluster-state.ts';
import { createRegistrar } from '../../../../src/cluster/registrar/registrar.ts';
import { createEngine, defaultPolicy, type Policy } from '../../../../src/engine/index.ts';
import type { Action, RegistrarSettings, Subject } from '../../../../src/rules/rule.ts';
import { createMemoryCluster, type MemoryCluster } from '../../../support/memory-cluster.ts';
import { createMemoryHub, type MemoryHub } from '../../../support/memory-hub.ts';
import { inFiveSeconds, specOf } from '../locks/replica.ts';
import { change, creation, deletion, ID, MEMBERSHIP, type WriteOptions } from '../locks/writes.ts';

const EAST = { apiGroup: clusterClaim.group, clusterSet: 'fleet', id: 'east' };
const THEN = Date.parse('2026-01-01T00:00:00Z');
const RULE = 'claim/id-reserved';

interface Options {
  readonly policy?: Partial<Policy>;
  readonly actions?: Readonly<Record<string, Action>>;
  readonly whenUnreachable?: RegistrarSettings['whenUnreachable'];
  /** Default: an id. */
  readonly stored?: Readonly<Record<string, string>>;
}

interface World {
  readonly cluster: MemoryCluster;
  readonly memory: MemoryHub;
  readonly joins: string[];
  readonly outcomes: string[];
  evaluate(subject: Subject): Promise<readonly string[]>;
}

function worldOf({ policy, actions = {}, whenUnreachable = 'deny', stored = { [ID]: 'east' } }: Options = {}): World {
  const cluster = createMemoryCluster();
  for (const [name, value] of Object.entries(stored)) cluster.put(clusterClaim, name, value);
  const memory = createMemoryHub();
  const registrar = { kubeconfig: 'hub', namespace: 'ids', whenUnreachable };
  const engine = createEngine({
    policy: {
      ...defaultPolicy,
      settings: { ...defaultPolicy.settings, registrar },
      actions: new Map(Object.entries(actions).map(([id, webhook]) => [id, { webhook }])),
      ...policy,
    },
    point: 'webhook',
    live: true,
  });
  const joins: string[] = [];
  const outcomes: string[] = [];
  const opened = createRegistrar({
    hub: memory.hub,
    holder: async () => 'one',
    observer: { reservation: (outcome) => void outcomes.push(outcome) },
    onJoin: () => void joins.push('join'),
  });
  const state = createLiveClusterState({ client: cluster.client, pause: async () => {}, registrar: () => opened });
  return {
    cluster,
    memory,
    joins,
    outcomes,
    async evaluate(subject) {
      const { outcome, findings, indeterminate } = await state.evaluate(subject, engine, inFiveSeconds());
      const own = findings
        .filter(({ ruleId }) => ruleId === RULE)
        .map(({ action, message }) => `${action}: ${message}`);
      return [outcome, ...own, ...indeterminate.map(({ message }) => message)];
    },
  };
}

const join = (options?: WriteOptions) => creation(MEMBERSHIP, 'fleet', options);
const away = (memory: MemoryHub) => {
  memory.before = () => {
    throw new ClusterError('timeout', 'the hub did not answer');
  };
};
const mayChange = { 'claim/id-immutable-in-clusterset': 'warn', 'claim/clusterset-immutable': 'warn' } as const;
const member = { [ID]: 'east', [MEMBERSHIP]: 'fleet' };

describe('reserves', () => {
  test('a membership that is created while an id exists', async () => {
    const world = worldOf();
    expect(await world.evaluate(join())).toEqual(['allowed']);
    expect(world.memory.find(EAST)).toMatchObject({ holder: 'one', confirmed: false });
    expect(world.joins).toEqual(['join']);
    expect(world.outcomes).toEqual(['made']);
  });

  test('an id that is created while a member', async () => {
    const world = worldOf({ stored: { [MEMBERSHIP]: 'fleet' } });
    expect(await world.evaluate(creation(ID, 'east'))).toEqual(['allowed']);
    expect(world.memory.find(EAST)?.holder).toBe('one');
  });

  test.each([
    ['an id', ID, 'west', { ...EAST, id: 'west' }],
    ['a membership', MEMBERSHIP, 'other', { ...EAST, clusterSet: 'other' }],
  ])('%s that changes while a member, where the configuration lets that pass', async (_, name, value, expected) => {
    const world = worldOf({ stored: member, actions: mayChange });
    expect(await world.evaluate(change(world.cluster, name, value))).toEqual(['allowed']);
    expect(world.memory.find(expected)?.holder).toBe('one');
    const denied = worldOf({ stored: member, actions: mayChange });
    denied.memory.put(expected, 'two', THEN);
    const [outcome] = await denied.evaluate(change(denied.cluster, name, value));
    expect(outcome).toBe('denied');
  });

  test('after all other rules, and after the object is known not to exist', async () => {
    const world = worldOf({ stored: member });
    expect((await world.evaluate(creation(MEMBERSHIP, ' ')))[0]).toBe('denied');
    expect((await world.evaluate(join()))[0]).toBe('denied');
    expect((await world.evaluate(change(world.cluster, ID, 'west')))[0]).toBe('denied');
    expect(world.memory.calls).toEqual([]);
  });

  test('before the lock is acquired: no other write waits for the hub', async () => {
    const world = worldOf();
    const held: unknown[] = [];
    world.memory.before = () => void held.push(specOf(world.cluster.lease(clusterClaim))?.['holderIdentity']);
    await world.evaluate(join());
    expect(held).toEqual([undefined]);
    expect(specOf(world.cluster.lease(clusterClaim))?.['holderIdentity']).toBeDefined();
  });
});

describe('creating an id', () => {
  const lockOf = ({ cluster }: World) => specOf(cluster.lease(clusterClaim))?.['holderIdentity'];
  test('takes the local lock in or out of a ClusterSet', async () => {
    const world = worldOf({ stored: {} });
    expect(await world.evaluate(creation(ID, 'east'))).toEqual(['allowed']);
    expect(lockOf(world)).toBeDefined();
    expect(world.memory.calls).toEqual([]);
  });

  test('takes none where no registrar is configured, or the rule neither reserves nor asks', async () => {
    const policies = [
      { settings: defaultPolicy.settings },
      { actions: new Map([[RULE, { webhook: 'audit' as const }]]) },
    ];
    for (const policy of policies) {
      const world = worldOf({ stored: {}, policy });
      expect(await world.evaluate(creation(ID, 'east'))).toEqual(['allowed']);
      expect(lockOf(world)).toBeUndefined();
    }
  });
});

describe('denies what another holds', () => {
  test('with the way out', async () => {
    const world = worldOf();
    world.memory.put(EAST, 'two', THEN);
    expect(await world.evaluate(join())).toEqual([
      'denied',
      'deny: the id "east" of the ClusterSet "fleet" is reserved since 2026-01-01T00:00:00.000000Z by another cluster, ' +
        'whose kube-system namespace has the uid two, and is not confirmed as a member yet; choose another id, wait ' +
        'until the muster of that cluster gives it back, or, once that cluster is gone, run muster registrar release ' +
        'east --cluster-set fleet --api-group multicluster.x-k8s.io --holder two --config FILE',
    ]);
    expect(world.memory.find(EAST)?.holder).toBe('two');
    expect(specOf(world.cluster.lease(clusterClaim))?.['holderIdentity']).toBeUndefined();
    expect([world.joins, world.outcomes]).toEqual([[], ['denied']]);
  });

  test('on a dry run too, which reserves nothing', async () => {
    const world = worldOf();
    expect(await world.evaluate(join({ dryRun: true }))).toEqual(['allowed']);
    world.memory.put(EAST, 'two', THEN);
    expect((await world.evaluate(join({ dryRun: true })))[0]).toBe('denied');
    expect(world.memory.calls).toEqual(['GET', 'GET']);
    expect(world.joins).toEqual([]);
  });

  test.each([
    ['the rule', { actions: { [RULE]: 'warn' } }],
    ['the mode', { policy: { mode: 'warn' } }],
  ] as const)('with a warning where %s warns, and leaves the Lease alone', async (_, options) => {
    const world = worldOf(options);
    expect(await world.evaluate(join())).toEqual(['allowed']);
    expect(world.memory.find(EAST)?.holder).toBe('one');
    const other = worldOf(options);
    other.memory.put(EAST, 'two', THEN);
    expect(await other.evaluate(join())).toEqual(['allowed', expect.stringMatching(/^warn: the id "east"/)]);
    expect(other.memory.find(EAST)).toMatchObject({ holder: 'two', renewed: THEN });
  });

  test.each(['audit', 'ignore'] as const)('not with %s, which neither reserves nor asks', async (action) => {
    const world = worldOf({ actions: { [RULE]: action } });
    expect(await world.evaluate(join())).toEqual(['allowed']);
    expect([world.memory.calls, world.joins]).toEqual([[], []]);
  });

  test('not for exempt users', async () => {
    const world = worldOf({ policy: { exemptions: { ...defaultPolicy.exemptions, users: new Set(['jane']) } } });
    expect(await world.evaluate(join())).toEqual(['allowed']);
    expect(world.memory.calls).toEqual([]);
  });
});

describe('a hub that is away', () => {
  test('makes a join indeterminate, and leaves the lock free', async () => {
    const world = worldOf();
    away(world.memory);
    const [outcome, message] = await world.evaluate(join());
    expect([outcome, message]).toEqual(['indeterminate', expect.stringMatching(/can't be reserved .*; try again$/)]);
    expect(specOf(world.cluster.lease(clusterClaim))?.['holderIdentity']).toBeUndefined();
    expect(world.outcomes).toEqual(['unreachable']);
  });

  test('only warns where the configuration says so', async () => {
    const world = worldOf({ whenUnreachable: 'warn' });
    away(world.memory);
    expect(await world.evaluate(join())).toEqual(['allowed', expect.stringMatching(/^warn: .* is not reserved/)]);
    expect(world.joins).toEqual(['join']);
  });

  test.each([
    ['the rule', { actions: { [RULE]: 'warn' } }],
    ['the mode', { policy: { mode: 'warn' } }],
    ['the rule, and the configuration', { actions: { [RULE]: 'warn' }, whenUnreachable: 'warn' }],
  ] as const)('is silence, counted, where %s only warns', async (_, options) => {
    const world = worldOf(options);
    away(world.memory);
    expect(await world.evaluate(join())).toEqual(['allowed']);
    expect(world.outcomes).toEqual(['unreachable']);
  });

  test('keeps nobody from leaving, nor any other write', async () => {
    const world = worldOf({ stored: member });
    away(world.memory);
    const metadata = { ...(world.cluster.get(clusterClaim, ID)?.object ?? {}) };
    const writes = [
      deletion(world.cluster, MEMBERSHIP),
      change(world.cluster, ID, 'east', {}, metadata),
      change(world.cluster, MEMBERSHIP, 'fleet'),
      creation('custom.example.com', 'x'),
    ];
    for (const write of writes) expect(await world.evaluate(write)).toEqual(['allowed']);
    const others: readonly [Options, (world: World) => Subject][] = [
      [{}, ({ cluster }) => change(cluster, ID, 'west')],
      [{}, ({ cluster }) => deletion(cluster, ID)],
      [{ stored: {} }, () => join()],
      [{ stored: {} }, () => creation(ID, 'east')],
    ];
    for (const [options, write] of others) {
      const alone = worldOf(options);
      away(alone.memory);
      expect(await alone.evaluate(write(alone))).toEqual(['allowed']);
      expect(alone.memory.calls).toEqual([]);
    }
    expect(world.memory.calls).toEqual([]);
  });
});

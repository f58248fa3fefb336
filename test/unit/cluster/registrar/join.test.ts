/** A write that joins reserves its id at the hub, and no other write calls the hub. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../../src/api/dialects.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { createLiveClusterState } from '../../../../src/cluster/live-cluster-state.ts';
import { createRegistrar, identifyMember } from '../../../../src/cluster/registrar/registrar.ts';
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

interface Setup {
  readonly cluster: MemoryCluster;
  readonly memory: MemoryHub;
  readonly joins: string[];
  readonly outcomes: string[];
  evaluate(subject: Subject): Promise<readonly string[]>;
}

function createSetup({
  policy,
  actions = {},
  whenUnreachable = 'deny',
  stored = { [ID]: 'east' },
}: Options = {}): Setup {
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
    clock: Date.now,
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
    const setup = createSetup();
    expect(await setup.evaluate(join())).toEqual(['allowed']);
    expect(setup.memory.find(EAST)).toMatchObject({ holder: 'one', confirmed: false });
    expect(setup.joins).toEqual(['join']);
    expect(setup.outcomes).toEqual(['made']);
  });

  test('an id that is created while a member', async () => {
    const setup = createSetup({ stored: { [MEMBERSHIP]: 'fleet' } });
    expect(await setup.evaluate(creation(ID, 'east'))).toEqual(['allowed']);
    expect(setup.memory.find(EAST)?.holder).toBe('one');
  });

  test.each([
    ['an id', ID, 'west', { ...EAST, id: 'west' }],
    ['a membership', MEMBERSHIP, 'other', { ...EAST, clusterSet: 'other' }],
  ])('%s that changes while a member, where the configuration lets that pass', async (_, name, value, expected) => {
    const setup = createSetup({ stored: member, actions: mayChange });
    expect(await setup.evaluate(change(setup.cluster, name, value))).toEqual(['allowed']);
    expect(setup.memory.find(expected)?.holder).toBe('one');
    const denied = createSetup({ stored: member, actions: mayChange });
    denied.memory.put(expected, 'two', THEN);
    const [outcome] = await denied.evaluate(change(denied.cluster, name, value));
    expect(outcome).toBe('denied');
  });

  test('after all other rules, and after the object is known not to exist', async () => {
    const setup = createSetup({ stored: member });
    expect((await setup.evaluate(creation(MEMBERSHIP, ' ')))[0]).toBe('denied');
    expect((await setup.evaluate(join()))[0]).toBe('denied');
    expect((await setup.evaluate(change(setup.cluster, ID, 'west')))[0]).toBe('denied');
    expect(setup.memory.calls).toEqual([]);
  });

  test('before the lock is acquired: no other write waits for the hub', async () => {
    const setup = createSetup();
    const held: unknown[] = [];
    setup.memory.before = () => void held.push(specOf(setup.cluster.lease(clusterClaim))?.['holderIdentity']);
    await setup.evaluate(join());
    expect(held).toEqual([undefined]);
    expect(specOf(setup.cluster.lease(clusterClaim))?.['holderIdentity']).toBeDefined();
  });
});

describe('creating an id', () => {
  const lockOf = ({ cluster }: Setup) => specOf(cluster.lease(clusterClaim))?.['holderIdentity'];
  test('takes the local lock in or out of a ClusterSet', async () => {
    const setup = createSetup({ stored: {} });
    expect(await setup.evaluate(creation(ID, 'east'))).toEqual(['allowed']);
    expect(lockOf(setup)).toBeDefined();
    expect(setup.memory.calls).toEqual([]);
  });

  test('takes none where no registrar is configured, or the rule neither reserves nor asks', async () => {
    const policies = [
      { settings: defaultPolicy.settings },
      { actions: new Map([[RULE, { webhook: 'audit' as const }]]) },
    ];
    for (const policy of policies) {
      const setup = createSetup({ stored: {}, policy });
      expect(await setup.evaluate(creation(ID, 'east'))).toEqual(['allowed']);
      expect(lockOf(setup)).toBeUndefined();
    }
  });
});

describe('denies what another holds', () => {
  test('with the way out', async () => {
    const setup = createSetup();
    setup.memory.put(EAST, 'two', THEN);
    expect(await setup.evaluate(join())).toEqual([
      'denied',
      expect.stringMatching(/^deny: the id "east" of the ClusterSet "fleet" is reserved since 2026-01-01T00:00:00/),
    ]);
    expect(setup.memory.find(EAST)?.holder).toBe('two');
    expect(specOf(setup.cluster.lease(clusterClaim))?.['holderIdentity']).toBeUndefined();
    expect([setup.joins, setup.outcomes]).toEqual([[], ['denied']]);
  });

  test('on a dry run too, which reserves nothing', async () => {
    const setup = createSetup();
    expect(await setup.evaluate(join({ dryRun: true }))).toEqual(['allowed']);
    setup.memory.put(EAST, 'two', THEN);
    expect((await setup.evaluate(join({ dryRun: true })))[0]).toBe('denied');
    expect(setup.memory.calls.map((call) => call.split(' ')[0])).toEqual(['GET', 'GET']);
    expect(setup.joins).toEqual([]);
  });

  test.each([
    ['the rule', { actions: { [RULE]: 'warn' } }],
    ['the mode', { policy: { mode: 'warn' } }],
  ] as const)('with a warning where %s warns, and leaves the Lease alone', async (_, options) => {
    const setup = createSetup(options);
    expect(await setup.evaluate(join())).toEqual(['allowed']);
    expect(setup.memory.find(EAST)?.holder).toBe('one');
    const other = createSetup(options);
    other.memory.put(EAST, 'two', THEN);
    expect(await other.evaluate(join())).toEqual(['allowed', expect.stringMatching(/^warn: the id "east"/)]);
    expect(other.memory.find(EAST)).toMatchObject({ holder: 'two', renewed: THEN });
  });

  test.each(['audit', 'ignore'] as const)('not with %s, which neither reserves nor asks', async (action) => {
    const setup = createSetup({ actions: { [RULE]: action } });
    expect(await setup.evaluate(join())).toEqual(['allowed']);
    expect([setup.memory.calls, setup.joins]).toEqual([[], []]);
  });

  test('not for exempt users', async () => {
    const setup = createSetup({ policy: { exemptions: { ...defaultPolicy.exemptions, users: new Set(['jane']) } } });
    expect(await setup.evaluate(join())).toEqual(['allowed']);
    expect(setup.memory.calls).toEqual([]);
  });
});

describe('a hub that is away', () => {
  test('makes a join indeterminate, and leaves the lock free', async () => {
    const setup = createSetup();
    away(setup.memory);
    const [outcome, message] = await setup.evaluate(join());
    expect([outcome, message]).toEqual(['indeterminate', expect.stringMatching(/can't be reserved .*; try again$/)]);
    expect(specOf(setup.cluster.lease(clusterClaim))?.['holderIdentity']).toBeUndefined();
    expect(setup.outcomes).toEqual(['unreachable']);
  });

  test('only warns where the configuration says so', async () => {
    const setup = createSetup({ whenUnreachable: 'warn' });
    away(setup.memory);
    expect(await setup.evaluate(join())).toEqual(['allowed', expect.stringMatching(/^warn: .* is not reserved/)]);
    expect(setup.joins).toEqual(['join']);
  });

  test.each([
    ['the rule', { actions: { [RULE]: 'warn' } }],
    ['the mode', { policy: { mode: 'warn' } }],
    ['the rule, and the configuration', { actions: { [RULE]: 'warn' }, whenUnreachable: 'warn' }],
  ] as const)('is silence, counted, where %s only warns', async (_, options) => {
    const setup = createSetup(options);
    away(setup.memory);
    expect(await setup.evaluate(join())).toEqual(['allowed']);
    expect(setup.outcomes).toEqual(['unreachable']);
  });

  test('keeps nobody from leaving, nor any other write', async () => {
    const setup = createSetup({ stored: member });
    away(setup.memory);
    const metadata = { ...(setup.cluster.get(clusterClaim, ID)?.object ?? {}) };
    const writes = [
      deletion(setup.cluster, MEMBERSHIP),
      change(setup.cluster, ID, 'east', {}, metadata),
      change(setup.cluster, MEMBERSHIP, 'fleet'),
      creation('custom.example.com', 'x'),
    ];
    for (const write of writes) expect(await setup.evaluate(write)).toEqual(['allowed']);
    const others: readonly [Options, (setup: Setup) => Subject][] = [
      [{}, ({ cluster }) => change(cluster, ID, 'west')],
      [{}, ({ cluster }) => deletion(cluster, ID)],
      [{ stored: {} }, () => join()],
      [{ stored: {} }, () => creation(ID, 'east')],
    ];
    for (const [options, write] of others) {
      const alone = createSetup(options);
      away(alone.memory);
      expect(await alone.evaluate(write(alone))).toEqual(['allowed']);
      expect(alone.memory.calls).toEqual([]);
    }
    expect(setup.memory.calls).toEqual([]);
  });
});

test.each([
  [
    new ClusterError('forbidden', 'namespaces "kube-system" is forbidden: User "muster" cannot get', { status: 403 }),
    'muster may not get the namespace kube-system: apply its RBAC anew (muster manifests --config FILE)',
  ],
  [new ClusterError('timeout', 'no answer in time'), "the uid of kube-system can't be read: no answer in time"],
])('without the uid of this cluster the hub is not called, and the reason names the fix', async (error, reason) => {
  const memory = createMemoryHub();
  const registrar = createRegistrar({ hub: memory.hub, holder: () => Promise.reject(error), clock: Date.now });
  expect(await registrar.reserve(EAST, inFiveSeconds())).toEqual({ kind: 'unreachable', reason });
  expect(memory.calls).toEqual([]);
});

test('the uid of the cluster is read again after a failure that may be temporary', async () => {
  const metadata = { name: 'kube-system', uid: 'u', resourceVersion: '1' };
  let calls = 0;
  const { holder } = identifyMember({
    async call() {
      if (++calls === 1) throw new ClusterError('unavailable', 'it restarts', { status: 503 });
      return { body: { apiVersion: 'v1', kind: 'Namespace', metadata }, date: undefined };
    },
  });
  expect(await holder(inFiveSeconds())).toBe('u');
});

/** One look at a time: what a Lease holds, who may pass, who waits, and what is given back. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../../src/api/dialects.ts';
import { createLiveWorld } from '../../../src/cluster/live/cluster-state.ts';
import { ClusterError, type ClusterErrorCode } from '../../../src/cluster/live/errors.ts';
import { createLapseWatch } from '../../../src/cluster/locks/lock-state.ts';
import { createEngine, defaultPolicy, type Policy, type Subject, type Verdict } from '../../../src/engine/index.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { createMemoryCluster, failing, type MemoryCluster } from '../memory-cluster.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from './writes.ts';

interface Setting {
  readonly cluster: MemoryCluster;
  /** What became of the intents, in order. */
  readonly intents: string[];
  /** A clock of this replica's own, in milliseconds. */
  clock: number;
  judge(subject: Subject, over?: { at?: number; signal?: AbortSignal }): Promise<Verdict>;
}

function settingOf(policy: Partial<Policy> = {}, cluster: MemoryCluster = createMemoryCluster()): Setting {
  const engine = createEngine({ policy: { ...defaultPolicy, ...policy }, point: 'webhook', live: true });
  const intents: string[] = [];
  const setting: Setting = {
    cluster,
    intents,
    clock: 0,
    judge: async (subject, over = {}) =>
      world.evaluate(subject, engine, { at: Date.now() + 5000, signal: new AbortController().signal, ...over }),
  };
  const world = createLiveWorld({
    client: cluster.client,
    observer: { read: () => {}, intent: (outcome) => void intents.push(outcome) },
    lapses: createLapseWatch(() => setting.clock),
    pause: async () => {},
  });
  return setting;
}

const spec = (lease: JsonObject) => lease['spec'] as JsonObject | undefined;
const notes = (lease: JsonObject) => (lease['metadata'] as JsonObject)['annotations'];
const isFree = (cluster: MemoryCluster) => spec(cluster.lease(clusterClaim))?.['holderIdentity'] === undefined;
const codes = ({ findings }: Verdict) => findings.map(({ ruleId, code }) => `${ruleId} ${code}`);

function stored(): Setting {
  const setting = settingOf();
  setting.cluster.put(clusterClaim, ID, 'one');
  return setting;
}

describe('an intent', () => {
  test('is a digest, the write without its value, and the API server’s clock', async () => {
    const { cluster, judge } = stored();
    const { uid, resourceVersion } = cluster.get(clusterClaim, ID) ?? {};
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('allowed');
    const lease = cluster.lease(clusterClaim);
    const stamp = '2026-01-01T00:00:00.000000Z';
    expect(spec(lease)).toEqual({
      holderIdentity: expect.stringMatching(/^[0-9a-f]{64}$/),
      leaseDurationSeconds: 60,
      acquireTime: stamp,
      renewTime: stamp,
      leaseTransitions: 1,
    });
    expect(notes(lease)).toEqual({
      'intent.muster/operation': 'UPDATE',
      'intent.muster/object': ID,
      'intent.muster/uid': uid,
      'intent.muster/resource-version': resourceVersion,
      'intent.muster/attempt': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('leaves what others wrote on the Lease, and counts its holders', async () => {
    const { cluster, judge } = stored();
    cluster.setLease(clusterClaim, {
      metadata: { labels: { a: 'b' }, annotations: { theirs: 'stays', 'intent.muster/contested': 'true' } },
      spec: { leaseTransitions: 7 },
    });
    await judge(change(cluster, ID, 'two'));
    const lease = cluster.lease(clusterClaim);
    expect(lease['metadata']).toMatchObject({ labels: { a: 'b' }, annotations: { theirs: 'stays' } });
    expect(notes(lease)).not.toHaveProperty(['intent.muster/contested']);
    expect(spec(lease)).toMatchObject({ leaseTransitions: 8 });
  });

  test.each<[string, (cluster: MemoryCluster) => Subject, readonly string[]]>([
    ['joining', () => creation(MEMBERSHIP, 'fleet'), ['lease', 'membership', 'id', 'PUT']],
    ['a change', (cluster) => change(cluster, ID, 'two'), ['lease', 'membership', 'PUT']],
    ['a deletion', (cluster) => deletion(cluster, ID), ['lease', 'membership', 'PUT']],
  ])('%s takes few calls', async (_, write, expected) => {
    const { cluster, judge } = stored();
    expect((await judge(write(cluster))).outcome).toBe('allowed');
    const short = (call: string) =>
      call.startsWith('PUT') ? 'PUT' : call.includes('/leases/') ? 'lease' : call.endsWith(ID) ? 'id' : 'membership';
    expect(cluster.calls.map(short)).toEqual(expected);
  });

  test('is taken for an id that is made where it has two names: the other may be contradicted', async () => {
    const { cluster, judge } = settingOf();
    expect((await judge(creation(ID, 'one', { dialect: clusterProperty }))).outcome).toBe('allowed');
    expect(notes(cluster.lease(clusterProperty))).toMatchObject({ 'intent.muster/operation': 'CREATE' });
  });

  test('is in the Lease of the write’s own dialect', async () => {
    const { cluster, judge } = settingOf();
    await judge(creation(MEMBERSHIP, 'fleet', { dialect: ocmClusterClaim }));
    expect(spec(cluster.lease(ocmClusterClaim))).toBeDefined();
    expect(spec(cluster.lease(clusterClaim))).toBeUndefined();
    expect(spec(cluster.lease(clusterProperty))).toBeUndefined();
  });
});

describe('none is taken, and no call made for one', () => {
  const cases: [string, Partial<Policy>, (cluster: MemoryCluster) => Subject][] = [
    ['on dry run', {}, () => creation(MEMBERSHIP, 'fleet', { dryRun: true })],
    ['for other claims', {}, () => creation('zone.example.com', 'apac')],
    ['for an id that is made, where it has one name', {}, () => creation(ID, 'one')],
    ['for an id whose value stays', {}, (cluster) => change(cluster, ID, 'one')],
    [
      'for those who are exempt',
      { exemptions: { ...defaultPolicy.exemptions, users: new Set(['jane']) } },
      (cluster) => change(cluster, ID, 'two'),
    ],
    ['where nobody would be refused: mode', { mode: 'warn' }, (cluster) => change(cluster, ID, 'two')],
    [
      'where nobody would be refused: rules',
      {
        actions: new Map([
          ['claim/id-immutable-in-clusterset', { webhook: 'warn' as const }],
          ['claim/id-present-in-clusterset', { webhook: 'ignore' as const }],
          ['claim/clusterset-requires-id', { webhook: 'warn' as const }],
        ]),
      },
      (cluster) => change(cluster, ID, 'two'),
    ],
    ['for what is wrong by itself', {}, () => creation(MEMBERSHIP, '')],
  ];
  test.each(cases)('%s', async (_, policy, write) => {
    const { cluster, judge } = settingOf(policy);
    cluster.put(clusterClaim, ID, 'one');
    cluster.setLease(clusterClaim, undefined);
    await judge(write(cluster));
    expect(cluster.calls.filter((call) => call.includes('/leases/'))).toEqual([]);
  });

  test('but one of several guarding rules is enough', async () => {
    const { cluster, judge } = settingOf({
      actions: new Map([['claim/id-immutable-in-clusterset', { webhook: 'warn' as const }]]),
    });
    cluster.put(clusterClaim, ID, 'one');
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('allowed');
    expect(isFree(cluster)).toBe(false);
  });
});

describe('a rival', () => {
  const bob = { user: 'bob' };

  test('waits while the write may still be committed', async () => {
    const { cluster, judge, intents } = stored();
    await judge(change(cluster, ID, 'two'));
    const verdict = await judge(creation(MEMBERSHIP, 'fleet', bob));
    expect(verdict).toMatchObject({
      outcome: 'indeterminate',
      indeterminate: [
        {
          ruleId: 'claim/id-immutable-in-clusterset',
          level: 'MUST',
          field: 'spec.value',
          message: expect.stringMatching(
            /^cannot be decided now: another write .* \(UPDATE of id\.k8s\.io\) is under way; try again/,
          ),
        },
      ],
    });
    expect(intents).toEqual(['taken', 'held']);
  });

  test('passes once the change is committed', async () => {
    const { cluster, judge } = stored();
    await judge(change(cluster, ID, 'two'));
    cluster.put(clusterClaim, ID, 'two');
    expect((await judge(creation(MEMBERSHIP, 'fleet', bob))).outcome).toBe('allowed');
  });

  test('passes once it can’t be committed any more: another version, another object, or none', async () => {
    for (const settle of [
      (cluster: MemoryCluster) => void cluster.put(clusterClaim, ID, 'one'),
      (cluster: MemoryCluster) => void cluster.put(clusterClaim, ID, 'one', 'another-uid'),
      (cluster: MemoryCluster) => cluster.remove(clusterClaim, ID),
    ]) {
      const { cluster, judge } = stored();
      await judge(change(cluster, ID, 'two'));
      settle(cluster);
      expect((await judge(creation(MEMBERSHIP, 'fleet', bob))).outcome).toBe('allowed');
    }
  });

  test('of a join is refused for good once the join is there, and waits until then', async () => {
    const { cluster, judge } = stored();
    await judge(creation(MEMBERSHIP, 'fleet', { uid: 'joined' }));
    expect((await judge(change(cluster, ID, 'two', bob))).outcome).toBe('indeterminate');
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'joined');
    const refused = await judge(change(cluster, ID, 'two', bob));
    expect([refused.outcome, codes(refused)]).toEqual(['denied', ['claim/id-immutable-in-clusterset 403']]);
  });

  test('is not let by because the membership is there under another uid', async () => {
    const { cluster, judge } = settingOf();
    const dialect = clusterProperty;
    for (const name of dialect.claim.idNames) cluster.put(dialect, name, 'one');
    await judge(creation(MEMBERSHIP, 'fleet', { dialect, uid: 'on its way' }));
    cluster.put(dialect, MEMBERSHIP, 'fleet', 'another');
    // In order by itself, the newer id stays; but it would take the Lease from the one on its way.
    const verdict = await judge(deletion(cluster, ID, { dialect, ...bob }));
    expect(verdict.outcome).toBe('indeterminate');
  });

  test('passes after a minute by the API server’s clock', async () => {
    const { cluster, judge } = stored();
    await judge(creation(MEMBERSHIP, 'fleet'));
    cluster.now += 60_000;
    expect((await judge(change(cluster, ID, 'two', bob))).outcome).toBe('indeterminate');
    cluster.now += 1000;
    expect((await judge(change(cluster, ID, 'two', bob))).outcome).toBe('allowed');
  });

  test('who gets between look and take makes one look again', async () => {
    const { cluster, judge } = stored();
    let first = true;
    cluster.before = (call) => {
      if (!call.startsWith('PUT') || !first) return;
      first = false;
      cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
      cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    };
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('denied');
    expect(cluster.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1);
  });

  test('who always gets between ends in a 503', async () => {
    const { cluster, judge, intents } = stored();
    cluster.before = (call) => {
      if (call.startsWith('PUT')) cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
    };
    expect(await judge(change(cluster, ID, 'two'))).toMatchObject({ outcome: 'indeterminate' });
    expect(intents).toEqual(['held']);
    expect(cluster.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(5);
  });
});

describe('the same owner', () => {
  test('takes its own again: one user request calls several times', async () => {
    const { cluster, judge } = stored();
    for (let call = 0; call < 3; call++) expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('allowed');
    expect(spec(cluster.lease(clusterClaim))).toMatchObject({ leaseTransitions: 1 });
    expect((await judge(change(cluster, ID, 'three'))).outcome).toBe('indeterminate');
  });

  test('who was answered of an older version keeps the version that can be committed', async () => {
    const { cluster, judge } = stored();
    const older = cluster.get(clusterClaim, ID)?.object;
    const { resourceVersion } = cluster.put(clusterClaim, ID, 'one');
    await judge(change(cluster, ID, 'two'));
    await judge(change(cluster, ID, 'two', {}, older));
    expect(notes(cluster.lease(clusterClaim))).toMatchObject({ 'intent.muster/resource-version': resourceVersion });
    expect((await judge(creation(MEMBERSHIP, 'fleet', { user: 'bob' }))).outcome).toBe('indeterminate');
  });

  test('who creates twice is contested: that one of them is there settles nothing, leaving neither', async () => {
    const { cluster, judge } = stored();
    await judge(creation(MEMBERSHIP, 'fleet', { uid: 'first' }));
    await judge(creation(MEMBERSHIP, 'fleet', { uid: 'second' }));
    expect(notes(cluster.lease(clusterClaim))).toMatchObject({ 'intent.muster/contested': 'true' });
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'second');
    await judge(deletion(cluster, MEMBERSHIP));
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('indeterminate');
    cluster.now += 61_000;
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('allowed');
  });

  test('of two alike at once the second waits for a moment, and hears that the first is there', async () => {
    const { cluster, judge } = stored();
    await judge(creation(MEMBERSHIP, 'fleet', { uid: 'first' }));
    let looks = 0;
    cluster.before = (call) => {
      if (call.startsWith('GET') && call.includes('/leases/') && ++looks === 2) {
        cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'first');
      }
    };
    const second = await judge(creation(MEMBERSHIP, 'fleet', { uid: 'second' }));
    expect([second.outcome, codes(second)]).toEqual(['denied', ['claim/id-immutable-in-clusterset 409']]);
    expect(notes(cluster.lease(clusterClaim))).not.toHaveProperty(['intent.muster/contested']);
    await judge(deletion(cluster, MEMBERSHIP));
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect((await judge(change(cluster, ID, 'two', { user: 'bob' }))).outcome).toBe('allowed');
  });

  test('who creates what is there hears so, and blocks nobody', async () => {
    const { cluster, judge } = stored();
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    const verdict = await judge(creation(MEMBERSHIP, 'fleet'));
    expect([verdict.outcome, codes(verdict)]).toEqual(['denied', ['claim/id-immutable-in-clusterset 409']]);
    expect(isFree(cluster)).toBe(true);
  });

  test('a server-side apply that lost the race to create is asked to come again, as an update', async () => {
    const { cluster, judge } = stored();
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    const applied = withManagedFields(creation(MEMBERSHIP, 'fleet'), 'Apply');
    expect((await judge(applied)).outcome).toBe('indeterminate');
    expect((await judge(withManagedFields(creation(MEMBERSHIP, 'fleet'), 'Update'))).outcome).toBe('denied');
    expect(isFree(cluster)).toBe(true);
  });
});

test('a rule that breaks before the cluster is looked at, and not after, allows nothing without an intent', async () => {
  const cluster = createMemoryCluster();
  cluster.put(clusterClaim, ID, 'one');
  const whole = createEngine({ policy: defaultPolicy, point: 'webhook', live: true });
  let broken = true;
  const judge: typeof whole.evaluate = async (...args) => {
    const verdict = await whole.evaluate(...args);
    return broken ? { ...verdict, outcome: 'crashed' } : verdict;
  };
  const { evaluate: decide } = createLiveWorld({ client: cluster.client });
  cluster.before = () => {
    broken = false;
  };
  const patience = { at: Date.now() + 5000, signal: new AbortController().signal };
  const { outcome } = await decide(change(cluster, ID, 'two'), { ...whole, evaluate: judge }, patience);
  expect(outcome).toBe('allowed');
  expect(isFree(cluster)).toBe(false);
});

describe('leaving', () => {
  async function joined(): Promise<Setting> {
    const setting = stored();
    await setting.judge(creation(MEMBERSHIP, 'fleet', { uid: 'joined' }));
    setting.cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'joined');
    return setting;
  }

  test.each<[string, Partial<Policy>]>([
    ['settles the join', {}],
    ['by someone exempt too', { exemptions: { ...defaultPolicy.exemptions, users: new Set(['bob']) } }],
  ])('%s', async (_, policy) => {
    const { cluster } = await joined();
    const { judge, intents } = settingOf(policy, cluster);
    expect((await judge(deletion(cluster, MEMBERSHIP, { user: 'bob' }))).outcome).toBe('allowed');
    expect(intents).toEqual(['settled']);
    expect(isFree(cluster)).toBe(true);
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('allowed');
  });

  test('settles no other write, and no other join', async () => {
    const { cluster, judge, intents } = await joined();
    await judge(deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'another' } }));
    expect(isFree(cluster)).toBe(false);
    await judge(deletion(cluster, MEMBERSHIP, { dryRun: true }));
    expect(isFree(cluster)).toBe(false);
    expect(intents).toEqual(['taken']);
  });

  test('looks again when somebody was faster', async () => {
    const { cluster, judge, intents } = await joined();
    let first = true;
    cluster.before = (call) => {
      if (call.startsWith('PUT') && first) cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
      if (call.startsWith('PUT')) first = false;
    };
    await judge(deletion(cluster, MEMBERSHIP));
    expect(intents).toEqual(['taken', 'settled']);
  });

  test('is allowed though the Lease can’t be had; it is told', async () => {
    const { cluster, judge, intents } = await joined();
    cluster.before = failing('forbidden', (call) => call.startsWith('PUT'));
    expect((await judge(deletion(cluster, MEMBERSHIP))).outcome).toBe('allowed');
    cluster.setLease(clusterClaim, undefined);
    expect((await judge(deletion(cluster, MEMBERSHIP))).outcome).toBe('allowed');
    expect(intents).toEqual(['taken', 'stuck', 'stuck']);
  });

  test('waits for a slow Lease no longer than leaves time for the answer', async () => {
    const { cluster, judge } = await joined();
    const limits: number[] = [];
    cluster.before = (_, { timeoutMs = Number.POSITIVE_INFINITY }) => {
      limits.push(timeoutMs);
      throw new ClusterError('timeout', 'no answer');
    };
    expect((await judge(deletion(cluster, MEMBERSHIP), { at: Date.now() + 4500 })).outcome).toBe('allowed');
    expect(limits).toHaveLength(1);
    expect(limits[0]).toBeLessThanOrEqual(1000);
  });
});

describe('giving back', () => {
  test('an intent that came too late for its request', async () => {
    const { cluster, judge, intents } = stored();
    const gone = new AbortController();
    cluster.after = (call) => {
      if (call.startsWith('PUT')) gone.abort();
    };
    expect(await judge(change(cluster, ID, 'two'), { signal: gone.signal })).toMatchObject({
      outcome: 'indeterminate',
    });
    expect(isFree(cluster)).toBe(true);
    expect(intents).toEqual(['taken', 'given-back']);
  });

  test('one that nobody knows whether it was taken', async () => {
    const { cluster, judge, intents } = stored();
    let broken = true;
    cluster.after = (call) => {
      if (!call.startsWith('PUT') || !broken) return;
      broken = false;
      failing('unreachable', () => true)(call, { method: 'PUT', path: '' });
    };
    expect(await judge(change(cluster, ID, 'two'))).toMatchObject({ outcome: 'indeterminate' });
    expect(isFree(cluster)).toBe(true);
    expect(intents).toEqual(['failed', 'given-back']);
  });

  test('leaves one of the same owner in place, whose write may yet be committed', async () => {
    const { cluster, judge } = stored();
    await judge(change(cluster, ID, 'two'));
    const before = spec(cluster.lease(clusterClaim));
    cluster.now += 5000;
    await judge(change(cluster, ID, 'two'), { at: Date.now() - 1 });
    expect(spec(cluster.lease(clusterClaim))).toEqual(before);
    expect((await judge(creation(MEMBERSHIP, 'fleet', { user: 'bob' }))).outcome).toBe('indeterminate');
  });

  test('takes nothing from who has it since', async () => {
    const { cluster, judge, intents } = stored();
    const gone = new AbortController();
    let puts = 0;
    cluster.before = (call) => {
      if (call.startsWith('PUT') && ++puts === 2) cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
    };
    cluster.after = () => void (puts === 1 && gone.abort());
    await judge(change(cluster, ID, 'two'), { signal: gone.signal });
    expect(isFree(cluster)).toBe(false);
    expect(intents).toEqual(['taken']);
  });
});

describe('a Lease with anything in it', () => {
  const rubbish: [string, JsonObject][] = [
    [
      'a foreign holder',
      { metadata: {}, spec: { holderIdentity: 'somebody', renewTime: '2026-01-01T00:00:00.000000Z' } },
    ],
    [
      'a stamp in the future',
      { metadata: {}, spec: { holderIdentity: 'x', renewTime: '2096-01-01T00:00:00.000000Z' } },
    ],
    ['no stamp', { metadata: {}, spec: { holderIdentity: 'x' } }],
    ['a stamp that is none', { metadata: {}, spec: { holderIdentity: 'x', renewTime: 'yesterday' } }],
    ['a holder of another type', { metadata: {}, spec: { holderIdentity: { a: 1 }, leaseTransitions: 'many' } }],
    [
      'notes that say nothing',
      {
        metadata: {
          annotations: {
            'intent.muster/operation': 'EAT',
            'intent.muster/object': '../secrets',
            'intent.muster/uid': 'u',
          },
        },
        spec: { holderIdentity: 'x' },
      },
    ],
    [
      'notes of another object',
      {
        metadata: {
          annotations: {
            'intent.muster/operation': 'DELETE',
            'intent.muster/object': 'evil',
            'intent.muster/uid': 'u',
            'intent.muster/resource-version': '1',
          },
        },
        spec: { holderIdentity: 'x' },
      },
    ],
    [
      'an update of no version',
      {
        metadata: {
          annotations: { 'intent.muster/operation': 'UPDATE', 'intent.muster/object': ID, 'intent.muster/uid': 'u' },
        },
        spec: { holderIdentity: 'x' },
      },
    ],
  ];

  test.each(rubbish)('%s: held, until it was seen unchanged for a minute', async (_, lease) => {
    const setting = stored();
    const { cluster, judge } = setting;
    cluster.setLease(clusterClaim, lease);
    const write = () => judge(change(cluster, ID, 'two'));
    const verdict = await write();
    expect(verdict.outcome).toBe('indeterminate');
    expect(JSON.stringify(verdict)).not.toMatch(/evil|secrets|somebody/);
    setting.clock += 60_000;
    expect((await write()).outcome).toBe('indeterminate');
    setting.clock += 1;
    expect((await write()).outcome).toBe('allowed');
  });

  test('one that is kept alive is held for good', async () => {
    const setting = stored();
    const { cluster, judge } = setting;
    for (let second = 0; second < 300; second += 30) {
      setting.clock += 30_000;
      cluster.now += 30_000;
      const renewTime = new Date(cluster.now).toISOString();
      cluster.setLease(clusterClaim, { metadata: {}, spec: { holderIdentity: 'somebody', renewTime } });
      expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('indeterminate');
    }
  });

  test('null for spec and annotations, a count too large: free', async () => {
    const { cluster, judge } = stored();
    cluster.setLease(clusterClaim, { metadata: { annotations: null }, spec: null });
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('allowed');
    cluster.setLease(clusterClaim, { metadata: {}, spec: { holderIdentity: '', leaseTransitions: 2 ** 31 } });
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('allowed');
    expect(spec(cluster.lease(clusterClaim))).toMatchObject({ leaseTransitions: 1 });
  });
});

describe('without its Lease a write is not allowed, and hears what to mend', () => {
  const lease = 'the Lease muster-system/muster-cluster-claim';

  test('there is none', async () => {
    const { cluster, judge, intents } = stored();
    cluster.setLease(clusterClaim, undefined);
    const message = `cannot be decided now: ${lease} does not exist: apply muster's manifests, or name the namespace with --namespace`;
    expect(await judge(change(cluster, ID, 'two'))).toMatchObject({
      outcome: 'indeterminate',
      indeterminate: [{ message }],
    });
    expect(intents).toEqual(['failed']);
  });

  test.each<[string, ClusterErrorCode, RegExp]>([
    ['GET', 'forbidden', /muster may not get the Lease muster-system\/muster-cluster-claim: apply its RBAC/],
    ['PUT', 'forbidden', /muster may not update the Lease/],
    ['GET', 'unauthorized', /does not know muster's credentials, so the Lease/],
    ['PUT', 'unavailable', /can't be taken/],
    ['GET', 'timeout', /can't be taken/],
  ])('%s %s', async (method, code, message) => {
    const { cluster, judge } = stored();
    cluster.before = failing(code, (call) => call.startsWith(method) && call.includes('/leases/'));
    expect(await judge(change(cluster, ID, 'two'))).toMatchObject({
      outcome: 'indeterminate',
      indeterminate: [{ message: expect.stringMatching(message) }],
    });
  });

  test('what is certain stays certain', async () => {
    const { cluster, judge } = stored();
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    cluster.setLease(clusterClaim, undefined);
    expect((await judge(change(cluster, ID, 'two'))).outcome).toBe('denied');
    cluster.before = failing('unreachable', () => true);
    expect((await judge(change(cluster, ID, 'Not_A_Label'))).outcome).toBe('denied');
    expect((await judge(creation('zone.example.com', 'x'))).outcome).toBe('allowed');
  });
});

function withManagedFields(subject: Subject, operation: string): Subject {
  const metadata = {
    ...(subject.object['metadata'] as JsonObject),
    managedFields: [{ manager: 'kubectl', operation }],
  };
  return { ...subject, object: { ...subject.object, metadata } };
}

/** One identity write under its lock: what the Lease holds, who waits, and what releases it. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../../src/api/dialects.ts';
import { createLiveClusterState } from '../../../src/cluster/live/cluster-state.ts';
import type { ClusterErrorCode } from '../../../src/cluster/live/errors.ts';
import { createEngine, defaultPolicy, type Policy, type Subject, type Verdict } from '../../../src/engine/index.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { createMemoryCluster, failing, type MemoryCluster } from '../memory-cluster.ts';
import { annotationsOf, createReplica, inFiveSeconds, isFree, type Replica, specOf } from './replica.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from './writes.ts';

const BOB = { user: 'bob' };
const toTwo = ({ cluster }: Replica) => change(cluster, ID, 'two');
const joinOf = (uid: string, user = 'jane') => creation(MEMBERSHIP, 'fleet', { uid, user });
const codes = ({ outcome, findings }: Verdict) => [outcome, ...findings.map(({ ruleId, code }) => `${ruleId} ${code}`)];
const isPut = (call: string) => call.startsWith('PUT');

describe('the Lease of an allowed write', () => {
  test('holds a digest, the write without its value, and the API server’s time', async () => {
    const replica = createReplica();
    const { uid, resourceVersion } = replica.cluster.get(clusterClaim, ID) ?? {};
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    const lease = replica.cluster.lease(clusterClaim);
    const time = '2026-01-01T00:00:00.000000Z';
    expect(specOf(lease)).toEqual({
      holderIdentity: expect.stringMatching(/^[0-9a-f]{64}$/),
      leaseDurationSeconds: 60,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: 1,
    });
    expect(annotationsOf(lease)).toEqual({
      'lock.muster/operation': 'UPDATE',
      'lock.muster/object': ID,
      'lock.muster/uid': uid,
      'lock.muster/resource-version': resourceVersion,
      'lock.muster/attempt': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('keeps the metadata of others, and counts its holders', async () => {
    const replica = createReplica();
    replica.cluster.setLease(clusterClaim, {
      metadata: { labels: { a: 'b' }, annotations: { theirs: 'stays', 'lock.muster/ambiguous': 'true' } },
      spec: { leaseTransitions: 7 },
    });
    await replica.evaluate(toTwo(replica));
    const lease = replica.cluster.lease(clusterClaim);
    expect(lease['metadata']).toMatchObject({ labels: { a: 'b' }, annotations: { theirs: 'stays' } });
    expect(annotationsOf(lease)).not.toHaveProperty(['lock.muster/ambiguous']);
    expect(specOf(lease)).toMatchObject({ leaseTransitions: 8 });
  });

  test('is that of the write’s own dialect', async () => {
    const replica = createReplica({}, createMemoryCluster());
    await replica.evaluate(creation(MEMBERSHIP, 'fleet', { dialect: ocmClusterClaim }));
    const specs = [clusterClaim, ocmClusterClaim, clusterProperty].map((one) => specOf(replica.cluster.lease(one)));
    expect(specs).toEqual([undefined, expect.anything(), undefined]);
  });

  test('is acquired for the creation of an id that has two names: the other one may be contradicted', async () => {
    const replica = createReplica({}, createMemoryCluster());
    expect(await replica.outcome(creation(ID, 'one', { dialect: clusterProperty }))).toBe('allowed');
    expect(annotationsOf(replica.cluster.lease(clusterProperty))).toMatchObject({ 'lock.muster/operation': 'CREATE' });
  });

  test.each<[string, (cluster: MemoryCluster) => Subject, readonly string[]]>([
    ['joining', () => joinOf('u'), ['lease', 'membership', 'id', 'PUT']],
    ['a change', (cluster) => change(cluster, ID, 'two'), ['lease', 'membership', 'PUT']],
    ['a deletion', (cluster) => deletion(cluster, ID), ['lease', 'membership', 'PUT']],
  ])('takes few calls: %s', async (_, write, expected) => {
    const replica = createReplica();
    expect(await replica.outcome(write(replica.cluster))).toBe('allowed');
    const short = (call: string) =>
      isPut(call) ? 'PUT' : call.includes('/leases/') ? 'lease' : call.endsWith(ID) ? 'id' : 'membership';
    expect(replica.cluster.calls.map(short)).toEqual(expected);
  });
});

describe('no lock is needed, and no call made for one', () => {
  const warn = (...rules: string[]) => ({ actions: new Map(rules.map((id) => [id, { webhook: 'warn' as const }])) });
  const GUARDS = ['claim/id-immutable-in-clusterset', 'claim/id-present-in-clusterset', 'claim/clusterset-requires-id'];
  test.each<[string, Partial<Policy>, (cluster: MemoryCluster) => Subject]>([
    ['on dry run', {}, () => creation(MEMBERSHIP, 'fleet', { dryRun: true })],
    ['for other claims', {}, () => creation('zone.example.com', 'apac')],
    ['for the creation of an id that has one name', {}, () => creation(ID, 'one')],
    ['for an id whose value stays', {}, (cluster) => change(cluster, ID, 'one')],
    ['for exempt users', exempt('jane'), (cluster) => change(cluster, ID, 'two')],
    ['in mode warn', { mode: 'warn' }, (cluster) => change(cluster, ID, 'two')],
    ['where each guarding rule only warns', warn(...GUARDS), (cluster) => change(cluster, ID, 'two')],
    ['for what is wrong by itself', {}, () => creation(MEMBERSHIP, '')],
  ])('%s', async (_, policy, write) => {
    const replica = createReplica(policy);
    replica.cluster.setLease(clusterClaim, undefined);
    await replica.evaluate(write(replica.cluster));
    expect(replica.cluster.calls.filter((call) => call.includes('/leases/'))).toEqual([]);
  });

  test('but one of several guarding rules is enough', async () => {
    const replica = createReplica(warn('claim/id-immutable-in-clusterset'));
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    expect(isFree(replica)).toBe(false);
  });
});

describe('a rival', () => {
  test('is asked to try again while the write may still be stored', async () => {
    const replica = createReplica();
    await replica.evaluate(toTwo(replica));
    expect(await replica.evaluate(joinOf('u', 'bob'))).toMatchObject({
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
    expect(replica.outcomes).toEqual(['acquired', 'held']);
  });

  test.each<[string, (cluster: MemoryCluster) => unknown]>([
    ['the change is stored', (cluster) => cluster.put(clusterClaim, ID, 'two')],
    ['another version is stored', (cluster) => cluster.put(clusterClaim, ID, 'one')],
    ['another object is stored', (cluster) => cluster.put(clusterClaim, ID, 'one', 'another-uid')],
    ['the object is gone', (cluster) => cluster.remove(clusterClaim, ID)],
  ])('is allowed once the change is completed: %s', async (_, complete) => {
    const replica = createReplica();
    await replica.evaluate(toTwo(replica));
    complete(replica.cluster);
    expect(await replica.outcome(joinOf('u', 'bob'))).toBe('allowed');
  });

  test('of a join waits until the join is stored, and is then denied', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    await replica.evaluate(joinOf('joined'));
    expect(await replica.outcome(change(cluster, ID, 'two', BOB))).toBe('indeterminate');
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'joined');
    const denied = await replica.evaluate(change(cluster, ID, 'two', BOB));
    expect(codes(denied)).toEqual(['denied', 'claim/id-immutable-in-clusterset 403']);
  });

  test('waits although the membership is stored, where it has another uid', async () => {
    const dialect = clusterProperty;
    const replica = createReplica({}, createMemoryCluster());
    for (const name of dialect.claim.idNames) replica.cluster.put(dialect, name, 'one');
    await replica.evaluate(creation(MEMBERSHIP, 'fleet', { dialect, uid: 'on its way' }));
    replica.cluster.put(dialect, MEMBERSHIP, 'fleet', 'another');
    // Right by itself, as the newer id stays; but it would take the lock from the one on its way.
    expect(await replica.outcome(deletion(replica.cluster, ID, { dialect, ...BOB }))).toBe('indeterminate');
  });

  test('is allowed when the lock has expired, by the API server’s clock', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    await replica.evaluate(joinOf('u'));
    cluster.now += 60_000;
    expect(await replica.outcome(change(cluster, ID, 'two', BOB))).toBe('indeterminate');
    cluster.now += 1000;
    expect(await replica.outcome(change(cluster, ID, 'two', BOB))).toBe('allowed');
  });

  test('that writes between read and acquire causes another attempt', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    cluster.before = (call) => {
      if (!isPut(call)) return;
      cluster.before = () => {};
      cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
      cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    };
    expect(await replica.outcome(toTwo(replica))).toBe('denied');
    expect(cluster.calls.filter(isPut)).toHaveLength(1);
  });

  test('that always does so leads to a 503 after five attempts', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    cluster.before = (call) => {
      if (isPut(call)) cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
    };
    expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    expect(replica.outcomes).toEqual(['held']);
    expect(cluster.calls.filter(isPut)).toHaveLength(5);
  });
});

describe('the same writer', () => {
  test('acquires its own lock again: one request calls the webhook several times', async () => {
    const replica = createReplica();
    for (let call = 0; call < 3; call++) expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    expect(specOf(replica.cluster.lease(clusterClaim))).toMatchObject({ leaseTransitions: 1 });
    expect(await replica.outcome(change(replica.cluster, ID, 'three'))).toBe('indeterminate');
  });

  test('keeps the version that can be stored, when a review of an older version follows', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    const older = cluster.get(clusterClaim, ID)?.object;
    const { resourceVersion } = cluster.put(clusterClaim, ID, 'one');
    await replica.evaluate(toTwo(replica));
    await replica.evaluate(change(cluster, ID, 'two', {}, older));
    const annotations = annotationsOf(cluster.lease(clusterClaim));
    expect(annotations).toMatchObject({ 'lock.muster/resource-version': resourceVersion });
    expect(await replica.outcome(joinOf('u', 'bob'))).toBe('indeterminate');
  });

  test('that creates the same twice makes the lock ambiguous: neither a stored one nor leaving releases it', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    await replica.evaluate(joinOf('first'));
    await replica.evaluate(joinOf('second'));
    expect(annotationsOf(cluster.lease(clusterClaim))).toMatchObject({ 'lock.muster/ambiguous': 'true' });
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'second');
    await replica.evaluate(deletion(cluster, MEMBERSHIP));
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    cluster.now += 61_000;
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
  });

  test('gets a 409 for a duplicate whose first is stored in a moment, and the lock stays unambiguous', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    await replica.evaluate(joinOf('first'));
    let reads = 0;
    cluster.before = (call) => {
      if (call.startsWith('GET') && call.includes('/leases/') && ++reads === 2)
        cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'first');
    };
    expect(codes(await replica.evaluate(joinOf('second')))).toEqual(['denied', 'claim/id-immutable-in-clusterset 409']);
    await replica.evaluate(deletion(cluster, MEMBERSHIP));
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect(await replica.outcome(change(cluster, ID, 'two', BOB))).toBe('allowed');
  });
});

describe('the creation of what is stored already', () => {
  const managed = (operation: string): Subject => {
    const subject = joinOf('u');
    const metadata = { ...(subject.object['metadata'] as JsonObject), managedFields: [{ operation }] };
    return { ...subject, object: { ...subject.object, metadata } };
  };

  test.each([
    ['is a 409, as the API server would answer', joinOf('u'), ['denied', 'claim/id-immutable-in-clusterset 409']],
    ['by an update manager too', managed('Update'), ['denied', 'claim/id-immutable-in-clusterset 409']],
    ['by server-side apply is asked to try again, as it then is an update', managed('Apply'), ['indeterminate']],
  ])('%s; it acquires no lock', async (_, subject, expected) => {
    const replica = createReplica();
    replica.cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    expect(codes(await replica.evaluate(subject))).toEqual(expected);
    expect(isFree(replica)).toBe(true);
  });
});

test('a rule that crashes on the object alone, and not afterwards, allows nothing without a lock', async () => {
  const replica = createReplica();
  const engine = createEngine({ policy: defaultPolicy, point: 'webhook', live: true });
  let broken = true;
  replica.cluster.before = () => {
    broken = false;
  };
  const evaluate: typeof engine.evaluate = async (...args) => {
    const verdict = await engine.evaluate(...args);
    return broken ? { ...verdict, outcome: 'crashed' } : verdict;
  };
  const state = createLiveClusterState({ client: replica.cluster.client });
  const { outcome } = await state.evaluate(toTwo(replica), { ...engine, evaluate }, inFiveSeconds());
  expect([outcome, isFree(replica)]).toEqual(['allowed', false]);
});

describe('leaving', () => {
  async function joined(): Promise<Replica> {
    const replica = createReplica();
    await replica.evaluate(joinOf('joined'));
    replica.cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'joined');
    return replica;
  }

  test.each([
    ['releases the lock of the join', {}],
    ['releases it for an exempt user too', exempt('bob')],
  ])('%s', async (_, policy) => {
    const { cluster } = await joined();
    const replica = createReplica(policy, cluster);
    expect(await replica.outcome(deletion(cluster, MEMBERSHIP, BOB))).toBe('allowed');
    expect(replica.outcomes).toEqual(['released']);
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
  });

  test('releases no lock of another write or another join, and none on dry run', async () => {
    const replica = await joined();
    const { cluster } = replica;
    await replica.evaluate(deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'another' } }));
    await replica.evaluate(deletion(cluster, MEMBERSHIP, { dryRun: true }));
    expect(replica.outcomes).toEqual(['acquired']);
  });

  test.each<[string, (call: string) => boolean]>([
    ['the Lease can’t be read', (call) => call.startsWith('GET') && call.includes('/leases/')],
    ['the membership can’t be read', (call) => call.endsWith(MEMBERSHIP)],
    ['the Lease can’t be written', isPut],
  ])('tries again where %s for a moment', async (_, isBroken) => {
    const replica = await joined();
    let failures = 2;
    replica.cluster.before = failing('unavailable', (call) => isBroken(call) && failures-- > 0);
    expect(await replica.outcome(deletion(replica.cluster, MEMBERSHIP))).toBe('allowed');
    expect(replica.outcomes).toEqual(['acquired', 'released']);
  });

  test('tries again where the Lease was written meanwhile', async () => {
    const replica = await joined();
    const { cluster } = replica;
    cluster.before = (call) => {
      if (!isPut(call)) return;
      cluster.before = () => {};
      cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
    };
    await replica.evaluate(deletion(cluster, MEMBERSHIP));
    expect(replica.outcomes).toEqual(['acquired', 'released']);
  });

  test('is allowed without the right to the Lease or without a Lease; the leak is counted', async () => {
    const replica = await joined();
    const { cluster } = replica;
    cluster.before = failing('forbidden', isPut);
    expect(await replica.outcome(deletion(cluster, MEMBERSHIP))).toBe('allowed');
    cluster.setLease(clusterClaim, undefined);
    expect(await replica.outcome(deletion(cluster, MEMBERSHIP))).toBe('allowed');
    expect(replica.outcomes).toEqual(['acquired', 'leaked', 'leaked']);
  });
});

describe('a lock is released early', () => {
  test('when it comes too late for its request', async () => {
    const replica = createReplica();
    const ended = new AbortController();
    replica.cluster.after = (call) => {
      if (isPut(call)) ended.abort();
    };
    expect(await replica.outcome(toTwo(replica), { signal: ended.signal })).toBe('indeterminate');
    expect(isFree(replica)).toBe(true);
    expect(replica.outcomes).toEqual(['acquired', 'released-early']);
  });

  test('when it may or may not be stored', async () => {
    const replica = createReplica();
    let failures = 1;
    replica.cluster.after = failing('unreachable', (call) => isPut(call) && failures-- > 0);
    expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    expect(isFree(replica)).toBe(true);
    expect(replica.outcomes).toEqual(['failed', 'released-early']);
  });

  test('and the earlier lock of the same writer stays in place', async () => {
    const replica = createReplica();
    await replica.evaluate(toTwo(replica));
    const before = specOf(replica.cluster.lease(clusterClaim));
    const ended = new AbortController();
    replica.cluster.after = (call) => {
      if (isPut(call)) ended.abort();
    };
    await replica.evaluate(toTwo(replica), { signal: ended.signal });
    expect(specOf(replica.cluster.lease(clusterClaim))).toEqual(before);
    expect(await replica.outcome(joinOf('u', 'bob'))).toBe('indeterminate');
  });

  test('unless another write has acquired it since', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    const ended = new AbortController();
    let puts = 0;
    cluster.before = (call) => {
      if (isPut(call) && ++puts === 2) cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
    };
    cluster.after = () => void (puts === 1 && ended.abort());
    await replica.evaluate(toTwo(replica), { signal: ended.signal });
    expect(isFree(replica)).toBe(false);
    expect(replica.outcomes).toEqual(['acquired']);
  });
});

describe('a Lease with anything in it', () => {
  const holder = { holderIdentity: 'x' };
  const noted = (annotations: JsonObject): JsonObject => ({ metadata: { annotations }, spec: holder });
  test.each<[string, JsonObject]>([
    ['a foreign holder', { spec: { holderIdentity: 'somebody', renewTime: '2026-01-01T00:00:00.000000Z' } }],
    ['a time in the future', { spec: { ...holder, renewTime: '2096-01-01T00:00:00.000000Z' } }],
    ['no time', { spec: holder }],
    ['a time that is none', { spec: { ...holder, renewTime: 'yesterday' } }],
    ['a holder of another type', { spec: { holderIdentity: { a: 1 }, leaseTransitions: 'many' } }],
    [
      'an unknown operation',
      noted({ 'lock.muster/operation': 'EAT', 'lock.muster/object': '../secrets', 'lock.muster/uid': 'u' }),
    ],
    [
      'another object',
      noted({
        'lock.muster/operation': 'DELETE',
        'lock.muster/object': 'evil',
        'lock.muster/uid': 'u',
        'lock.muster/resource-version': '1',
      }),
    ],
    [
      'an update of no version',
      noted({ 'lock.muster/operation': 'UPDATE', 'lock.muster/object': ID, 'lock.muster/uid': 'u' }),
    ],
  ])('%s: it is held, until it was seen unchanged for a minute', async (_, lease) => {
    const replica = createReplica();
    replica.cluster.setLease(clusterClaim, { metadata: {}, ...lease });
    const verdict = await replica.evaluate(toTwo(replica));
    expect(verdict.outcome).toBe('indeterminate');
    expect(JSON.stringify(verdict)).not.toMatch(/evil|secrets|somebody/);
    replica.clock += 60_000;
    expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    replica.clock += 1;
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
  });

  test('a holder that renews it holds it for good', async () => {
    const replica = createReplica();
    for (let times = 0; times < 10; times++) {
      replica.clock += 30_000;
      replica.cluster.now += 30_000;
      const renewTime = new Date(replica.cluster.now).toISOString();
      replica.cluster.setLease(clusterClaim, { metadata: {}, spec: { ...holder, renewTime } });
      expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    }
  });

  test.each<[string, JsonObject]>([
    ['null for spec and annotations', { metadata: { annotations: null }, spec: null }],
    ['a count that is too large', { metadata: {}, spec: { holderIdentity: '', leaseTransitions: 2 ** 31 } }],
  ])('%s: it is free', async (_, lease) => {
    const replica = createReplica();
    replica.cluster.setLease(clusterClaim, lease);
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    expect(specOf(replica.cluster.lease(clusterClaim))).toMatchObject({ leaseTransitions: 1 });
  });
});

describe('without its lock a write is not allowed, and the message names the fix', () => {
  test.each<[string, ClusterErrorCode, string]>([
    ['GET', 'not-found', 'does not exist: apply muster’s manifests, or name the namespace with --namespace'],
    ['GET', 'forbidden', 'muster may not get the Lease muster-system/muster-cluster-claim: apply its RBAC'],
    ['PUT', 'forbidden', 'muster may not update the Lease'],
    ['GET', 'unauthorized', 'does not know muster’s credentials, so the Lease'],
    ['PUT', 'unavailable', 'can’t be acquired'],
    ['GET', 'timeout', 'can’t be acquired'],
  ])('%s %s', async (method, code, message) => {
    const replica = createReplica();
    replica.cluster.before = failing(code, (call) => call.startsWith(method) && call.includes('/leases/'));
    const { outcome, indeterminate } = await replica.evaluate(toTwo(replica));
    expect(outcome).toBe('indeterminate');
    expect(indeterminate[0]?.message).toContain(message.replaceAll('’', "'"));
    expect(replica.outcomes[0]).toBe('failed');
  });

  test('what is certain without the Lease stays certain', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    cluster.setLease(clusterClaim, undefined);
    expect(await replica.outcome(toTwo(replica))).toBe('denied');
    cluster.before = failing('unreachable', () => true);
    expect(await replica.outcome(change(cluster, ID, 'Not_A_Label'))).toBe('denied');
    expect(await replica.outcome(creation('zone.example.com', 'x'))).toBe('allowed');
  });
});

function exempt(user: string): Partial<Policy> {
  return { exemptions: { ...defaultPolicy.exemptions, users: new Set([user]) } };
}

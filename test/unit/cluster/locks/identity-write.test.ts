/** One identity write under its lock: what the Lease holds, who waits, and what releases it. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import type { ClusterErrorCode } from '../../../../src/cluster/live/errors.ts';
import { lockIn, withLock } from '../../../../src/cluster/locks/lock.ts';
import { defaultPolicy, type Policy, type Verdict } from '../../../../src/engine/index.ts';
import type { Subject } from '../../../../src/rules/rule.ts';
import { failing } from '../../../support/memory-api.ts';
import { createMemoryCluster, type MemoryCluster } from '../../../support/memory-cluster.ts';
import { annotationsOf, createReplica, isFree, type Replica, specOf } from './replica.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from './writes.ts';

type Write = (replica: Replica) => Subject;
const BOB = { user: 'bob' };
const to =
  (value: string, user = 'jane'): Write =>
  ({ cluster }) =>
    change(cluster, ID, value, { user });
const toTwo = to('two');
const joinOf = (uid: string, user = 'jane') => creation(MEMBERSHIP, 'fleet', { uid, user });
const rivalJoin: Write = () => joinOf('u', 'bob');
const leave: Write = ({ cluster }) => deletion(cluster, MEMBERSHIP, BOB);
const exempt = (user: string) => ({ exemptions: { ...defaultPolicy.exemptions, users: new Set([user]) } });
const codes = ({ outcome, findings }: Verdict) => [outcome, ...findings.map(({ ruleId, code }) => `${ruleId} ${code}`)];
const EXISTS = ['denied', 'claim/id-immutable-in-clusterset 409'];
const isPut = (call: string) => call.startsWith('PUT');
const leaseOf = ({ cluster }: Replica) => cluster.lease(clusterClaim);
/** Another client writes the Lease as it is. */
const touchLease = (cluster: MemoryCluster) => cluster.setLease(clusterClaim, cluster.lease(clusterClaim));
/** Does it before the next write of the Lease, and not again. */
function beforePut(cluster: MemoryCluster, act: () => void): void {
  cluster.before = (call) => {
    if (!isPut(call)) return;
    cluster.before = () => {};
    act();
  };
}

describe('the Lease of an allowed write', () => {
  test('holds a digest, the write without its value, and the API server’s time', async () => {
    const replica = createReplica();
    const { uid, resourceVersion } = replica.cluster.get(clusterClaim, ID) ?? {};
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    const time = '2026-01-01T00:00:00.000000Z';
    expect(specOf(leaseOf(replica))).toEqual({
      holderIdentity: expect.stringMatching(/^[0-9a-f]{64}$/),
      leaseDurationSeconds: 60,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: 1,
    });
    expect(annotationsOf(leaseOf(replica))).toEqual({
      'lock.muster/operation': 'UPDATE',
      'lock.muster/object': ID,
      'lock.muster/uid': uid,
      'lock.muster/resource-version': resourceVersion,
      'lock.muster/attempt': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('keeps the metadata of others, and counts its holders', async () => {
    const replica = createReplica();
    const annotations = { theirs: 'stays', 'lock.muster/ambiguous': 'true' };
    const metadata = { labels: { a: 'b' }, annotations };
    replica.cluster.setLease(clusterClaim, { metadata, spec: { leaseTransitions: 7 } });
    await replica.evaluate(toTwo(replica));
    const expected = {
      metadata: { labels: { a: 'b' }, annotations: { theirs: 'stays' } },
      spec: { leaseTransitions: 8 },
    };
    expect(leaseOf(replica)).toMatchObject(expected);
    expect(annotationsOf(leaseOf(replica))).not.toHaveProperty(['lock.muster/ambiguous']);
  });

  test.each([
    ['is that of the write’s own dialect', ocmClusterClaim, MEMBERSHIP],
    ['is acquired to create an id that has two names', clusterProperty, ID],
  ])('%s', async (_, dialect, name) => {
    const { cluster, evaluate } = createReplica({}, createMemoryCluster());
    await evaluate(creation(name, 'one', { dialect }));
    const all = [clusterClaim, ocmClusterClaim, clusterProperty];
    expect(all.filter((one) => specOf(cluster.lease(one)) !== undefined)).toEqual([dialect]);
  });
});

describe('no lock is needed, and no call made for one', () => {
  test.each<[string, Partial<Policy>, Write]>([
    ['on dry run', {}, () => creation(MEMBERSHIP, 'fleet', { dryRun: true })],
    ['for other claims', {}, () => creation('zone.example.com', 'apac')],
    ['for the creation of an id that has one name', {}, () => creation(ID, 'one')],
    ['for an id whose value stays', {}, to('one')],
    ['for exempt users', exempt('jane'), toTwo],
    ['in mode warn', { mode: 'warn' }, toTwo],
    ['for what is wrong by itself', {}, () => creation(MEMBERSHIP, '')],
  ])('%s', async (_, policy, write) => {
    const replica = createReplica(policy);
    replica.cluster.setLease(clusterClaim, undefined);
    await replica.evaluate(write(replica));
    expect(replica.cluster.calls.filter((call) => call.includes('/leases/'))).toEqual([]);
  });
});

describe('a rival', () => {
  const dialect = clusterProperty;
  const changed = to('two', 'bob');
  const put =
    (...args: [name: string, value: string, uid?: string]) =>
    (cluster: MemoryCluster) =>
      cluster.put(clusterClaim, ...args);
  const later = (milliseconds: number) => (cluster: MemoryCluster) => {
    cluster.now += milliseconds;
  };
  const joined: Write = () => joinOf('joined');
  const propertyJoin: Write = ({ cluster }) => {
    for (const name of dialect.claim.idNames) cluster.put(dialect, name, 'one');
    return creation(MEMBERSHIP, 'fleet', { dialect, uid: 'on its way' });
  };
  test.each<[string, Write, (cluster: MemoryCluster) => unknown, Write, Verdict['outcome']]>([
    ['waits while the change may be stored', toTwo, () => {}, rivalJoin, 'indeterminate'],
    ['is allowed once the change is stored', toTwo, put(ID, 'two'), rivalJoin, 'allowed'],
    ['is allowed once another version is', toTwo, put(ID, 'one'), rivalJoin, 'allowed'],
    ['is allowed once another object is', toTwo, put(ID, 'one', 'x'), rivalJoin, 'allowed'],
    ['is allowed once the object is gone', toTwo, (one) => one.remove(clusterClaim, ID), rivalJoin, 'allowed'],
    ['waits while the join may be stored', joined, () => {}, changed, 'indeterminate'],
    ['is denied once the join is stored', joined, put(MEMBERSHIP, 'fleet', 'joined'), changed, 'denied'],
    [
      // Right by itself, as the newer id stays; but it would take the lock from the join.
      'waits where the stored membership has another uid',
      propertyJoin,
      (one) => one.put(dialect, MEMBERSHIP, 'fleet', 'another'),
      ({ cluster }) => deletion(cluster, ID, { dialect, ...BOB }),
      'indeterminate',
    ],
    ['waits for a minute by the API server’s clock', joined, later(60_000), changed, 'indeterminate'],
    ['is allowed when the lock has expired', joined, later(61_000), changed, 'allowed'],
  ])('%s', async (_, first, meanwhile, rival, expected) => {
    const replica = createReplica();
    expect(await replica.outcome(first(replica))).toBe('allowed');
    meanwhile(replica.cluster);
    expect(await replica.outcome(rival(replica))).toBe(expected);
  });

  test('is asked to try again, with the name of what it waits for', async () => {
    const replica = createReplica();
    await replica.evaluate(toTwo(replica));
    const [first] = (await replica.evaluate(rivalJoin(replica))).indeterminate;
    expect(first).toMatchObject({ ruleId: 'claim/id-immutable-in-clusterset', level: 'MUST', field: 'spec.value' });
    expect(first?.message).toMatch(/^cannot be decided now: another write .* \(UPDATE of id\.k8s\.io\) .*; try again/);
    expect(replica.outcomes).toEqual(['acquired', 'held']);
  });

  test('that always writes between read and acquire leads to a 503 after five attempts', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    cluster.before = (call) => void (isPut(call) && touchLease(cluster));
    expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    expect(replica.outcomes).toEqual(['held']);
    expect(cluster.calls.filter(isPut)).toHaveLength(5);
  });
});

describe('the same writer', () => {
  test('acquires its own lock again: one request calls the webhook several times', async () => {
    const replica = createReplica();
    for (let call = 0; call < 3; call++) expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    expect(specOf(leaseOf(replica))).toMatchObject({ leaseTransitions: 1 });
    expect(await replica.outcome(to('three')(replica))).toBe('indeterminate');
  });

  test('is the same user: another one who writes the same waits', async () => {
    const replica = createReplica();
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    expect(await replica.outcome(to('two', 'bob')(replica))).toBe('indeterminate');
    expect(replica.outcomes).toEqual(['acquired', 'held']);
  });

  test('waits for its own lock while nobody can read whether the first write is stored', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    await replica.evaluate(toTwo(replica));
    cluster.put(clusterClaim, ID, 'one');
    cluster.before = failing('unavailable', (call) => call.endsWith(ID));
    expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    expect(replica.outcomes).toEqual(['acquired', 'held']);
  });

  test('that creates the same twice makes the lock ambiguous: neither a stored one nor leaving releases it', async () => {
    const replica = createReplica();
    const { cluster } = replica;
    await replica.evaluate(joinOf('first'));
    await replica.evaluate(joinOf('second'));
    expect(annotationsOf(leaseOf(replica))).toMatchObject({ 'lock.muster/ambiguous': 'true' });
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'second');
    await replica.evaluate(leave(replica));
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
    expect(codes(await replica.evaluate(joinOf('second')))).toEqual(EXISTS);
    await replica.evaluate(leave(replica));
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect(await replica.outcome(to('two', 'bob')(replica))).toBe('allowed');
  });
});

describe('the creation of what is stored already acquires no lock', () => {
  const managed = (operation: string): Subject => {
    const subject = joinOf('u');
    const metadata = { ...(subject.object['metadata'] as JsonObject), managedFields: [{ operation }] };
    return { ...subject, object: { ...subject.object, metadata } };
  };

  test.each([
    ['and is a 409, as the API server would answer', joinOf('u'), EXISTS],
    ['also by an update manager', managed('Update'), EXISTS],
    ['and by server-side apply is asked to try again, as it then is an update', managed('Apply'), ['indeterminate']],
  ])('%s', async (_, subject, expected) => {
    const replica = createReplica();
    replica.cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    expect(codes(await replica.evaluate(subject))).toEqual(expected);
    expect(isFree(replica)).toBe(true);
  });
});

describe('a creation with a resourceVersion', () => {
  const withVersion = (resourceVersion: string, operation = 'Update'): Subject => {
    const subject = joinOf('u');
    const added = { resourceVersion, managedFields: [{ operation }] };
    const metadata = { ...(subject.object['metadata'] as JsonObject), ...added };
    return { ...subject, object: { ...subject.object, metadata } };
  };

  test.each(['123', `${2n ** 64n - 1n}`])(
    '%s is denied and acquires no lock: the API server refuses it',
    async (one) => {
      const replica = createReplica();
      const verdict = await replica.evaluate(withVersion(one));
      expect(codes(verdict)).toEqual(['denied', 'claim/id-immutable-in-clusterset 422']);
      expect(verdict.findings[0]?.field).toBe('metadata.resourceVersion');
      expect(isFree(replica)).toBe(true);
    },
  );

  test.each([
    ['0, which API servers ignore', withVersion('0')],
    ['that is no number, which they ignore too', withVersion('x')],
    ['that is too large, which they ignore too', withVersion(`${2n ** 64n}`)],
    ['by server-side apply, which they store', withVersion('123', 'Apply')],
  ])('is an identity write with one %s', async (_, subject) => {
    const replica = createReplica();
    expect(await replica.outcome(subject)).toBe('allowed');
    expect(isFree(replica)).toBe(false);
  });
});

describe('leaving', () => {
  async function joined(policy: Partial<Policy> = {}): Promise<Replica> {
    const replica = createReplica(policy);
    await replica.evaluate(joinOf('joined'));
    replica.cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'joined');
    return replica;
  }
  const fails = (code: ClusterErrorCode) => (cluster: MemoryCluster) => {
    cluster.before = failing(code, isPut);
  };
  const twice = (isBroken: (call: string) => boolean) => (cluster: MemoryCluster) => {
    let failures = 2;
    cluster.before = failing('unavailable', (call) => isBroken(call) && failures-- > 0);
  };

  test.each<[string, (cluster: MemoryCluster) => void, string, Partial<Policy>?]>([
    ['releases the lock of the join', () => {}, 'released'],
    ['releases it for an exempt user too', () => {}, 'released', exempt('bob')],
    ['tries again where the Lease can’t be read', twice((call) => /^GET.*leases/.test(call)), 'released'],
    ['tries again where the Lease can’t be written', twice(isPut), 'released'],
    ['tries again where the Lease was written meanwhile', (one) => beforePut(one, () => touchLease(one)), 'released'],
    ['is allowed without the right to the Lease', fails('forbidden'), 'leaked'],
    ['is allowed without a Lease', (one) => one.setLease(clusterClaim, undefined), 'leaked'],
  ])('%s', async (_, prepare, expected, policy = {}) => {
    const replica = await joined(policy);
    prepare(replica.cluster);
    expect(await replica.outcome(leave(replica))).toBe('allowed');
    expect(replica.outcomes).toEqual(['acquired', expected]);
    replica.cluster.remove(clusterClaim, MEMBERSHIP);
    if (expected === 'released') expect(await replica.outcome(to('two', 'eve')(replica))).toBe('allowed');
  });

  test('releases no lock of another join, and none on dry run', async () => {
    const { cluster, evaluate, outcomes } = await joined();
    await evaluate(deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'another' } }));
    await evaluate(deletion(cluster, MEMBERSHIP, { dryRun: true }));
    expect(outcomes).toEqual(['acquired']);
  });
});

test('an exempt user who deletes a new id releases the lock of its creation', async () => {
  const replica = createReplica(exempt('bob'), createMemoryCluster());
  const { cluster, evaluate, outcome, outcomes } = replica;
  const property = { dialect: clusterProperty };
  await evaluate(creation(ID, 'one', { ...property, uid: 'created' }));
  cluster.put(clusterProperty, ID, 'one', 'created');
  expect(await outcome(deletion(cluster, ID, { ...property, ...BOB }))).toBe('allowed');
  expect(outcomes).toEqual(['acquired', 'released']);
  cluster.remove(clusterProperty, ID);
  expect(await outcome(creation(MEMBERSHIP, 'fleet', { ...property, user: 'eve' }))).toBe('allowed');
});

describe('a lock is released early', () => {
  const tooLate = (cluster: MemoryCluster, ended: AbortController) => {
    cluster.after = (call) => void (isPut(call) && ended.abort());
  };
  const uncertain = (cluster: MemoryCluster) => {
    let failures = 1;
    cluster.after = failing('unreachable', (call) => isPut(call) && failures-- > 0);
  };
  const overtaken = (cluster: MemoryCluster, ended: AbortController) => {
    let puts = 0;
    cluster.before = (call) => void (isPut(call) && ++puts === 2 && touchLease(cluster));
    cluster.after = () => void (puts === 1 && ended.abort());
  };
  test.each<[string, typeof tooLate, boolean, readonly string[]]>([
    ['when it comes too late for its request', tooLate, true, ['acquired', 'released-early']],
    ['when it may or may not be stored', uncertain, true, ['failed', 'released-early']],
    ['unless another write has acquired it since', overtaken, false, ['acquired']],
  ])('%s', async (_, prepare, free, outcomes) => {
    const replica = createReplica();
    const ended = new AbortController();
    prepare(replica.cluster, ended);
    expect(await replica.outcome(toTwo(replica), { signal: ended.signal })).toBe('indeterminate');
    expect([isFree(replica), replica.outcomes]).toEqual([free, outcomes]);
  });
});

describe('a Lease with anything in it', () => {
  const leaseWith = (spec: object, notes: Record<string, string> = {}): JsonObject => {
    const annotations = Object.fromEntries(Object.entries(notes).map(([key, value]) => [`lock.muster/${key}`, value]));
    return { metadata: { annotations }, spec: { holderIdentity: 'somebody', ...spec } };
  };
  const future = (holderIdentity: string) => leaseWith({ holderIdentity, renewTime: '2096-01-01T00:00:00.000000Z' });
  test.each<[string, JsonObject]>([
    ['a foreign holder', leaseWith({ renewTime: '2026-01-01T00:00:00.000000Z' })],
    ['a time in the future', future('x')],
    ['no time', leaseWith({})],
    ['a time that is none', leaseWith({ renewTime: 'yesterday' })],
    ['a holder of another type', leaseWith({ holderIdentity: { a: 1 }, leaseTransitions: 'many' })],
    ['an unknown operation', leaseWith({}, { operation: 'EAT', object: '../secrets', uid: 'u' })],
    ['another object', leaseWith({}, { operation: 'DELETE', object: 'evil', uid: 'u', 'resource-version': '1' })],
    ['an update of no version', leaseWith({}, { operation: 'UPDATE', object: ID, uid: 'u' })],
  ])('%s: it is held, until it was seen unchanged for a minute', async (_, lease) => {
    const replica = createReplica();
    replica.cluster.setLease(clusterClaim, lease);
    const verdict = await replica.evaluate(toTwo(replica));
    expect(verdict.outcome).toBe('indeterminate');
    expect(JSON.stringify(verdict)).not.toMatch(/evil|secrets|somebody/);
    replica.clock += 60_000;
    expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    replica.clock += 1;
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
  });

  test.each([{}, { renewTime: 'yesterday' }])('without a time it has none when it is put back: %j', (spec) => {
    const lock = lockIn(leaseWith({ ...spec, holderIdentity: 'x' }, { operation: 'DELETE', object: ID, uid: 'u' }));
    const other = leaseWith({ holderIdentity: 'y', renewTime: '2026-01-01T00:00:00.000000Z' });
    expect(lock && lockIn(withLock(other, lock))).toEqual(lock);
  });

  test('that minute begins again where another lock was seen in between', async () => {
    const replica = createReplica();
    for (const holder of ['x', 'y', 'x']) {
      replica.clock += 30_001;
      replica.cluster.setLease(clusterClaim, future(holder));
      expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    }
  });

  test('that minute is one of this lock: an older lock that was seen long ago does not count', async () => {
    const replica = createReplica();
    for (const holder of ['x', 'y']) {
      replica.cluster.setLease(clusterClaim, future(holder));
      expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
      replica.clock += 61_000;
    }
  });

  test.each<[string, JsonObject]>([
    ['null for spec and annotations', { metadata: { annotations: null }, spec: null }],
    ['a count that is too large', { metadata: {}, spec: { holderIdentity: '', leaseTransitions: 2 ** 31 } }],
  ])('%s: it is free', async (_, lease) => {
    const replica = createReplica();
    replica.cluster.setLease(clusterClaim, lease);
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    expect(specOf(leaseOf(replica))).toMatchObject({ leaseTransitions: 1 });
  });
});

describe('without its lock a write is not allowed, and the message names the fix', () => {
  test.each<[string, ClusterErrorCode, string]>([
    ['GET', 'not-found', "does not exist: apply muster's manifests, or name the namespace with --namespace"],
    ['GET', 'forbidden', 'muster may not get the Lease muster-system/muster-cluster-claim: apply its RBAC'],
    ['PUT', 'forbidden', 'muster may not update the Lease'],
    ['GET', 'unauthorized', "does not know muster's credentials, so the Lease"],
    ['PUT', 'unavailable', "can't be acquired"],
  ])('%s %s', async (method, code, message) => {
    const replica = createReplica();
    replica.cluster.before = failing(code, (call) => call.startsWith(method) && call.includes('/leases/'));
    const { outcome, indeterminate } = await replica.evaluate(toTwo(replica));
    expect(outcome).toBe('indeterminate');
    expect(indeterminate[0]?.message).toContain(message);
    expect(replica.outcomes[0]).toBe('failed');
  });

  /** The same cluster, behind a proxy that changes answers. */
  const behindProxy = (cluster: MemoryCluster, call: ApiClient['call']) =>
    createReplica({}, { ...cluster, client: { ...cluster.client, call } });

  test('an answer without a Date is none: by the clock of this machine, a lock could have expired', async () => {
    const replica = createReplica();
    const { client } = replica.cluster;
    expect(await replica.outcome(toTwo(replica))).toBe('allowed');
    const proxied = behindProxy(replica.cluster, async (one) => ({ ...(await client.call(one)), date: undefined }));
    expect((await proxied.evaluate(rivalJoin(replica))).indeterminate[0]?.message).toContain('without a Date');
  });

  test('an answer that repeats what was sent, under the same version, is no acquired lock', async () => {
    const { cluster } = createReplica();
    const replica = behindProxy(cluster, async (one) => {
      if (one.method !== 'PUT') return cluster.client.call(one);
      return { body: structuredClone(one.body) as JsonObject, date: cluster.now };
    });
    expect(await replica.outcome(toTwo(replica))).toBe('indeterminate');
    expect([isFree(replica), replica.outcomes[0]]).toEqual([true, 'failed']);
  });

  test('but what is certain without the Lease stays certain', async () => {
    const replica = createReplica();
    replica.cluster.put(clusterClaim, MEMBERSHIP, 'fleet');
    replica.cluster.setLease(clusterClaim, undefined);
    expect(await replica.outcome(toTwo(replica))).toBe('denied');
    replica.cluster.before = failing('unreachable', () => true);
    expect(await replica.outcome(to('Not_A_Label')(replica))).toBe('denied');
    expect(await replica.outcome(creation('zone.example.com', 'x'))).toBe('allowed');
  });
});

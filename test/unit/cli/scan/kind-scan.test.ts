/** What a scan reports about stored objects. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { defaultPolicy, type Policy } from '../../../../src/engine/index.ts';
import { claim, cluster, feature, NOW, property } from '../../../support/command-line.ts';
import { findingsIn, scanAll } from './fixtures.ts';

const found = async (...objects: readonly JsonObject[]) => findingsIn(await scanAll(objects));
const terminating = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject), deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] },
});
const inSet = (id: string, set = 'fleet') => ({
  properties: [
    { name: 'id.k8s.io', value: id },
    { name: 'clusterset.k8s.io', value: set },
  ],
});

describe('claims', () => {
  const member = claim('clusterset.k8s.io', 'fleet');
  const id = claim('id.k8s.io', 'a');
  const without = 'clusterset.k8s.io: deny claim/clusterset-requires-id';

  test('a member without an id is denied, with one it is allowed, whatever the order of the claims', async () => {
    expect(await found(member)).toEqual([without]);
    expect(await found(member, id)).toEqual([]);
    expect(await found(id, member)).toEqual([]);
    expect(await found(member, terminating(id))).toEqual([without]);
  });

  test('the level is that of a scan', async () => {
    const message = 'the cluster is in a ClusterSet without an id; create the ClusterClaim id.k8s.io';
    expect((await scanAll([member])).entries).toMatchObject([
      { result: { operation: 'SCAN', outcome: 'denied', findings: [{ level: 'MUST', message }] } },
    ]);
  });

  test('the id of another API is no id of this one', async () => {
    expect(await found(member, property('id.k8s.io', 'a'))).toEqual([without]);
  });

  test('where not all could be read, a missing id may exist', async () => {
    const stored = await scanAll([member], { unknown: 'not all could be read' });
    expect(findingsIn(stored)).toEqual(['clusterset.k8s.io: unknown claim/clusterset-requires-id']);
    expect(stored.entries[0]?.result.outcome).toBe('indeterminate');
    expect(findingsIn(await scanAll([member, id], { unknown: 'not all could be read' }))).toEqual([]);
  });

  test('two different ids in a ClusterSet are reported once, at the older name', async () => {
    const [newer, older] = [property('cluster.clusterset.k8s.io', 'a'), property('id.k8s.io', 'b')];
    const set = property('clusterset.k8s.io', 'fleet');
    expect(await found(newer, older, set)).toEqual(['id.k8s.io: deny claim/id-immutable-in-clusterset']);
    expect(await found(newer, older)).toEqual([]);
    expect(await found(newer, property('id.k8s.io', 'a'), set)).toEqual([]);
  });

  test('only the syntax of an id outside of a ClusterSet counts', async () => {
    expect(await found(claim('id.k8s.io', 'A b'))).toEqual(['id.k8s.io: deny claim/id-syntax']);
  });
});

describe('inventory', () => {
  test('an id that two objects list is reported on both', async () => {
    const stored = await scanAll([cluster('a', { status: inSet('x') }), cluster('b', { status: inSet('x') })]);
    const [ruleId, field] = ['inventory/unique-cluster-id', 'status.properties[0].value'];
    expect(stored.entries.map(({ result }) => result)).toMatchObject([
      { name: 'a', findings: [{ ruleId, field, message: expect.stringContaining('by "b"') }] },
      { name: 'b', findings: [{ ruleId, field, message: expect.stringContaining('by "a"') }] },
    ]);
  });

  test('an object that two files hold is not its own duplicate', async () => {
    const same = cluster('a', { status: inSet('x') });
    expect(await found(same, { ...same })).toEqual([]);
  });

  test('findings of spec, status and comparison are in the order of the catalogue', async () => {
    const broken = cluster('a', {
      status: { ...inSet('x'), version: { kubernetes: 'new' } },
      spec: { clusterManager: { name: 'other' } },
    });
    const duplicate = cluster('b', { status: inSet('x'), spec: { clusterManager: { name: 'other' } } });
    expect((await found(broken, duplicate)).slice(0, 3)).toEqual([
      'a: deny inventory/cluster-manager-label',
      'a: warn inventory/unique-cluster-id',
      'a: warn inventory/version',
    ]);
  });
});

describe('features', () => {
  test.each([
    [{ state: 'TurningOn', transitionTasks: ['A', 'WaitForUses'] }, ['f: warn feature/settled']],
    [{ state: 'TurningOn', transitionTasks: ['WaitForUses'] }, ['f: warn feature/settled']],
    [{ state: 'TurningOff', transitionTasks: [] }, ['f: warn feature/settled']],
    [{ state: 'TurningOn', transitionTasks: ['A'] }, ['f: deny feature/tasks-on-entry', 'f: warn feature/settled']],
    [
      { state: 'TurningOn', transitionTasks: ['WaitForUses', 'A'] },
      ['f: deny feature/tasks-on-entry', 'f: warn feature/settled'],
    ],
    [{ state: 'On', transitionTasks: ['A'] }, ['f: deny feature/completion', 'f: warn feature/settled']],
    [
      { state: 'On', uses: [{ version: '1', enabled: 'Disabled', reportTime: '2026-01-01T00:00:00Z' }] },
      ['f: warn feature/settled'],
    ],
    [
      { state: 'TurningOn', transitionTasks: ['WaitForUses'], useEvaluationTime: '2020-01-01T00:00:00Z' },
      ['f: warn feature/settled'],
    ],
    [
      { state: 'TurningOff', transitionTasks: ['WaitForUses'], source: 'Default', default: 'Enabled' },
      ['f: warn feature/settled'],
    ],
    [{ state: true }, ['f: deny feature/shape']],
    [{ state: 'On', class: 'elsewhere' }, ['f: warn feature/class-and-name']],
  ] as const)('%j', async (status, expected) => {
    expect(await found(feature('f', status as unknown as JsonObject))).toEqual(expected);
  });
});

describe('the configuration applies', () => {
  const policy = (more: Partial<Policy>): Policy => ({ ...defaultPolicy, ...more });
  const duplicates = [cluster('a', { status: inSet('x') }), cluster('b', { status: inSet('x') })];

  test('actions of the point scan, without the caps of a write', async () => {
    const scanned = async (objects: readonly JsonObject[], ruleId: string, scan: 'deny' | 'ignore') =>
      findingsIn(
        await scanAll(objects, { policy: policy({ actions: new Map([[ruleId, { scan, webhook: 'warn' }]]) }) }),
      );
    expect((await scanned(duplicates, 'inventory/unique-cluster-id', 'deny'))[0]).toBe(
      'a: deny inventory/unique-cluster-id',
    );
    expect(await scanned(duplicates, 'inventory/unique-cluster-id', 'ignore')).toEqual([]);
    const odd = cluster('a', { status: { version: { kubernetes: 'new' } } });
    expect(await scanned([odd], 'inventory/version', 'deny')).toEqual(['a: deny inventory/version']);
  });

  test('the mode caps, exceptions are audited, exempted namespaces are skipped', async () => {
    const bad = claim('mine.k8s.io', 'x');
    expect(findingsIn(await scanAll([bad, claim('id.k8s.io', 'x')], { policy: policy({ mode: 'warn' }) }))).toEqual([
      'mine.k8s.io: warn claim/reserved-name',
    ]);
    const rules = new Set(['claim/reserved-name', 'inventory/unique-cluster-id']);
    const exception = { rules, apiGroup: 'multicluster.x-k8s.io', expires: NOW + 1, reason: 'ticket' };
    const exceptions = [
      { ...exception, kind: 'ClusterClaim', name: 'mine.k8s.io' },
      { ...exception, kind: 'InventoryCluster', name: 'a' },
    ];
    expect(
      findingsIn(await scanAll([bad, claim('id.k8s.io', 'x'), ...duplicates], { policy: policy({ exceptions }) })),
    ).toEqual([
      'mine.k8s.io: audit claim/reserved-name',
      'a: audit inventory/unique-cluster-id',
      'b: warn inventory/unique-cluster-id',
    ]);
    const exemptions = { ...defaultPolicy.exemptions, namespaces: new Set(['kube-system']) };
    const broken = feature('f', { state: true });
    expect(findingsIn(await scanAll([broken], { policy: policy({ exemptions }) }))).toEqual([]);
  });
});

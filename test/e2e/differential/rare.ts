/** Updates that meet listed differences which chance hardly ever meets. They are evaluated with the random ones. */
import type { JsonObject } from '../../../src/rules/rule.ts';
import { dialectNamed, type Update } from './update.ts';

const jane = { username: 'jane', groups: [] };

/** A use that stands twice gives its place to another that does, of the same version. */
function twinInPlace(): Update {
  const dialect = dialectNamed('feature');
  const use = (enabled: string): JsonObject => ({ version: '1', enabled, reportTime: '2026-05-30T08:15:00Z' });
  const of = (...values: string[]): JsonObject => ({
    apiVersion: `${dialect.group}/${dialect.versions[0]}`,
    kind: dialect.kind,
    metadata: { name: 'twins', namespace: 'fleet-a' },
    spec: {},
    status: { uses: values.map(use) },
  });
  const [old, object] = [of('Disabled', 'Disabled'), of('Enabled', 'Enabled')];
  return { dialect, subresource: 'status', old, object, ...jane, world: 'alone' };
}

function inventory(labels: JsonObject, status: JsonObject): JsonObject {
  const { group, versions, kind } = dialectNamed('cluster-profile');
  return {
    apiVersion: `${group}/${versions[0]}`,
    kind,
    metadata: { name: 'second', namespace: 'fleet-a', labels: { 'x-k8s.io/cluster-manager': 'harbour', ...labels } },
    spec: { clusterManager: { name: 'harbour' } },
    status,
  };
}

/** What the other object of the world `configured` has already. */
function takesId(): Update {
  const properties = [
    { name: 'id.k8s.io', value: 'north-1' },
    { name: 'clusterset.k8s.io', value: 'blue' },
  ];
  const [old, object] = [inventory({}, {}), inventory({}, { properties })];
  return { dialect: dialectNamed('cluster-profile'), subresource: 'status', old, object, ...jane, world: 'configured' };
}

function takesMemberId(): Update {
  const [old, object] = [inventory({}, {}), inventory({ 'multicluster.x-k8s.io/inventory-member-id': 'm1' }, {})];
  return { dialect: dialectNamed('cluster-profile'), subresource: '', old, object, ...jane, world: 'configured' };
}

/** A member that is null goes, two levels down. */
function losesDeepNull(): Update {
  const stored = inventory({}, {});
  const [old, object] = [{ a: null }, {}].map((name) => ({ ...stored, spec: { clusterManager: { name } } }));
  return { dialect: dialectNamed('cluster-profile'), subresource: '', old, object, ...jane, world: 'alone' } as Update;
}

export const rare: readonly Update[] = [losesDeepNull(), twinInPlace(), takesId(), takesMemberId()];
